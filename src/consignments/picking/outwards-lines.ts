// Commands on the lines of an Outwards consignment: how it is locked with its stock, and what is told when
// its lines have changed. Open-points 4, 6.

import { type EventSource, emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { named, Type, Uuid } from '../../platform/http/schema.ts'
import {
  lockTargetsOfConsignments,
  type OutwardLine,
  readOutwardLines,
  shortageOf,
} from '../../stock/allocation/outward-lines.ts'
import { numberOf } from '../../stock/inventory/quantities.ts'
import { type LockedStock, lockQueriedStock } from '../../stock/ledger/stock-lock.ts'
import { consignmentEvent, type LockedConsignment, lockOpenConsignment } from '../consignment.ts'
import { statusName } from '../consignment-status.ts'
import { ConsignmentStatus, ConsignmentType } from '../enumerations.ts'

/** An Outwards consignment that is held, with the warehouse that it leaves from. */
export type LockedOutwards = LockedConsignment & { warehouseId: string }

/** What a line of a consignment has, in answers of commands. */
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
    { description: 'A line: what is allocated and not picked, what is picked, and what is short.' },
  ),
)

/**
 * Locks an Outwards consignment until the transaction ends. 404 for one that the actor does not see; 400 for
 * one of another type or in none of the statuses.
 */
export async function lockOutwards(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
  statuses: readonly ConsignmentStatus[],
): Promise<LockedOutwards> {
  const consignment = await lockOpenConsignment(tx, actor, consignmentId)
  const { consignmentNumber, type, status, warehouseId } = consignment
  if (type !== ConsignmentType.Outwards || warehouseId === null)
    throw verificationFailed(`Consignment ${consignmentNumber} is not Outwards.`)
  if (!statuses.includes(status))
    throw verificationFailed(
      `Consignment ${consignmentNumber} is ${statusName(status)}, not ` +
        `${statuses.map(statusName).join(' or ')}.`,
    )
  return { ...consignment, warehouseId }
}

/** The statuses in which picked goods can be there. */
export const statusesWithPickedGoods = [
  ConsignmentStatus.ReadyToPick,
  ConsignmentStatus.ReadyToDispatch,
] as const

/** Locks the stock of the consignments' products, of these rows, and of what lies on units beside them. */
export const lockStockOf = (
  tx: Tx,
  organisationId: string,
  consignmentIds: readonly string[],
  warehouseProductIds: readonly string[],
): Promise<LockedStock> =>
  lockQueriedStock(
    tx,
    organisationId,
    sql`${lockTargetsOfConsignments(organisationId, consignmentIds)}
      union all ${stockPlacesOfRows(organisationId, warehouseProductIds)}`,
  )

/** A query of the products and warehouses of rows, and of what lies on units beside them. */
export const stockPlacesOfRows = (organisationId: string, warehouseProductIds: readonly string[]): Sql => sql`
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
 * Reads the lines of the consignments as they are now, tells of those that have become others than `before`,
 * and returns them.
 */
export async function publishLineChanges(
  tx: Tx,
  source: EventSource,
  consignments: readonly LockedOutwards[],
  before: readonly OutwardLine[],
): Promise<OutwardLine[]> {
  const ids = consignments.map(({ id }) => id)
  const after = await readOutwardLines(tx, source.organisationId, ids)
  await emitLineChanges(tx, source, consignments, before, after)
  return after
}

/** Tells (event 108) of each of the consignments whose lines have become others than `before`. */
export async function emitLineChanges(
  tx: Tx,
  source: EventSource,
  consignments: readonly LockedOutwards[],
  before: readonly OutwardLine[],
  after: readonly OutwardLine[],
): Promise<void> {
  const known = new Map(before.map(line => [line.id, figuresOf(line)]))
  const linesOf = Map.groupBy(after, ({ consignmentId }) => consignmentId)
  const events = consignments.flatMap(consignment => {
    const changes = (linesOf.get(consignment.id) ?? []).flatMap(line => {
      const [from, to] = [known.get(line.id), figuresOf(line)]
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: 'products', from, to }]
    })
    if (changes.length === 0) return []
    return [consignmentEvent(EventType.ConsignmentProductsUpdated, consignment, { changes })]
  })
  await emit(tx, source, events)
}

const figuresOf = ({ id, allocated, picked, dispatched }: OutwardLine) => ({
  id,
  allocatedQuantity: numberOf(allocated),
  pickedQuantity: numberOf(picked),
  dispatchedQuantity: numberOf(dispatched),
})

/** What lines have, for the answer of a command. */
export const toFigures = (lines: readonly OutwardLine[]) =>
  lines.map(line => ({
    consignmentProductId: line.id,
    expected: numberOf(line.expected),
    allocated: numberOf(line.allocated),
    picked: numberOf(line.picked),
    short: numberOf(shortageOf(line)),
  }))
