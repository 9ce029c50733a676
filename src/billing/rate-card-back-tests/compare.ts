// What consignments were billed beside what a card makes of them: added up by partner, month and rate, with
// the largest differences kept. Pure.

import { RateKind, type UnratedReason } from '../enumerations.ts'
import { ownText } from '../rate-cards/array-columns.ts'
import type { ChargeInput } from '../rate-cards/charge-input.ts'
import type { CompiledCard, CompiledCharge } from '../rate-cards/compiled-card.ts'
import { type Charged, type ChargeTerms, chargeMatched, type RatedCharge } from '../rate-cards/evaluate.ts'
import { add, subtract, type Whole, wholeOf } from '../rate-cards/exact.ts'
import { offerOf } from '../rate-cards/offer.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import type { BilledAmounts, TestedConsignment } from './decode-page.ts'
import type { BilledRow } from './read-consignments.ts'
import type { SharedHeader } from './shared-facts.ts'

/** So many of the consignments that differ are kept, those with the largest differences. */
export const maxDifferences = 10_000

/** A rate as the rows of a test tell it; the same object on both sides. */
export interface TestedRate {
  /** null: what an earlier back-test adjusted */
  id: string | null
  name: string
  kind: RateKind
  activityTypeId: string | null
}

/** What a line of a bill belongs to; the same object for all lines of a rate charge. */
export interface BillLine {
  rate: TestedRate
  taxRateId: string
}

/** A bill: its lines, and beside each its amount in cents. */
export interface Bill {
  lines: BillLine[]
  amounts: Whole[]
  sum: Whole
}

const emptyBill = (): Bill => ({ lines: [], amounts: [], sum: 0 })

function charge(bill: Bill, line: BillLine, amount: Whole): void {
  bill.lines.push(line)
  bill.amounts.push(amount)
  bill.sum = add(bill.sum, amount)
}

/** What is added up for a partner, a month and a rate. Amounts are in cents. */
export interface TestedRow {
  partnerId: string
  /** 2026-03 */
  month: string
  rate: TestedRate
  countBefore: number
  countAfter: number
  before: Whole
  after: Whole
}

/** A consignment that differs. Amounts are in cents. */
export interface Difference {
  consignmentId: string
  closingNumber: number
  partnerId: string
  adjustments: number
  before: Whole
  after: Whole
  bills: readonly [before: Bill, after: Bill]
}

/** An amount in cents by a rate charge. */
export interface ChargedByRule {
  charge: CompiledCharge
  amount: Whole
}

/** What a period was billed, what the tested card makes of it, and whether the bill can be derived. */
export interface ComparedPeriod {
  before: readonly ChargedByRule[]
  after: readonly ChargedByRule[]
  isSame: boolean
}

/** What is tested. */
export interface Tested {
  version: LoadedVersion
  side: ChargeTerms['side']
  kinds: ReadonlySet<RateKind>
  /** the tax rates of activities that have their own */
  activityTaxRates: ReadonlyMap<string, string>
  /** the raise of freight by the profile of the tested card, in millionths */
  faf(carrierId: string | null, instant: number): Whole
}

/** The size of a difference. */
export const sizeOf = ({ before, after }: Pick<Difference, 'before' | 'after'>): Whole => {
  const difference = subtract(after, before)
  return difference < 0 ? subtract(0, difference) : difference
}

/** Larger differences first; equal ones in the order of their consignments. */
const bySize = (a: Difference, b: Difference): number => {
  const [first, second] = [sizeOf(a), sizeOf(b)]
  if (first !== second) return first < second ? 1 : -1
  return a.consignmentId < b.consignmentId ? -1 : 1
}

/** Compares consignments one by one; what comes of it can be read at any time. */
export class Comparison {
  readonly #tested: Tested
  readonly #testedIds: ReadonlySet<string>
  readonly #prepared = new Set<CompiledCard>()
  readonly #rates = new Map<string, TestedRate>()
  readonly #lines = new Map<CompiledCharge, BillLine>()
  readonly #rows = new Map<string, Map<TestedRate, TestedRow>>()
  readonly #unrated = new Map<UnratedReason, number>()
  #differences: Difference[] = []
  /** what is smaller is not kept */
  #threshold: Whole = 0
  consignmentCount = 0
  partCount = 0
  /** of storage in a warehouse, and of fees */
  periodCount = 0
  ledgerRowCount = 0
  differingCount = 0
  controlDiffering = 0
  /** Closed by an earlier version of the service, with nothing frozen yet: they are left out */
  notFrozenCount = 0
  /** consignments that no card charged, and what was entered for them by hand */
  withoutCardCount = 0
  byHand: Whole = 0
  before: Whole = 0
  after: Whole = 0

  constructor(tested: Tested) {
    this.#tested = tested
    const charges = tested.version.content.rates.flatMap(rate => rate.charges)
    this.#testedIds = new Set(charges.map(({ id }) => id as string))
    // The names of the tested card come first.
    this.prepare(tested.version)
  }

