// Before and after goods are received: the facts that receiving needs, the receipt date on the consignment,
// and the events. Spec 2.3; decisions 4, 6.

import { consignmentEvent, type LockedConsignment } from '../../consignments/consignment.ts'
import { type EventOrigin, emit } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText } from '../../platform/decimal.ts'
import type { FaultCollector } from '../../platform/http/entry-faults.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { validationFailed } from '../../platform/http/refusal.ts'
import { localTimeAt } from '../../platform/local-time.ts'
import { defaultLocationOf } from '../../stock/commands/default-locations.ts'
import { findOrCreateAttributes, localDay } from '../../stock/commands/goods-description.ts'
import { repeatedSerials } from '../../stock/commands/quantities.ts'
import { maxAgeDays, maxClockSkewMs } from '../../stock/commands/stock-command.ts'
import { findProducts } from '../../stock/commands/stock-products.ts'
import { type MovementSource, oneItem } from '../../stock/ledger/movement.ts'
import { EventType } from '../../vocabulary/events.ts'
import { HoldKind, TransactionType } from '../../vocabulary/stock.ts'
import {
  announcedDescription,
  announcedUnit,
  type InwardsLine,
  readOutstandingSerials,
} from './inwards-line.ts'
import type { Arrival, Receipt, SerialsOfLine } from './receive-goods.ts'

type ConsignmentInWarehouse = LockedConsignment & { warehouseId: string }

/** When and where goods of a consignment arrive, and the hold that they go into by default. */
export interface ArrivalPlan extends Arrival {
  /** wall-clock time of the receipt, in the warehouse */
  receivedAt: string
  defaultHold: Receipt['hold']
}

/** When goods were received, as far as the caller specifies it. */
export interface RequestedTimes {
  occurredUtc: string | null
  /** wall-clock time of the warehouse */
  receivedDateTime: string | null
}

/**
 * Reads the facts that receiving for a locked consignment needs. Goods of a return go into a hold. Creates
 * the warehouse's receiving location if there is none, so the stock must not be locked yet. Throws 400 if
 * `receivedDateTime` is too long ago or in the future.
 */
export async function planArrival(
  tx: Tx,
  source: MovementSource,
  consignment: LockedConsignment,
  { occurredUtc, receivedDateTime }: RequestedTimes,
): Promise<ArrivalPlan> {
  const { organisationId, id, timezoneId, warehouseId } = consignment as ConsignmentInWarehouse
  const facts = await tx.row<{
    defaultReceiveLocationId: string | null
    returnOf: string | null
    receivedUtc: string | null
    isTooOld: boolean | null
    isAhead: boolean | null
  }>(sql`
    select c.default_receive_location_id, r.consignment_number as return_of,
      least(now(), requested.received_utc) as received_utc,
      requested.received_utc > now() + make_interval(secs => ${maxClockSkewMs / 1000}) as is_ahead,
      requested.received_utc < now() - make_interval(days => ${maxAgeDays}) as is_too_old
    from consignment c
    left join consignment r on r.organisation_id = c.organisation_id and r.id = c.return_of_consignment_id
    cross join (select ${receivedDateTime}::timestamp at time zone ${timezoneId} as received_utc) requested
    where c.organisation_id = ${organisationId} and c.id = ${id}`)
  if (facts.isTooOld && occurredUtc === null)
    throw validationFailed(
      faultAt('receivedDateTime', `must not be more than ${maxAgeDays} days ago`, 'range'),
    )
  if (facts.isAhead) throw validationFailed(faultAt('receivedDateTime', 'must not be in the future', 'range'))
  const defaultLocationId =
    facts.defaultReceiveLocationId ?? (await defaultLocationOf(tx, organisationId, warehouseId, 'receive'))
  return {
    source,
    consignment: consignment as ConsignmentInWarehouse,
    defaultLocationId,
    receivedDate: receivedDateTime?.slice(0, 10) ?? localDay(timezoneId, occurredUtc),
    occurredUtc: occurredUtc ?? facts.receivedUtc,
    receivedAt:
      receivedDateTime ??
      (occurredUtc === null ? consignment.localNow : localTimeAt(new Date(occurredUtc), timezoneId)),
    isReturn: facts.returnOf !== null,
    defaultHold:
      facts.returnOf === null ? null : { kind: HoldKind.Return, reason: `Return of ${facts.returnOf}` },
  }
}

/**
 * Receipts for the outstanding quantities of lines, as announced. They have the announced serials, unless
 * other goods came in place of some of them.
 */
