// Corrects the description of stock: batch, dates and attributes. Spec 2.14.

import { Name, named, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { correctionKind } from './correct-description.ts'
import { descriptionFields } from './goods-description.ts'
import { partFields } from './plan-take.ts'
import { type StockRequest, stockCommand } from './stock-command.ts'
import { selectorFaults, stockFields } from './stock-selector.ts'

const adjustmentFaults = (value: unknown): ValidationError[] =>
  (Array.isArray(value) ? value : []).flatMap((entry, i) => selectorFaults(`[${i}]`, entry))

const path = '/v1/inventory/adjust-attributes'
const body = {
  adjustments: Type.Array(Type.Object({ ...stockFields, ...partFields, ...descriptionFields }), {
    minItems: 1,
    maxItems: 1_000,
    rule: adjustmentFaults,
  }),
  reason: Name,
}
const AdjustAttributesAnswer = named(
  'StockAttributesAdjusted',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    adjustments: Type.Array(
      Type.Object({ warehouseProductId: Uuid, quantity: Type.Number(), isUnchanged: Type.Boolean() }),
    ),
  }),
)
type AdjustRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

export const adjustAttributesKind = {
  mayShare: () => true,
  weigh: ({ body }: AdjustRequest) =>
    body.adjustments.reduce((sum, { serials }) => sum + Math.max(1, serials?.length ?? 0), 0),
  ...correctionKind<AdjustRequest, Static<typeof AdjustAttributesAnswer>>({
    findEntries: async (_, __, requests) =>
      new Map(requests.map(request => [request, request.body.adjustments])),
    toAnswer: result => result,
  }),
}

export const adjustStockAttributes = [
  stockCommand({
    post: path,
    name: 'adjustStockAttributes',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Correct the batch, dates and attributes of stock',
    description:
      'Each entry selects a row or a part of one. Omitted fields stay as they are; null clears a field. An ' +
      'entry that would change nothing is returned with isUnchanged.',
    bodyName: 'StockAttributesAdjustment',
    body,
    answer: AdjustAttributesAnswer,
    kind: adjustAttributesKind,
  }),
]