  /** Learns the rates of a version that something was billed by. */
  prepare({ card, content }: LoadedVersion): void {
    if (this.#prepared.has(card)) return
    this.#prepared.add(card)
    for (const { content: rate, kind, charges } of card.rates) {
      const activityTypeId = rate.activityTypeId ?? null
      const named = this.#rate({ id: rate.id, name: rate.name, kind, activityTypeId })
      const ofActivity = this.#tested.activityTaxRates.get(activityTypeId ?? '')
      for (const charge of charges) {
        const taxRateId = charge.content.taxRateId ?? ofActivity ?? content.defaultTaxRateId
        this.#lines.set(charge, { rate: named, taxRateId })
      }
    }
  }

  #rate(rate: TestedRate): TestedRate {
    const key = `${rate.id} ${rate.kind} ${rate.activityTypeId}`
    const known = this.#rates.get(key)
    if (known !== undefined) return known
    this.#rates.set(key, rate)
    return rate
  }

  /** The rows so far. */
  rows(): TestedRow[] {
    return [...this.#rows.values()].flatMap(ofRate => [...ofRate.values()])
  }

  /** What the tested card charges by nothing, by its reason. */
  unrated(): { reason: UnratedReason; count: number }[] {
    return [...this.#unrated]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => a.reason - b.reason)
  }

  /** The largest differences, the largest first. */
  differences(): Difference[] {
    return this.#differences.toSorted(bySize).slice(0, maxDifferences)
  }

  /**
   * Derives a consignment again by the version that it was billed by. Where that is not simply what was
   * billed, because it comes to something else or a charge was left out, `add` needs the rows of the bill.
   */
  derive(consignment: TestedConsignment, version: LoadedVersion | null): Derived {
    const evaluation =
      version === null
        ? null
        : this.#evaluate(consignment, consignment.header, version, consignment.terms.faf)
    const charges = evaluation?.charges ?? noCharges
    return { evaluation, charges, isPlain: isBilled(charges, consignment.billed) }
  }

  #evaluate(consignment: TestedConsignment, header: SharedHeader, { card }: LoadedVersion, faf: Whole) {
    const {
      parts,
      terms: { freightResolution },
    } = consignment
    const { side } = this.#tested
    // What is measured on the parts is the same for both cards.
    consignment.offer ??= offerOf(consignment)
    const input: ChargeInput = { header: header.header, parts }
    const terms = { side, freightResolution, faf }
    return chargeMatched(header.matched(card, side), input, terms, consignment.offer)
  }

  /**
   * Adds a consignment: what it was billed, which is what was derived or, where that differs, the rows of its
   * bill, beside what the tested card makes of it.
   */
  add(consignment: TestedConsignment, month: string, derived: Derived, rows: readonly BilledRow[]): void {
    const { version, faf } = this.#tested
    const { partnerId, versionId } = consignment.terms
    const isSame = derived.isPlain || isRowByRow(derived.charges, rows)
    this.consignmentCount++
    this.partCount += consignment.parts.length
    if (!isSame) this.controlDiffering++
    if (versionId === null) this.withoutCardCount++
    // By the version that it was billed by, it comes to what was derived: what was looked up then counts.
    const isAsBilled = derived.evaluation !== null && versionId === version.id
    const raise = faf(consignment.header.header.carrierId, consignment.instant)
    const evaluation = isAsBilled
      ? (derived.evaluation as Charged)
      : this.#evaluate(consignment, consignment.testedHeader, version, raise)
    this.#count(evaluation.unrated)
    const leftOut = this.#leftOut(rows)
    const before = isSame ? this.#derivedBill(derived.charges, leftOut) : this.#billedBill(rows, leftOut)
    if (isAsBilled && isSame && consignment.adjusted.length === 0) {
      this.#addUp(partnerId, month, before, before)
      return
    }
    for (const { kind, activityTypeId, taxRateId, amount } of consignment.adjusted)
      if (this.#tested.kinds.has(kind)) {
        const rate = this.#rate({ id: null, name: 'Adjusted', kind, activityTypeId })
        charge(before, { rate, taxRateId }, wholeOf(2, amount))
      }
    const after = this.#derivedBill(evaluation.charges, leftOut)
    this.#addUp(partnerId, month, before, after)
    if (before.sum !== after.sum || !isAlike(before, after)) this.#keep(consignment, before, after)
    consignment.offer = undefined
  }

  /** Adds what a client was billed for a period beside its consignments, and what that comes to now. */
  addPeriod(
    { clientId, month }: { clientId: string; month: string },
    { before, after, isSame }: ComparedPeriod,
  ): void {
    this.periodCount++
    if (!isSame) this.controlDiffering++
    this.#addUp(clientId, month, this.#periodBill(before), this.#periodBill(after))
  }

  #periodBill(charged: readonly ChargedByRule[]): Bill {
    const bill = emptyBill()
    for (const { charge: rule, amount } of charged) charge(bill, this.#lines.get(rule) as BillLine, amount)
    return bill
  }

  /** What is left out by hand on both sides: charges that the tested card knows too. */
  #leftOut(rows: readonly BilledRow[]): ReadonlySet<string> {
    if (rows.length === 0) return nothing
    return new Set(
      rows
        .filter(({ isIncluded, rateChargeId }) => !isIncluded && this.#testedIds.has(rateChargeId))
        .map(({ rateChargeId, partKey }) => `${rateChargeId} ${partKey}`),
    )
  }

  #count(unrated: readonly { part: number | null; reason: UnratedReason }[]): void {
    for (const { part, reason } of unrated) {
      const kind = part === null ? RateKind.ClientFreight : RateKind.Activity
      if (this.#tested.kinds.has(kind)) this.#unrated.set(reason, (this.#unrated.get(reason) ?? 0) + 1)
    }
  }

  #derivedBill(charges: readonly RatedCharge[], leftOut: ReadonlySet<string>): Bill {
    const bill = emptyBill()
    for (const { rate, charge: rule, row, partKey } of charges) {
      if (!this.#tested.kinds.has(rate.kind)) continue
      if (leftOut.size > 0 && leftOut.has(`${rule.content.id} ${partKey}`)) continue
      charge(bill, this.#lines.get(rule) as BillLine, row.amount)
    }
    return bill
  }

  #billedBill(rows: readonly BilledRow[], leftOut: ReadonlySet<string>): Bill {
    const bill = emptyBill()
    for (const { rateId, rateChargeId, partKey, kind, activityTypeId, taxRateId, amount } of rows) {
      if (!this.#tested.kinds.has(kind) || leftOut.has(`${rateChargeId} ${partKey}`)) continue
      const rate = this.#rate({ id: rateId, name: '', kind, activityTypeId })
      charge(bill, { rate, taxRateId }, wholeOf(2, amount))
    }
    return bill
  }

  #addUp(partnerId: string, month: string, before: Bill, after: Bill): void {
    const key = `${partnerId} ${month}`
    let rows = this.#rows.get(key)
    if (rows === undefined) {
      rows = new Map()
      this.#rows.set(key, rows)
    }
    for (let i = 0; i < before.lines.length; i++) {
      const row = rowOf(rows, partnerId, month, (before.lines[i] as BillLine).rate)
      row.countBefore++
      row.before = add(row.before, before.amounts[i] as Whole)
    }
    for (let i = 0; i < after.lines.length; i++) {
      const row = rowOf(rows, partnerId, month, (after.lines[i] as BillLine).rate)
      row.countAfter++
      row.after = add(row.after, after.amounts[i] as Whole)
    }
    this.before = add(this.before, before.sum)
    this.after = add(this.after, after.sum)
  }

  #keep(consignment: TestedConsignment, before: Bill, after: Bill): void {
    this.differingCount++
    const sums = { before: before.sum, after: after.sum }
    if (sizeOf(sums) < this.#threshold) return
    const { id, closingNumber, terms, adjusted } = consignment
    const { partnerId } = terms
    this.#differences.push({
      ...{ consignmentId: ownText(id), closingNumber, partnerId, adjustments: adjusted.length },
      ...sums,
      bills: [before, after],
    })
    if (this.#differences.length < 2 * maxDifferences) return
    this.#differences = this.differences()
    this.#threshold = sizeOf(this.#differences.at(-1) as Difference)
  }
}

