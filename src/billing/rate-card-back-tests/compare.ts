// What consignments were billed beside what a card makes of them: added up by partner, month and rate, with
// the largest differences kept. Pure.

import { RateKind, type UnratedReason } from '../enumerations.ts'
import { detachedText } from '../rate-cards/array-columns.ts'
import { repriceRow } from '../rate-cards/bands.ts'
import type { ChargeInput } from '../rate-cards/charge-input.ts'
import type { CompiledCard, CompiledCharge } from '../rate-cards/compiled-card.ts'
import { type Counterparts, counterpartsOf } from '../rate-cards/counterparts.ts'
import {
  type ChargeTerms,
  chargeMatched,
  type RatedCharge,
  type RatingResult,
} from '../rate-cards/evaluate.ts'
import { add, type Whole, wholeOf } from '../rate-cards/exact.ts'
import { isFreight, ratesOf } from '../rate-cards/match-card.ts'
import { createMeasurementCache } from '../rate-cards/rate-pool.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { Bill, type BillLine, billLine, isAlike, type TestedRate } from './bill.ts'
import type { BilledAmounts, TestedConsignment } from './decode-page.ts'
import { type Difference, LargestDifferences } from './largest-differences.ts'
import type { BilledRow } from './read-consignments.ts'
import type { SharedHeader } from './shared-facts.ts'
import { type TestedRow, TestedRows } from './tested-rows.ts'

/** An amount in cents by a rate charge. */
export interface RuleAmount {
  charge: CompiledCharge
  amount: Whole
}

/** What a period was billed, what the tested card makes of it, and whether the bill can be derived. */
export interface PeriodComparison {
  before: readonly RuleAmount[]
  after: readonly RuleAmount[]
  isSame: boolean
}

/** What is tested. */
export interface TestedCard {
  version: LoadedVersion
  side: ChargeTerms['side']
  kinds: ReadonlySet<RateKind>
  /** the tax rates of activities that have their own */
  activityTaxRates: ReadonlyMap<string, string>
  /** the raise of freight by the profile of the tested card, in millionths */
  faf(carrierId: string | null, instant: number): Whole
}

/** Compares consignments one by one; what comes of it can be read at any time. */
export class Comparison {
  readonly #tested: TestedCard
  readonly #testedIds: ReadonlySet<string>
  /** the tested card, and those that something was billed by */
  readonly #prepared = new Map<CompiledCard, PreparedCard>()
  readonly #rates = new Map<string, TestedRate>()
  /** the lines of all cards: what periods are charged does not tell its card */
  readonly #lines = new Map<CompiledCharge, BillLine>()
  readonly #rows = new TestedRows()
  readonly #unrated = new Map<UnratedReason, number>()
  readonly #differences = new LargestDifferences()
  /** the bills that are compared: millions are, and few are kept */
  readonly #before = new Bill()
  readonly #after = new Bill()
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

  constructor(tested: TestedCard) {
    this.#tested = tested
    const charges = tested.version.content.rates.flatMap(rate => rate.charges)
    this.#testedIds = new Set(charges.map(({ id }) => id as string))
    // The names of the tested card come first.
    this.prepare(tested.version)
  }

