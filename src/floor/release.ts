// The endpoint that releases stock which is allocated to a consignment but not picked. Decision 4.

import { type LockedConsignment, lockOpenConsignment } from '../consignments/consignment.ts'
import type { Tx } from '../platform/database/db.ts'
import { scale } from '../platform/decimal.ts'
import { type Static, Type, Uuid } from '../platform/http/schema.ts'
import { readOutboundLines } from '../stock/allocation/outbound-lines.ts'
import {
  lockTargetsOfAllocations,
  type ReleasePart,
  releaseLines,
} from '../stock/allocation/release-lines.ts'
import { convertToItems, productOfRowOrLine } from '../stock/commands/convert-to-items.ts'
import { partFields } from '../stock/commands/plan-take.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { optionalSelectorFaults, resolveRowIds, stockFields } from '../stock/commands/stock-selector.ts'
import { type LockedStock, lockStock } from '../stock/ledger/stock-lock.ts'
import { AllocationResponse, raiseAllocationEvents, toAllocationResponse } from './allocation-response.ts'

const lineFaults = (value: unknown) =>
  (Array.isArray(value) ? value : []).flatMap((entry, i) => optionalSelectorFaults(`[${i}]`, entry))

const { serials: _, ...releasedFields } = partFields
const ReleasedLine = Type.Object({
  consignmentProductId: Uuid,
  ...stockFields,
  ...releasedFields,
})
type ReleasedLine = Static<typeof ReleasedLine>

/**
 * Resolves the rows of stock that a request names and converts its quantities to items. Throws 400 for
 * faults.
 */
async function resolveParts(
  tx: Tx,
  locked: LockedStock,
  { organisationId, id, warehouseId }: LockedConsignment,
  requested: readonly ReleasedLine[],
): Promise<ReleasePart[]> {
  const withRowIds = await resolveRowIds(tx, locked, requested, { array: 'lines', warehouseId })
  const lines = await readOutboundLines(tx, organisationId, [id])
  const productOf = await productOfRowOrLine(tx, organisationId, withRowIds, lines)
  const inItems = await convertToItems(tx, organisationId, withRowIds, 'lines', productOf)
  return inItems.map(({ quantity, ...part }) => ({
    ...part,
    quantity: quantity == null ? null : scale(4, quantity),
  }))
}

export const releaseConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/release',
    name: 'releaseConsignmentStock',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Release the stock that is allocated to a consignment',
    description:
      'Releases everything that is not picked, or the given quantity of each of `lines`: from one row of ' +
      'stock if it is named, otherwise the latest allocations first. Picked stock must be unpicked first.',
    bodyName: 'ConsignmentRelease',
    body: {
      lines: Type.Optional(Type.Array(ReleasedLine, { minItems: 1, maxItems: 1_000, rule: lineFaults })),
    },
    bodyOptional: true,
    answer: AllocationResponse,
    async run({ tx, actor, params, body, source, occurredUtc, requestId }) {
      const { organisationId } = actor
      const consignment = await lockOpenConsignment(tx, actor, params.consignmentId)
      const locked = await lockStock(
        tx,
        organisationId,
        await lockTargetsOfAllocations(tx, organisationId, [consignment.id]),
      )
      const parts = body.lines && (await resolveParts(tx, locked, consignment, body.lines))
      const outcomes = await releaseLines(tx, locked, [
        { consignmentId: consignment.id, parts, source, occurredUtc },
      ])
      await raiseAllocationEvents(tx, { ...actor, requestId }, [consignment], outcomes)
      return toAllocationResponse(outcomes[0] as (typeof outcomes)[number])
    },
  }),
]