function rowOf(
  rows: Map<TestedRate, TestedRow>,
  partnerId: string,
  month: string,
  rate: TestedRate,
): TestedRow {
  let row = rows.get(rate)
  if (row === undefined) {
    row = { partnerId, month, rate, countBefore: 0, countAfter: 0, before: 0, after: 0 }
    rows.set(rate, row)
  }
  return row
}

/** What a consignment comes to by the version that it was billed by. */
export interface Derived {
  /** null: no card counted for it */
  evaluation: Charged | null
  charges: readonly RatedCharge[]
  /** that is what was billed, and none of it was left out */
  isPlain: boolean
}

/** Whether charges are what was billed, amount by amount. */
function isBilled(charges: readonly RatedCharge[], billed: BilledAmounts): boolean {
  if (charges.length !== billed.length) return false
  for (let i = 0; i < charges.length; i++)
    if ((charges[i] as RatedCharge).row.amount !== billed.at(i)) return false
  return true
}

/** The same of the rows of a bill, of which some may have been left out by hand. */
const isRowByRow = (charges: readonly RatedCharge[], rows: readonly BilledRow[]): boolean =>
  charges.length === rows.length &&
  charges.every(({ row }, i) => row.amount === wholeOf(2, (rows[i] as BilledRow).amount))

const nothing: ReadonlySet<string> = new Set()
const noCharges: readonly RatedCharge[] = []

/** Whether two bills have the same amounts of the same rates in the same order. */
const isAlike = (before: Bill, after: Bill): boolean =>
  before.lines.length === after.lines.length &&
  before.lines.every(({ rate }, i) => rate === after.lines[i]?.rate && before.amounts[i] === after.amounts[i])