  /** Learns the rates of a version that something was billed by. */
  prepare({ card, content }: LoadedVersion): void {
    if (this.#prepared.has(card)) return
    const { version, side } = this.#tested
    const lines: BillLine[] = []
    const counterparts = counterpartsOf(ratesOf(card, side), ratesOf(version.card, side))
    this.#prepared.set(card, { lines, counterparts })
    for (const { content: rate, kind, charges } of card.rates) {
      const activityTypeId = rate.activityTypeId ?? null
      const named = this.#rate({ id: rate.id, name: rate.name, kind, activityTypeId })
      const ofActivity = this.#tested.activityTaxRates.get(activityTypeId ?? '')
      for (const charge of charges) {
        const taxRateId = charge.content.taxRateId ?? ofActivity ?? content.defaultTaxRateId
        const line = billLine(named, taxRateId, this.#tested.kinds.has(kind))
        this.#lines.set(charge, line)
        lines[charge.number] = line
      }
    }
  }

  #rate(rate: Omit<TestedRate, 'number'>): TestedRate {
    const key = `${rate.id} ${rate.kind} ${rate.activityTypeId}`
    let known = this.#rates.get(key)
    if (known === undefined) {
      known = { ...rate, number: this.#rates.size }
      this.#rates.set(key, known)
    }
    return known
  }

  /** The rows so far. */
  rows(): TestedRow[] {
    return this.#rows.all()
  }

  /** What the tested card charges by nothing, by its reason. */
  unrated(): { reason: UnratedReason; count: number }[] {
    return [...this.#unrated]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => a.reason - b.reason)
  }

  /** The largest differences, the largest first. */
  differences(): Difference[] {
    return this.#differences.all()
  }

  /**
   * Derives a consignment again by the version that it was billed by. Where that is not simply what was
   * billed, because it comes to something else or a charge was left out, `add` needs the rows of the bill.
   */
  derive(consignment: TestedConsignment, version: LoadedVersion | null): DerivedCharges {
    const evaluation =
      version === null
        ? null
        : this.#evaluate(consignment, consignment.header, version, consignment.terms.faf)
    const charges = evaluation?.charges ?? noCharges
    const card = version === null ? undefined : this.#prepared.get(version.card)
    return { card, evaluation, charges, isAsBilled: isBilled(charges, consignment.billed) }
  }

  #evaluate(consignment: TestedConsignment, header: SharedHeader, { card }: LoadedVersion, faf: Whole) {
    const {
      parts,
      terms: { freightResolution },
    } = consignment
    const { side } = this.#tested
    // What is measured on the parts is the same for both cards.
    consignment.offer ??= createMeasurementCache(consignment)
    const input: ChargeInput = { header: header.header, parts }
    const terms = { side, freightResolution, faf }
    return chargeMatched(header.matched(card, side), input, terms, consignment.offer)
  }

  /**
   * Adds a consignment: what it was billed, which is what was derived or, where that differs, the rows of its
   * bill, beside what the tested card makes of it.
   */
  add(
    consignment: TestedConsignment,
    month: string,
    derived: DerivedCharges,
    rows: readonly BilledRow[],
  ): void {
    const { partnerId, versionId } = consignment.terms
    const isSame = derived.isAsBilled || isRowByRow(derived.charges, rows)
    this.consignmentCount++
    this.partCount += consignment.parts.length
    if (!isSame) this.controlDiffering++
    if (versionId === null) this.withoutCardCount++
    // By the version that it was billed by, it comes to what was derived: what was looked up then counts.
    const isAsBilled = derived.evaluation !== null && versionId === this.#tested.version.id
    const leftOut = this.#leftOut(rows)
    const before = this.#before.begin()
    if (isSame) addDerived(before, derived, leftOut)
    else this.#addBilled(before, rows, leftOut)
    if (isAsBilled && isSame && consignment.adjusted.length === 0) {
      this.#count((derived.evaluation as RatingResult).unrated)
      this.#addUp(partnerId, month, before, before)
      return
    }
    for (const { kind, activityTypeId, taxRateId, amount } of consignment.adjusted)
      if (this.#tested.kinds.has(kind)) {
        const rate = this.#rate({ id: null, name: 'Adjusted', kind, activityTypeId })
        before.charge(billLine(rate, taxRateId, true), wholeOf(2, amount))
      }
    const after = this.#after.begin()
    if (isAsBilled) this.#addTested(after, derived.evaluation as RatingResult, leftOut)
    else if (!this.#addRepriced(after, consignment, derived, leftOut))
      this.#addTested(after.begin(), this.#evaluateTested(consignment), leftOut)
    this.#addUp(partnerId, month, before, after)
    if (before.sum !== after.sum || !isAlike(before, after)) this.#keep(consignment, before, after)
    consignment.offer = undefined
  }

  #raise({ header, instant }: TestedConsignment): Whole {
    return this.#tested.faf(header.header.carrierId, instant)
  }

  /** What the tested card makes of a consignment. */
  #evaluateTested(consignment: TestedConsignment): RatingResult {
    const { version } = this.#tested
    return this.#evaluate(consignment, consignment.testedHeader, version, this.#raise(consignment))
  }

  /** Bills what the tested card makes of a consignment. */
  #addTested(bill: Bill, { charges, unrated }: RatingResult, leftOut: ReadonlySet<string>): void {
    this.#count(unrated)
    addDerived(bill, { charges, card: this.#prepared.get(this.#tested.version.card) }, leftOut)
  }

  /**
   * The same of a card that differs in prices alone from the one that the consignment was billed by: what was
   * charged is charged again, by the counterparts of its charges. Returns false where there is more to it.
   */
  #addRepriced(
    bill: Bill,
    consignment: TestedConsignment,
    { card, evaluation }: DerivedCharges,
    leftOut: ReadonlySet<string>,
  ): boolean {
    const counterparts = card?.counterparts
    if (counterparts === undefined || consignment.header !== consignment.testedHeader) return false
    const { charges, unrated, dependsOnPrices } = evaluation as RatingResult
    if (dependsOnPrices) return false
    const raise = this.#raise(consignment)
    const { lines } = this.#prepared.get(this.#tested.version.card) as PreparedCard
    for (const { rate, charge: billed, row, partKey } of charges) {
      const rule = counterparts[billed.number] as CompiledCharge
      const line = lines[rule.number] as BillLine
      if (!isCounted(line, rule, partKey, leftOut)) continue
      const amount = repriceRow(rule, row, isFreight(rate.kind) ? raise : 0)
      if (amount === undefined) return false
      bill.charge(line, amount)
    }
    this.#count(unrated)
    return true
  }

  /** Adds what a client was billed for a period beside its consignments, and what that comes to now. */
  addPeriod(
    { clientId, month }: { clientId: string; month: string },
    { before, after, isSame }: PeriodComparison,
  ): void {
    this.periodCount++
    if (!isSame) this.controlDiffering++
    const bills = [this.#before.begin(), this.#after.begin()] as const
    this.#addPeriod(bills[0], before)
    this.#addPeriod(bills[1], after)
    this.#addUp(clientId, month, ...bills)
  }

  #addPeriod(bill: Bill, charged: readonly RuleAmount[]): void {
    for (const { charge, amount } of charged) bill.charge(this.#lines.get(charge) as BillLine, amount)
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

  #addBilled(bill: Bill, rows: readonly BilledRow[], leftOut: ReadonlySet<string>): void {
    for (const { rateId, rateChargeId, partKey, kind, activityTypeId, taxRateId, amount } of rows) {
      if (!this.#tested.kinds.has(kind) || leftOut.has(`${rateChargeId} ${partKey}`)) continue
      const rate = this.#rate({ id: rateId, name: '', kind, activityTypeId })
      bill.charge(billLine(rate, taxRateId, true), wholeOf(2, amount))
    }
  }

  #addUp(partnerId: string, month: string, before: Bill, after: Bill): void {
    this.#rows.add(partnerId, month, before, after)
    this.before = add(this.before, before.sum)
    this.after = add(this.after, after.sum)
  }

  #keep(consignment: TestedConsignment, before: Bill, after: Bill): void {
    this.differingCount++
    const { id, closingNumber, terms, adjusted } = consignment
    this.#differences.keep({ before: before.sum, after: after.sum }, () => ({
      ...{ consignmentId: detachedText(id), closingNumber, partnerId: terms.partnerId },
      ...{ adjustments: adjusted.length, bills: [before.copy(), after.copy()] },
    }))
  }
}

