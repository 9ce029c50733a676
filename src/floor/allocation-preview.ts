// Previews the stock that would be allocated to a consignment, and why. Decision 4.

import { endpoint } from '../access/endpoint.ts'
import { visibleConsignments } from '../consignments/consignment.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { IntegerEnum, named, nullable, PlainDate, Type, Uuid } from '../platform/http/schema.ts'
import { orderingRules } from '../stock/allocation/allocation.ts'
import { explainLines } from '../stock/allocation/explain-lines.ts'
import { RotationMethod, StockDepletionMethod } from '../vocabulary/partners.ts'

const day = nullable(PlainDate)

const PreviewedStock = Type.Object({
  warehouseProductId: Uuid,
  warehouseLocationName: Type.String(),
  logisticUnitNumber: nullable(Type.String()),
  batch: nullable(Type.String()),
  bestBeforeDate: day,
  expiryDate: day,
  packagingDate: day,
  productionDate: day,
  sellByDate: day,
  receivedDate: PlainDate,
  availableQuantity: Type.Number(),
  quantity: Type.Number({ description: 'the quantity of it that the line would get' }),
  allocatedQuantity: Type.Number({ description: 'the quantity of it that the line has, not picked' }),
  rule: nullable(
    Type.Unsafe<(typeof orderingRules)[number]>({
      type: 'string',
      enum: [...orderingRules],
      description:
        'the rule that puts it before the next one; null if it is excluded, or was chosen by a person',
    }),
  ),
  keptOut: nullable(Type.String({ description: 'why it is excluded' })),
})

const AllocationPreview = named(
  'AllocationPreview',
  Type.Object({
    lines: Type.Array(
      Type.Object({
        consignmentProductId: Uuid,
        rotationMethod: IntegerEnum(RotationMethod),
        rotationMethodSecondary: IntegerEnum(RotationMethod),
        stockDepletionMethod: IntegerEnum(StockDepletionMethod),
        wanted: Type.Number(),
        allocated: Type.Number(),
        short: Type.Number(),
        stock: Type.Array(PreviewedStock),
      }),
    ),
  }),
)

export const allocationPreview = [
  endpoint({
    get: '/v1/consignments/:consignmentId/allocation-preview',
    name: 'previewConsignmentAllocation',
    partners: 'none',
    scope: ['consignment.read', 'inventory.read'],
    extension: true,
    summary: 'Preview the stock that would be allocated to a consignment now, and why',
    description:
      'Lists the short lines in the order in which they are served. Each has up to 20 rows of stock: first ' +
      'the stock that comes first in its order, with the rule that puts it before the next, and then the ' +
      'excluded stock with the reason. Nothing is allocated. With IncludeAllocated it tells why lines have ' +
      'their stock: what they would get now if their stock that is not picked were free.',
    query: Type.Object({
      IncludeAllocated: Type.Optional(
        Type.Boolean({
          description: 'Also list the lines that have their stock, as if that were free; default false.',
        }),
      ),
    }),
    response: json(AllocationPreview),
    async handle({ db, actor, params, query: { IncludeAllocated: includeAllocated = false } }) {
      const known = await db.maybe(sql`
        select from consignment c where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}`)
      if (known === undefined) throw notFound('Consignment')
      const options = { includeAllocated }
      return { lines: await explainLines(db, actor.organisationId, params.consignmentId, options) }
    },
  }),
]
