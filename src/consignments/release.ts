// Releasing what is allocated to a consignment and not picked. Open-points 4.

import { scale } from '../platform/decimal.ts'
import { Decimal, optional, Type, Uuid } from '../platform/http/schema.ts'
import { placesOfAllocations, type ReleasedPart, releaseLines } from '../stock/allocation/release-lines.ts'
import { namingTwiceFaults, stockFields, withRowIds } from '../stock/inventory/named-stock.ts'
import { stockCommand } from '../stock/inventory/stock-command.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { AllocationAnswer, answerOf, tellOfAllocation } from './allocated-stock.ts'
import { lockOpenConsignment } from './consignment.ts'

const lineFaults = (value: unknown) =>
  (Array.isArray(value) ? value : []).flatMap((entry, i) => namingTwiceFaults(`[${i}]`, entry))

const ReleasedLine = Type.Object({
  consignmentProductId: Uuid,
  ...stockFields,
  quantity: optional(Decimal(4, { exclusiveMinimum: 0 })),
})

export const releaseConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/release',
    name: 'releaseConsignmentStock',
    scope: ['consignment', 'inventory'],
    summary: 'Release what is allocated to a consignment',
    description:
      'Everything that is not picked, or of each of `lines` the quantity, from one row of stock or from ' +
      'what was allocated last. Picked stock is unpicked first.',
    bodyName: 'ConsignmentRelease',
    body: {
      lines: Type.Optional(Type.Array(ReleasedLine, { minItems: 1, maxItems: 1_000, rule: lineFaults })),
    },
    bodyOptional: true,
    answer: AllocationAnswer,
    async run({ tx, actor, params, body, source, occurredUtc, requestId }) {
      const { organisationId } = actor
      const consignment = await lockOpenConsignment(tx, actor, params.consignmentId)
      const locked = await lockStock(
        tx,
        organisationId,
        await placesOfAllocations(tx, organisationId, [consignment.id]),
      )
      const { warehouseId } = consignment
      const named = body.lines && (await withRowIds(tx, locked, body.lines, { array: 'lines', warehouseId }))
      const parts = named?.map(
        ({ quantity, ...part }): ReleasedPart => ({
          ...part,
          quantity: quantity == null ? null : scale(4, quantity),
        }),
      )
      const outcomes = await releaseLines(tx, locked, [
        { consignmentId: consignment.id, parts, source, occurredUtc },
      ])
      await tellOfAllocation(tx, { ...actor, requestId }, [consignment], outcomes)
      return answerOf(outcomes[0] as (typeof outcomes)[number])
    },
  }),
]