/** A card, by the numbers of its charges: their lines, and what of the tested card stands beside them. */
interface PreparedCard {
  lines: BillLine[]
  /** undefined: it differs from the tested card in more than prices */
  counterparts: Counterparts | undefined
}

/** What a consignment comes to by the version that it was billed by. */
export interface DerivedCharges {
  /** what it was billed by */
  card: PreparedCard | undefined
  /** null: no card counted for it */
  evaluation: RatingResult | null
  charges: readonly RatedCharge[]
  /** that is what was billed, and none of it was left out */
  isAsBilled: boolean
}

/** Bills what was derived by a card. */
function addDerived(
  bill: Bill,
  { charges, card }: Pick<DerivedCharges, 'charges' | 'card'>,
  leftOut: ReadonlySet<string>,
): void {
  for (const { charge: rule, row, partKey } of charges) {
    const line = card?.lines[rule.number] as BillLine
    if (isCounted(line, rule, partKey, leftOut)) bill.charge(line, row.amount)
  }
}

/** Whether a line of a rate charge counts: of a kind that is tested, and not left out by hand. */
const isCounted = (
  { isTested }: BillLine,
  { content }: CompiledCharge,
  partKey: string,
  leftOut: ReadonlySet<string>,
): boolean => isTested && (leftOut.size === 0 || !leftOut.has(`${content.id} ${partKey}`))

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
