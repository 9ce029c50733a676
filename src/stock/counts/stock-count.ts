// Stock counts: who may see them, locking them before a change, and the order of their statuses. Spec 2.14.

import type { Actor } from '../../access/actor.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { notFound, verificationFailed, wrongStatus } from '../../platform/http/refusal.ts'
import { noteStatus } from '../../rehearsal/notes.ts'
import { inWords } from '../../vocabulary/in-words.ts'
import { StockCountStatus } from '../../vocabulary/stock.ts'
import { maxClockSkewMs } from '../commands/stock-command.ts'

const { Draft, InProgress, Counted, Approved, Cancelled } = StockCountStatus

/**
 * A condition on `stock_count c` for the counts an actor may see. A client sees only counts of its own goods.
 */
export const visibleCounts = (actor: Actor): Sql =>
  sql`c.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and c.partner_id = ${actor.partnerId}`}`

/** A stock count whose row this transaction has locked. */
export interface LockedStockCount {
  organisationId: string
  id: string
  stockCountNumber: string
  warehouseId: string
  partnerId: string | null
  status: StockCountStatus
  /** IANA time zone of the warehouse */
  timezoneId: string
  createdUtc: string
}

/**
 * Locks a count until the transaction ends. Consignments must be locked before counts, and stock after them.
 * @throws 404 if there is no such count.
 */
export async function lockStockCount(tx: Tx, actor: Actor, stockCountId: string): Promise<LockedStockCount> {
  const count = await tx.maybe<LockedStockCount>(sql`
    select c.organisation_id, c.id, c.stock_count_number, c.warehouse_id, c.partner_id, c.status,
      w.timezone_id, as_utc(c.created_utc) as created_utc
    from stock_count c join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    where ${visibleCounts(actor)} and c.id = ${stockCountId} for no key update of c`)
  if (count === undefined) throw notFound('Stock count')
  return count
}

/**
 * Returns when something about a count happened, as its device says, if that is no earlier than `earliest`; a
 * clock that is a little slow is set right. Throws 400 if it is earlier: the clock of the device must be
 * wrong.
 */
export function notBefore(occurredUtc: string | null, earliest: string, what: string): string | null {
  if (occurredUtc === null) return null
  const [at, least] = [Date.parse(occurredUtc), Date.parse(earliest)]
  if (at >= least) return occurredUtc
  if (at >= least - maxClockSkewMs) return earliest
  throw verificationFailed(
    faultAt(
      'occurredUtc',
      `must not be before ${what} (${earliest}): is the clock of the device right, and its time in UTC?`,
      'range',
    ),
  )
}

const statusName = (status: StockCountStatus): string => inWords(StockCountStatus, status)

/** Returns whether a count in this status can no longer change. */
const isFinal = (status: StockCountStatus): boolean => status === Approved || status === Cancelled

/**
 * Locks a count as `lockStockCount` does, for a change of its lines.
 * @throws 400 if the count is in none of the allowed statuses.
 */
export async function lockStockCountIn(
  tx: Tx,
  actor: Actor,
  stockCountId: string,
  allowed: readonly StockCountStatus[],
): Promise<LockedStockCount> {
  const count = await lockStockCount(tx, actor, stockCountId)
  if (allowed.includes(count.status)) return count
  const subject = `Stock count ${count.stockCountNumber} is ${statusName(count.status)}`
  throw wrongStatus(
    isFinal(count.status)
      ? `${subject} and cannot change any more: create another one.`
      : `${subject}, not ${allowed.map(statusName).join(' or ')}: count its lines first.`,
  )
}

/**
 * Returns why a count may not go from one status to another, as a sentence; null if it may. Counting begins
 * once, ends with Counted and may be resumed; every open count can be Cancelled.
 */
export function countStatusRefusal(from: StockCountStatus, to: StockCountStatus): string | null {
  if (isFinal(from))
    return `The stock count is ${statusName(from)} and cannot change any more: create another one.`
  if (to === Approved) return 'A stock count becomes Approved with its last line: approve its lines.'
  if (to === Draft)
    return 'Counting has begun, so the stock count cannot be Draft again: cancel it to begin anew.'
  return null
}

/** The statuses in which lines can be counted and recounted. */
export const countingStatuses: readonly StockCountStatus[] = [Draft, InProgress, Counted]

/**
 * Sets a count that is Counted to Approved if none of its lines is open any more. Returns whether it did.
 */
export async function approveIfComplete(tx: Tx, { organisationId, id }: LockedStockCount): Promise<boolean> {
  const settled = await tx.run(sql`
    update stock_count c set status = ${Approved}
    where c.organisation_id = ${organisationId} and c.id = ${id} and c.status = ${Counted}
      and not exists (
        select from stock_count_line l where l.organisation_id = c.organisation_id
          and l.stock_count_id = c.id and l.is_open
      )`)
  if (settled > 0) noteStatus(tx, StockCountStatus, { id, from: Counted, to: Approved })
  return settled > 0
}
