// Stores the result of a back-test in one transaction, unless the back-test was cancelled or claimed by
// another worker.

import { setImmediate as turn } from 'node:timers/promises'
import { raw, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { insertColumns } from '../../platform/database/insert-rows.ts'
import { Lease, type Leased } from '../../platform/work/lease.ts'
import { BackTestStatus, ChargeType, RateKind, ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { add, type ExactInteger, textOf, toNumber } from '../evaluator/exact.ts'
import type { BillLine, Booking } from './bill.ts'
import type { Comparison } from './compare.ts'
import type { Difference } from './largest-differences.ts'
import type { TestedRow } from './tested-rows.ts'

/** The leases of back-tests; one that was cancelled is nobody's. */
export const backTestLease = new Lease({
  table: 'rate_card_back_test',
  until: 'leased_until',
  seconds: 5,
  // A literal, because only then can the partial index of unfinished back-tests be used.
  whileHeld: sql`status = ${raw(String(BackTestStatus.Running))}`,
  returned: sql`leased_until = null`,
})

const insertResultRows = insertColumns<ReturnType<typeof resultRow>>('rate_card_back_test_row', {
  rateCardBackTestId: 'uuid',
  ordinal: 'integer',
  partnerId: 'uuid',
  month: 'date',
  kind: 'smallint',
  activityCode: 'text',
  rateId: 'uuid',
  rateName: 'text',
  countBefore: 'integer',
  countAfter: 'integer',
  amountBefore: 'numeric',
  amountAfter: 'numeric',
})

const resultRow = (
  rateCardBackTestId: string,
  { partnerId, month, rate, countBefore, countAfter, before, after }: TestedRow,
  ordinal: number,
  codes: Codes,
) => ({
  ...{ rateCardBackTestId, ordinal, partnerId, month: `${month}-01` },
  ...{ kind: rate.kind, rateId: rate.id, rateName: rate.name, countBefore, countAfter },
  activityCode: codes.get(rate.activityTypeId ?? '')?.code ?? null,
  amountBefore: textOf(2, before),
  amountAfter: textOf(2, after),
})

const insertDifferences = insertColumns<ReturnType<typeof differenceRow>>('rate_card_back_test_difference', {
  rateCardBackTestId: 'uuid',
  ordinal: 'integer',
  consignmentId: 'uuid',
  closingNumber: 'integer',
  partnerId: 'uuid',
  adjustments: 'integer',
  amountBefore: 'numeric',
  amountAfter: 'numeric',
  rates: 'json',
  activities: 'jsonb',
})

/** Adds up both bills of a difference by a key of their lines. Returns the sums that differ. */
function sumsBy({ bills: [before, after] }: Difference, keyOf: (line: BillLine) => unknown) {
  const sums = new Map<unknown, { line: BillLine; before: ExactInteger; after: ExactInteger }>()
  const sumOf = (line: BillLine) => {
    const key = keyOf(line)
    let sum = sums.get(key)
    if (sum === undefined) {
      sum = { line, before: 0, after: 0 }
      sums.set(key, sum)
    }
    return sum
  }
  for (const [i, line] of before.lines.entries()) {
    const sum = sumOf(line)
    sum.before = add(sum.before, before.amounts[i] as ExactInteger)
  }
  for (const [i, line] of after.lines.entries()) {
    const sum = sumOf(line)
    sum.after = add(sum.after, after.amounts[i] as ExactInteger)
  }
  return [...sums.values()].filter(sum => sum.before !== sum.after)
}

/** SQL: the kind of rate of a charge `h`. */
const kindOfCharge = raw(`case when h.charge_type < ${ChargeType.ClientFreightAdhoc} then ${RateKind.Activity}
    when h.charge_type < ${ChargeType.CarrierFreightAdhoc} then ${RateKind.ClientFreight}
    else ${RateKind.CarrierFreight} end`)

/** How the charges of a consignment were booked: by the ids of their rate charges, and by activity. */
interface BookedCharges {
  byCharge: Map<string, Booking>
  byActivity: Map<string, Booking>
}

const activityKey = (kind: number, activityTypeId: string | null): string => `${kind} ${activityTypeId}`

/** Reads how the charges of consignments were booked, by the ids of the consignments. */
async function readBooked(
  tx: Tx,
  organisationId: string,
  differences: readonly Difference[],
): Promise<Map<string, BookedCharges>> {
  const booked = new Map<string, BookedCharges>()
  const rows = await tx.rows<
    Booking & { consignmentId: string; rateChargeId: string; kind: number; activityTypeId: string | null }
  >(sql`
    select h.consignment_id, h.rate_charge_id, ${kindOfCharge} as kind, h.activity_type_id,
      h.revenue_account_id, h.cost_centre_id, h.tax_rate_id,
      coalesce(h.tax_rate_name, billed.tax_rate_name, x.name) as tax_rate_name,
      h.tax_rate_percent::text as tax_rate_percent
    from unnest(${differences.map(({ consignmentId }) => consignmentId)}::uuid[],
      ${differences.map(({ closingNumber }) => closingNumber)}::integer[]) c (id, number)
    join consignment_charge h on h.organisation_id = ${organisationId} and h.consignment_id = c.id
      and h.closing_number = c.number
    join tax_rate x on x.organisation_id = h.organisation_id and x.id = h.tax_rate_id
    left join lateral (
      select t.tax_rate_name from schedule_transaction t
      where t.organisation_id = h.organisation_id and t.consignment_charge_id = h.id
        and t.status <> ${raw(String(ScheduleTransactionStatus.Void))}
    ) billed on true
    order by h.consignment_id, h.ordinal`)
  for (const { consignmentId, rateChargeId, kind, activityTypeId, ...booking } of rows) {
    const ofOne = booked.get(consignmentId) ?? { byCharge: new Map(), byActivity: new Map() }
    booked.set(consignmentId, ofOne)
    const key = activityKey(kind, activityTypeId)
    if (!ofOne.byCharge.has(rateChargeId)) ofOne.byCharge.set(rateChargeId, booking)
    if (!ofOne.byActivity.has(key)) ofOne.byActivity.set(key, booking)
  }
  return booked
}

/**
 * How the adjustment of a line is booked: as what it corrects or, if nothing was billed, by the tested card.
 */
function bookingOf({ rate, rateChargeId, booking, taxRateId, accounts }: BillLine, billed?: BookedCharges) {
  const found =
    booking ??
    billed?.byCharge.get(rateChargeId ?? '') ??
    billed?.byActivity.get(activityKey(rate.kind, rate.activityTypeId))
  return found === undefined
    ? { isAsBilled: false, ...accounts, taxRateId, taxRateName: null, taxRatePercent: null }
    : { isAsBilled: true, ...found }
}

function differenceRow(
  rateCardBackTestId: string,
  difference: Difference,
  ordinal: number,
  booked: BookedCharges | undefined,
) {
  const { consignmentId, closingNumber, partnerId, adjustments, before, after } = difference
  const rates = sumsBy(difference, ({ rate }) => rate)
  const activities = sumsBy(difference, line => {
    const { isAsBilled, revenueAccountId, costCentreId, taxRateId, taxRatePercent } = bookingOf(line, booked)
    return [
      ...[line.rate.kind, line.rate.activityTypeId, isAsBilled, revenueAccountId, costCentreId, taxRateId],
      taxRatePercent,
    ].join(' ')
  })
  return {
    ...{ rateCardBackTestId, ordinal, consignmentId, closingNumber, partnerId, adjustments },
    amountBefore: textOf(2, before),
    amountAfter: textOf(2, after),
    rates: JSON.stringify(
      rates.map(({ line, before, after }) => ({
        name: line.rate.name,
        before: toNumber(2, before),
        after: toNumber(2, after),
      })),
    ),
    activities: JSON.stringify(
      activities.map(({ line, before, after }) => ({
        ...{ kind: line.rate.kind, activityTypeId: line.rate.activityTypeId, ...bookingOf(line, booked) },
        before: textOf(2, before),
        after: textOf(2, after),
      })),
    ),
  }
}

const batchSize = 250

function* batches<T>(rows: readonly T[]): Generator<[first: number, rows: readonly T[]]> {
  for (let first = 0; first < rows.length; first += batchSize)
    yield [first, rows.slice(first, first + batchSize)]
}

type Codes = ReadonlyMap<string, { code: string }>

/** The statements that insert all rows and differences. Each is created on demand. */
async function* insertsOf(
  tx: Tx,
  { organisationId, id }: Leased,
  comparison: Comparison,
  codes: Codes,
): AsyncGenerator<Sql> {
  for (const [first, rows] of batches(comparison.rows()))
    yield insertResultRows(
      organisationId,
      rows.map((row, i) => resultRow(id, row, first + i, codes)),
    )
  for (const [first, rows] of batches(comparison.differences())) {
    const booked = await readBooked(tx, organisationId, rows)
    yield insertDifferences(
      organisationId,
      rows.map((row, i) => differenceRow(id, row, first + i, booked.get(row.consignmentId))),
    )
  }
}

/** Stores the result of a back-test and marks it Done. Returns false if the lease is lost. */
export async function storeResult(
  tx: Tx,
  leased: Leased,
  comparison: Comparison,
  { codes, durationMs }: { codes: Codes; durationMs: number },
): Promise<boolean> {
  const { organisationId, id } = leased
  const locked = await tx.maybe(
    sql`select from rate_card_back_test where ${backTestLease.isHeld(leased)} for update`,
  )
  if (locked === undefined) return false
  let storing: Promise<unknown> = Promise.resolve()
  for await (const insert of insertsOf(tx, leased, comparison, codes)) {
    // The database stores one batch while the next is prepared. The statement is sent in the next turn.
    await storing
    storing = tx.run(insert)
    await turn()
  }
  await storing
  await tx.run(sql`
    update rate_card_back_test
    set status = ${BackTestStatus.Done}, finished_utc = now(), progress = 100, worker_id = null,
      leased_until = null, consignment_count = ${comparison.consignmentCount},
      part_count = ${comparison.partCount}, duration_ms = ${durationMs},
      period_count = ${comparison.periodCount}, ledger_row_count = ${comparison.ledgerRowCount},
      control_checked = ${comparison.consignmentCount + comparison.periodCount},
      control_differing = ${comparison.controlDiffering},
      without_card_count = ${comparison.withoutCardCount},
      amount_by_hand = ${textOf(2, comparison.adhocTotal)},
      amount_before = ${textOf(2, comparison.before)}, amount_after = ${textOf(2, comparison.after)},
      unrated = ${JSON.stringify(comparison.unrated())}, differing_count = ${comparison.differingCount}
    where organisation_id = ${organisationId} and id = ${id}`)
  return true
}
