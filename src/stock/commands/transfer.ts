// Moves stock within a warehouse: rows, parts of rows and whole logistic units. This is also how goods are
// put away. Spec 2.14.

import { named, nullable, optional, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { UnitReference } from '../logistic-units/unit-references.ts'
import { targetFields } from './location-reference.ts'
import { moveStock, type Transfer } from './move-stock.ts'
import { partFields } from './plan-take.ts'
import { stockCommand } from './stock-command.ts'
import { selectorFaults, stockFields } from './stock-selector.ts'

/** Faults of entries that do not select their stock in exactly one way. */
function transferFaults(value: unknown): ValidationError[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => {
    const { logisticUnitId, ...rest } = (entry ?? {}) as Transfer
    if (!logisticUnitId) return selectorFaults(`[${i}]`, rest)
    const hasOtherFields =
      rest.warehouseProductId || rest.stock || rest.quantity || rest.serials || rest.toLogisticUnit
    if (!hasOtherFields) return []
    return [{ path: `[${i}]`, problem: 'moves a whole logistic unit, and so takes nothing but where to' }]
  })
}

const entry = Type.Object({
  ...stockFields,
  ...partFields,
  logisticUnitId: optional({ ...Uuid, description: 'A whole logistic unit with everything on it.' }),
  ...targetFields,
  toLogisticUnit: optional(UnitReference),
})

export const transferStock = [
  stockCommand({
    post: '/v1/inventory/transfer',
    name: 'transferStock',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Move stock within a warehouse',
    description:
      'Each entry moves a row of stock, a part of one (quantity, serials) or a whole logistic unit. ' +
      'Without toLogisticUnit, moved goods are loose. A whole row or unit keeps its allocations and ' +
      'holds. Part of a row can be moved only as far as it is not allocated. An empty unit that goods are ' +
      'put on moves to the location of its goods.',
    bodyName: 'StockTransfer',
    body: { transfers: Type.Array(entry, { minItems: 1, maxItems: 1_000, rule: transferFaults }) },
    answer: named(
      'StockTransferred',
      Type.Object({
        movementId: Uuid,
        effectiveUtc: UtcTime,
        transfers: Type.Array(
          Type.Object({
            quantity: Type.Number(),
            warehouseLocationId: Uuid,
            logisticUnitId: nullable(Uuid),
            warehouseProductIds: Type.Array(Uuid),
          }),
        ),
      }),
    ),
    run: ({ tx, actor, body, source, occurredUtc }) =>
      moveStock(tx, { organisationId: actor.organisationId, source, occurredUtc }, body.transfers),
  }),
]
