// Before and after goods are received: the facts that receiving needs, the receipt date on the consignment,
// and the events. Spec 2.3; decisions 4, 6.

import { consignmentEvent, type LockedConsignment } from '../../consignments/consignment.ts'
import { type EventOrigin, emit, type NewEvent } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { decimalText } from '../../platform/decimal.ts'
import type { FaultCollector } from '../../platform/http/entry-faults.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { type Refusal, validationFailed } from '../../platform/http/refusal.ts'
import { localTimeAt } from '../../platform/local-time.ts'
import { defaultLocationOf } from '../../stock/commands/default-locations.ts'
import { localDay } from '../../stock/commands/goods-description.ts'
import { repeatedSerials } from '../../stock/commands/quantities.ts'
import { maxAgeDays, maxClockSkewMs } from '../../stock/commands/stock-command.ts'
import { type MovementSource, oneItem } from '../../stock/ledger/movement.ts'
import { EventType } from '../../vocabulary/events.ts'
import { HoldKind, TransactionType } from '../../vocabulary/stock.ts'
import { announcedDescription, announcedUnit, type InwardsLine } from './inwards-line.ts'
import type { Arrival, Receipt } from './receipt.ts'
import type { SerialsOfLine } from './receive-goods.ts'
import type { ReceivingFacts } from './receiving-facts.ts'

type ConsignmentInWarehouse = LockedConsignment & { warehouseId: string }

/** When and where goods of a consignment arrive, and the hold that they go into by default. */
export interface ArrivalPlan extends Arrival {
  /** wall-clock time of the receipt, in the warehouse */
  receivedAt: string
  defaultHold: Receipt['hold']
}

/** A locked consignment for which goods arrive, and when they do as far as the caller specifies it. */
export interface ArrivalRequest {
  consignment: LockedConsignment
  source: MovementSource
  occurredUtc: string | null
  /** wall-clock time of the warehouse */
  receivedDateTime: string | null
}

interface ArrivalFacts {
  defaultReceiveLocationId: string | null
  returnOfConsignmentId: string | null
  returnOf: string | null
  receivedUtc: string | null
  isTooOld: boolean | null
  isAhead: boolean | null
}

/**
 * Reads the facts that receiving needs. Goods of a return go into a hold. Creates the warehouse's receiving
 * location if there is none, so the stock must not be locked yet. A request whose `receivedDateTime` is too
 * long ago or in the future gets the refusal instead.
 */
export async function planArrivals(
  tx: Tx,
  organisationId: string,
  requests: readonly ArrivalRequest[],
): Promise<(ArrivalPlan | Refusal)[]> {
  const wanted = requests.map(({ consignment: { id, timezoneId }, receivedDateTime }, n) => ({
    ...{ n, id, timezoneId, receivedDateTime },
  }))
  const fields = { n: 'integer', id: 'uuid', timezoneId: 'text', receivedDateTime: 'timestamp' }
  const facts = await tx.rows<ArrivalFacts>(sql`
    select c.default_receive_location_id, c.return_of_consignment_id,
      r.consignment_number as return_of,
      least(now(), g.received_utc) as received_utc,
      g.received_utc > now() + make_interval(secs => ${maxClockSkewMs / 1000}) as is_ahead,
      g.received_utc < now() - make_interval(days => ${maxAgeDays}) as is_too_old
    from (
      select n, id, "receivedDateTime" at time zone "timezoneId" as received_utc
      from ${tableOf('w', fields, wanted)}
    ) g
    join consignment c on c.organisation_id = ${organisationId} and c.id = g.id
    left join consignment r on r.organisation_id = c.organisation_id and r.id = c.return_of_consignment_id
    order by g.n`)
  const defaults = new Map<string, string>()
  for (const [n, { consignment }] of requests.entries()) {
    const { warehouseId } = consignment as ConsignmentInWarehouse
    if (facts[n]?.defaultReceiveLocationId === null && !defaults.has(warehouseId))
      defaults.set(warehouseId, await defaultLocationOf(tx, organisationId, warehouseId, 'receive'))
  }
  return requests.map((request, n) => toArrival(request, facts[n] as ArrivalFacts, defaults))
}