export async function planOutstandingReceipts(
  tx: Tx,
  { consignment, defaultHold }: ArrivalPlan,
  lines: readonly InwardsLine[],
  nameOf: (line: InwardsLine) => string,
  location: Receipt['location'] = {},
): Promise<Receipt[]> {
  const { organisationId } = consignment
  const due = lines.filter(({ expected, received }) => expected > received)
  const products = await findProducts(
    tx,
    organisationId,
    due.map(({ productId }) => productId),
  )
  const attributeIds = await findOrCreateAttributes(
    tx,
    organisationId,
    due.map(({ attributes }) => attributes),
  )
  const serials = await readOutstandingSerials(
    tx,
    organisationId,
    due.map(({ id }) => id),
  )
  return due.map(line => {
    const quantity = line.expected - line.received
    const announced = serials.get(line.id) ?? []
    // Where other goods came than those announced, which of the announced serials are outstanding is unknown.
    const areKnown = BigInt(announced.length) * oneItem <= quantity
    return {
      name: nameOf(line),
      line,
      product: products.get(line.productId) as Receipt['product'],
      quantity,
      serials: areKnown ? announced : [],
      weightKG: null,
      volumeM3: null,
      description: announcedDescription(line, attributeIds),
      location,
      unit: announcedUnit(line),
      isUnitAnnounced: true,
      hold: defaultHold,
    }
  })
}

/** Adds a fault for each serial that receipts of one product contain more than once. */
export function refuseRepeatedSerials(receipts: readonly SerialsOfLine[], faults: FaultCollector): void {
  const serialsByReceipt = receipts.map(({ line, serials }) => ({
    productId: line.productId,
    serials: serials.map(({ serial }) => serial),
  }))
  for (const { entry, serial } of repeatedSerials(serialsByReceipt)) {
    const { name, line } = receipts[entry] as SerialsOfLine
    faults.add(name, `the serial ${serial} of ${line.productCode} is listed twice`, 'duplicate')
  }
}

/** Sets the consignment's actualReceiveDateTime, unless goods that arrived earlier have set it. */
export async function recordReceiveTime(
  tx: Tx,
  { consignment, receivedAt }: Pick<ArrivalPlan, 'consignment' | 'receivedAt'>,
): Promise<void> {
  await tx.run(sql`
    update consignment set actual_receive_date_time = ${receivedAt}
    where organisation_id = ${consignment.organisationId} and id = ${consignment.id}
      and (actual_receive_date_time is null or actual_receive_date_time > ${receivedAt}::timestamp)`)
}

/**
 * Sets the consignment's actualReceiveDateTime to that of the earliest receipt of which goods are left; null
 * if all were taken back.
 */
export async function restoreReceiveTime(
  tx: Tx,
  { organisationId, id, timezoneId }: LockedConsignment,
): Promise<void> {
  await tx.run(sql`
    update consignment set actual_receive_date_time = (
      select date_trunc('second', min(first_utc) at time zone ${timezoneId}) from (
        select min(t.effective_utc) filter (where t.quantity > 0) as first_utc
        from inventory_transaction t
        where t.organisation_id = ${organisationId} and t.consignment_id = ${id}
          and t.type = ${TransactionType.Receive}
        group by t.warehouse_product_id, t.consignment_product_id having sum(t.quantity) > 0
      ) receipts
    )
    where organisation_id = ${organisationId} and id = ${id}`)
}

/** A quantity that was received for a line or, if negative, taken back. */
export interface LineChange {
  line: Pick<InwardsLine, 'id' | 'received'>
  /** ten-thousandths */
  quantity: bigint
}

/** Sums the changes of each line. */
export function sumByLine<Line extends LineChange['line']>(
  changes: readonly { line: Line; quantity: bigint }[],
): { line: Line; quantity: bigint }[] {
  const sums = new Map<string, { line: Line; quantity: bigint }>()
  for (const { line, quantity } of changes)
    sums.set(line.id, { line, quantity: (sums.get(line.id)?.quantity ?? 0n) + quantity })
  return [...sums.values()]
}

/** Raises event 108 with the new received quantities of lines. */
export async function emitReceivedQuantities(
  tx: Tx,
  source: EventOrigin,
  consignment: LockedConsignment,
  changes: readonly LineChange[],
): Promise<void> {
  const quantity = (value: bigint) => Number(decimalText(4, value))
  await emit(tx, source, [
    consignmentEvent(EventType.ConsignmentProductsUpdated, consignment, {
      changes: sumByLine(changes).map(({ line, quantity: change }) => ({
        field: 'products',
        from: { id: line.id, receivedQuantity: quantity(line.received) },
        to: { id: line.id, receivedQuantity: quantity(line.received + change) },
      })),
    }),
  ])
}
