// Corrects the description of stock: batch, dates and attributes. Spec 2.14.

import { Name, named, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { correctDescription } from './correct-description.ts'
import { descriptionFields } from './goods-description.ts'
import { partFields } from './plan-take.ts'
import { stockCommand } from './stock-command.ts'
import { selectorFaults, stockFields } from './stock-selector.ts'

const adjustmentFaults = (value: unknown): ValidationError[] =>
  (Array.isArray(value) ? value : []).flatMap((entry, i) => selectorFaults(`[${i}]`, entry))

export const adjustStockAttributes = [
  stockCommand({
    post: '/v1/inventory/adjust-attributes',
    name: 'adjustStockAttributes',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Correct the batch, dates and attributes of stock',
    description:
      'Each entry selects a row or a part of one. Omitted fields stay as they are; null clears a field. An ' +
      'entry that would change nothing is returned with isUnchanged.',
    bodyName: 'StockAttributesAdjustment',
    body: {
      adjustments: Type.Array(Type.Object({ ...stockFields, ...partFields, ...descriptionFields }), {
        minItems: 1,
        maxItems: 1_000,
        rule: adjustmentFaults,
      }),
      reason: Name,
    },
    answer: named(
      'StockAttributesAdjusted',
      Type.Object({
        movementId: Uuid,
        effectiveUtc: UtcTime,
        adjustments: Type.Array(
          Type.Object({ warehouseProductId: Uuid, quantity: Type.Number(), isUnchanged: Type.Boolean() }),
        ),
      }),
    ),
    run: ({ tx, actor: { organisationId }, body: { adjustments, reason }, source, occurredUtc }) =>
      correctDescription(tx, { organisationId, source, occurredUtc }, adjustments, reason),
  }),
]