function toArrival(
  { consignment: locked, source, occurredUtc, receivedDateTime }: ArrivalRequest,
  facts: ArrivalFacts,
  defaults: ReadonlyMap<string, string>,
): ArrivalPlan | Refusal {
  const consignment = locked as ConsignmentInWarehouse
  const { timezoneId, warehouseId } = consignment
  if (facts.isTooOld && occurredUtc === null)
    return validationFailed(
      faultAt('receivedDateTime', `must not be more than ${maxAgeDays} days ago`, 'range'),
    )
  if (facts.isAhead)
    return validationFailed(faultAt('receivedDateTime', 'must not be in the future', 'range'))
  return {
    source,
    consignment,
    defaultLocationId: facts.defaultReceiveLocationId ?? (defaults.get(warehouseId) as string),
    receivedDate: receivedDateTime?.slice(0, 10) ?? localDay(timezoneId, occurredUtc),
    occurredUtc: occurredUtc ?? facts.receivedUtc,
    receivedAt:
      receivedDateTime ??
      (occurredUtc === null ? consignment.localNow : localTimeAt(new Date(occurredUtc), timezoneId)),
    returnOfConsignmentId: facts.returnOfConsignmentId,
    defaultHold:
      facts.returnOf === null ? null : { kind: HoldKind.Return, reason: `Return of ${facts.returnOf}` },
  }
}

/** The lines of which goods are still to come. */
export const outstandingLines = (lines: readonly InwardsLine[]): InwardsLine[] =>
  lines.filter(({ expected, received }) => expected > received)

/**
 * Receipts for the outstanding quantities of lines, as announced. They have the announced serials, unless
 * other goods came in place of some of them.
 */
export const outstandingReceipts = (
  { defaultHold }: ArrivalPlan,
  lines: readonly InwardsLine[],
  { products, attributeIds, outstandingSerials }: ReceivingFacts,
  nameOf: (line: InwardsLine) => string,
  location: Receipt['location'] = {},
): Receipt[] =>
  outstandingLines(lines).map(line => {
    const quantity = line.expected - line.received
    const announced = outstandingSerials.get(line.id) ?? []
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

/** Sets the actualReceiveDateTime of consignments, unless goods that arrived earlier have set it. */
export async function recordReceiveTimes(
  tx: Tx,
  organisationId: string,
  arrivals: readonly Pick<ArrivalPlan, 'consignment' | 'receivedAt'>[],
): Promise<void> {
  const received = arrivals.map(({ consignment: { id }, receivedAt }) => ({ id, receivedAt }))
  await tx.run(sql`
    update consignment c set actual_receive_date_time = g.received_at
    from (
      select id, min("receivedAt") as received_at
      from ${tableOf('r', { id: 'uuid', receivedAt: 'timestamp' }, received)} group by id
    ) g
    where c.organisation_id = ${organisationId} and c.id = g.id
      and (c.actual_receive_date_time is null or c.actual_receive_date_time > g.received_at)`)
}

/**
 * Sets the actualReceiveDateTime of consignments to that of the earliest receipt of which goods are left;
 * null if all were taken back.
 */
export async function restoreReceiveTimes(
  tx: Tx,
  organisationId: string,
  consignments: readonly Pick<LockedConsignment, 'id' | 'timezoneId'>[],
): Promise<void> {
  const restored = consignments.map(({ id, timezoneId }) => ({ id, timezoneId }))
  await tx.run(sql`
    update consignment c set actual_receive_date_time = (
      select date_trunc('second', min(first_utc) at time zone g."timezoneId") from (
        select min(t.effective_utc) filter (where t.quantity > 0) as first_utc
        from inventory_transaction t
        where t.organisation_id = ${organisationId} and t.consignment_id = g.id
          and t.type = ${TransactionType.Receive}
        group by t.warehouse_product_id, t.consignment_product_id having sum(t.quantity) > 0
      ) receipts
    )
    from ${tableOf('g', { id: 'uuid', timezoneId: 'text' }, restored)}
    where c.organisation_id = ${organisationId} and c.id = g.id`)
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

/** Event 108 with the new received quantities of lines. */
export function receivedEvent(consignment: LockedConsignment, changes: readonly LineChange[]): NewEvent {
  const quantity = (value: bigint) => Number(decimalText(4, value))
  return consignmentEvent(EventType.ConsignmentProductsUpdated, consignment, {
    changes: sumByLine(changes).map(({ line, quantity: change }) => ({
      field: 'products',
      from: { id: line.id, receivedQuantity: quantity(line.received) },
      to: { id: line.id, receivedQuantity: quantity(line.received + change) },
    })),
  })
}

/** Raises event 108 with the new received quantities of lines. */
export const emitReceivedQuantities = (
  tx: Tx,
  source: EventOrigin,
  consignment: LockedConsignment,
  changes: readonly LineChange[],
): Promise<void> => emit(tx, source, [receivedEvent(consignment, changes)])
