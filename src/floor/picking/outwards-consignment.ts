// What commands on the lines of an Outwards consignment share: locking it and its stock, and raising events
// for changed lines. Decisions 4, 6.

import { consignmentEvent, type LockedConsignment, requireOpen } from '../../consignments/consignment.ts'
import { consignmentStatusName } from '../../consignments/consignment-status.ts'
import { type EventOrigin, emit, type NewEvent } from '../../events/emit.ts'
import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { verificationFailed, wrongStatus } from '../../platform/http/refusal.ts'
import { named, Type, Uuid } from '../../platform/http/schema.ts'
import {
  lockTargetsOfConsignments,
  type OutboundLine,
  readOutboundLines,
  shortageOf,
} from '../../stock/allocation/outbound-lines.ts'
import { numberOf } from '../../stock/commands/quantities.ts'
import { type LockedStock, lockQueriedStock } from '../../stock/ledger/stock-lock.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { EventType } from '../../vocabulary/events.ts'

/** A locked Outwards consignment, with the warehouse that it leaves from. */
export type LockedOutwardsConsignment = LockedConsignment & { warehouseId: string }

/** The quantities of a line, as responses to commands contain them. */
export const LineFigures = named(
  'AllocatedLine',
  Type.Object(
    {
      consignmentProductId: Uuid,
      expected: Type.Number(),
      allocated: Type.Number(),
      picked: Type.Number(),
      short: Type.Number(),
    },
    {
      description:
        'The quantities of a line. `allocated` excludes picked goods, and `short` is what has not been ' +
        'allocated, picked or dispatched.',
    },
  ),
)

/** Throws 400 unless a locked consignment is Outwards, not Closed, and in one of `statuses`. */
export function requireOutwards(
  consignment: LockedConsignment,
  statuses: readonly ConsignmentStatus[],
): LockedOutwardsConsignment {
  requireOpen(consignment)
  const { consignmentNumber, type, status, warehouseId } = consignment
  if (type !== ConsignmentType.Outwards || warehouseId === null)
    throw verificationFailed(`Consignment ${consignmentNumber} is not Outwards.`)
  if (!statuses.includes(status))
    throw wrongStatus(
      `Consignment ${consignmentNumber} is ${consignmentStatusName(status)}, not ` +
        `${statuses.map(consignmentStatusName).join(' or ')}.`,
    )
  return { ...consignment, warehouseId }
}

/**
 * Records that picks of the consignments were confirmed, so that what nobody confirms never counts as picked,
 * even if a pick is of nothing or is taken back.
 */
export async function markPickingConfirmed(
  tx: Tx,
  consignments: readonly LockedOutwardsConsignment[],
): Promise<void> {
  const unmarked = consignments.filter(({ isPickingConfirmed }) => !isPickingConfirmed)
  const [first] = unmarked
  if (first === undefined) return
  await tx.run(sql`update consignment set is_picking_confirmed = true
    where organisation_id = ${first.organisationId} and id = any(${unmarked.map(({ id }) => id)})`)
}

/** The statuses in which a consignment can have picked goods. */
export const statusesWithPickedGoods = [
  ConsignmentStatus.ReadyToPick,
  ConsignmentStatus.ReadyToDispatch,
] as const

/**
 * Locks the stock of the consignments' products, of these rows, and of other rows on the same logistic units.
 */
export const lockStockForPicking = (
  tx: Tx,
  organisationId: string,
  consignmentIds: readonly string[],
  warehouseProductIds: readonly string[],
): Promise<LockedStock> =>
  lockQueriedStock(
    tx,
    organisationId,
    sql`${lockTargetsOfConsignments(organisationId, consignmentIds)}
      union all ${lockTargetsOfRows(organisationId, warehouseProductIds)}`,
  )

/** A query for the warehouses and products of consignment lines. */
export const lockTargetsOfLines = (organisationId: string, lineIds: readonly string[]): Sql => sql`
    select c.warehouse_id, l.product_id from consignment_product l
    join consignment c on c.organisation_id = l.organisation_id and c.id = l.consignment_id
    where l.organisation_id = ${organisationId} and l.id = any(${lineIds})
      and c.warehouse_id is not null and l.product_id is not null`

/** A query for the warehouses and products of rows, and of other rows on the same logistic units. */
export const lockTargetsOfRows = (organisationId: string, warehouseProductIds: readonly string[]): Sql => sql`
    select p.warehouse_id, p.product_id from warehouse_product p
    where p.organisation_id = ${organisationId} and p.id = any(${warehouseProductIds})
    union all
    select b.warehouse_id, b.product_id from warehouse_product p
    cross join lateral (
      select * from warehouse_product b where b.organisation_id = p.organisation_id
        and b.logistic_unit_id = p.logistic_unit_id and not b.is_depleted
      offset 0
    ) b
    where p.organisation_id = ${organisationId} and p.id = any(${warehouseProductIds})`

/**
 * Reads the current lines of the consignments, raises event 108 for those that differ from `before`, and
 * returns them.
 */
export async function publishLineChanges(
  tx: Tx,
  source: EventOrigin,
  consignments: readonly LockedOutwardsConsignment[],
  before: readonly OutboundLine[],
): Promise<OutboundLine[]> {
  const ids = consignments.map(({ id }) => id)
  const after = await readOutboundLines(tx, source.organisationId, ids)
  await raiseLineChanges(tx, source, consignments, before, after)
  return after
}

/** Raises event 108 for each consignment with lines that differ between `before` and `after`. */
export const raiseLineChanges = (
  tx: Tx,
  source: EventOrigin,
  consignments: readonly LockedOutwardsConsignment[],
  before: readonly OutboundLine[],
  after: readonly OutboundLine[],
): Promise<void> => emit(tx, source, lineChangeEvents(consignments, before, after))

/** Event 108 for each consignment with lines that differ between `before` and `after`. */
export function lineChangeEvents(
  consignments: readonly LockedConsignment[],
  before: readonly OutboundLine[],
  after: readonly OutboundLine[],
): NewEvent[] {
  const previous = new Map(before.map(line => [line.id, figuresInHistory(line)]))
  const linesOf = Map.groupBy(after, ({ consignmentId }) => consignmentId)
  return consignments.flatMap(consignment => {
    const changes = (linesOf.get(consignment.id) ?? []).flatMap(line => {
      const [from, to] = [previous.get(line.id), figuresInHistory(line)]
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: 'products', from, to }]
    })
    if (changes.length === 0) return []
    return [consignmentEvent(EventType.ConsignmentProductsUpdated, consignment, { changes })]
  })
}

/** What the history tells of a line. */
export const figuresInHistory = ({ id, allocated, picked, dispatched }: OutboundLine) => ({
  id,
  allocatedQuantity: numberOf(allocated),
  pickedQuantity: numberOf(picked),
  dispatchedQuantity: numberOf(dispatched),
})

/** The quantities of lines, for the response to a command. */
export const toLineFigures = (lines: readonly OutboundLine[]) =>
  lines.map(line => ({
    consignmentProductId: line.id,
    expected: numberOf(line.expected),
    allocated: numberOf(line.allocated),
    picked: numberOf(line.picked),
    short: numberOf(shortageOf(line)),
  }))
