// Compares what consignments were billed with what the tested card charges: adds up both by partner, month
// and rate, and keeps the largest differences. Pure.

import { RateKind, type UnratedReason } from '../../vocabulary/billing.ts'
import { detachedText } from '../evaluator/array-columns.ts'
import { repriceRow } from '../evaluator/bands.ts'
import type { ChargeInput } from '../evaluator/charge-input.ts'
import type { CompiledCard, CompiledCharge } from '../evaluator/compiled-card.ts'
import { type CorrespondingCharges, findCorrespondingCharges } from '../evaluator/corresponding-charges.ts'
import {
  type ChargeTerms,
  evaluateWithoutTrace,
  type RatedCharge,
  type RatingResult,
} from '../evaluator/evaluate.ts'
import { add, type ExactInteger, wholeOf } from '../evaluator/exact.ts'
import { isFreight, ratesOf } from '../evaluator/match-card.ts'
import { createMeasurementCache } from '../evaluator/rate-pool.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { areEqualBills, Bill, type BillLine, createBillLine, type TestedRate } from './bill.ts'
import type { BilledAmounts, TestedConsignment } from './decode-page.ts'
import { type Difference, LargestDifferences } from './largest-differences.ts'
import type { BilledRow } from './read-consignments.ts'
import type { SharedHeader } from './shared-facts.ts'
import { type TestedRow, TestedRows } from './tested-rows.ts'

/** The amount in cents that a rate charge charged. */
export interface RuleAmount {
  charge: CompiledCharge
  amount: ExactInteger
}

/** What a period was billed and what the tested card charges for it. */
export interface PeriodComparison {
  before: readonly RuleAmount[]
  after: readonly RuleAmount[]
  /** whether deriving the bill again gives the billed amounts */
  isSame: boolean
}

/** The card that is tested, and the settings that affect its charges. */
export interface TestedCard {
  version: LoadedVersion
  side: ChargeTerms['side']
  kinds: ReadonlySet<RateKind>
  /** the tax rates of activities that have their own */
  activityTaxRates: ReadonlyMap<string, string>
  /**
   * the freight adjustment by the profile of the tested card, in millionths; the instant is in ms since 1970
   */
  faf(carrierId: string | null, instant: number): ExactInteger
}

/** Compares consignments one by one. The result can be read at any time. */
export class Comparison {
  readonly #tested: TestedCard
  readonly #testedIds: ReadonlySet<string>
  /** the tested card, and the cards that consignments and periods were billed by */
  readonly #prepared = new Map<CompiledCard, PreparedCard>()
  readonly #rates = new Map<string, TestedRate>()
  /** the lines of all cards, for the charges of periods, which do not tell their card */
  readonly #lines = new Map<CompiledCharge, BillLine>()
  readonly #rows = new TestedRows()
  readonly #unrated = new Map<UnratedReason, number>()
  readonly #differences = new LargestDifferences()
  /** the bills being compared; reused, because millions are compared and few are kept */
  readonly #before = new Bill()
  readonly #after = new Bill()
  consignmentCount = 0
  partCount = 0
  /** billed periods of storage in a warehouse, and of fees */
  periodCount = 0
  ledgerRowCount = 0
  differingCount = 0
  controlDiffering = 0
  /** consignments that no card charged, and the sum in cents of what was entered for them by hand */
  withoutCardCount = 0
  adhocTotal: ExactInteger = 0
  /** totals in cents */
  before: ExactInteger = 0
  after: ExactInteger = 0

  constructor(tested: TestedCard) {
    this.#tested = tested
    const charges = tested.version.content.rates.flatMap(rate => rate.charges)
    this.#testedIds = new Set(charges.map(({ id }) => id as string))
    // If two cards name a rate differently, the result shows the name on the tested card.
    this.prepare(tested.version)
  }

  /** Prepares a version that something was billed by. Must precede the comparison of its charges. */
  prepare({ card, content }: LoadedVersion): void {
    if (this.#prepared.has(card)) return
    const { version, side } = this.#tested
    const lines: BillLine[] = []
    const counterparts = findCorrespondingCharges(ratesOf(card, side), ratesOf(version.card, side))
    this.#prepared.set(card, { lines, counterparts })
    for (const { content: rate, kind, charges } of card.rates) {
      const activityTypeId = rate.activityTypeId ?? null
      const testedRate = this.#rate({ id: rate.id, name: rate.name, kind, activityTypeId })
      const activityTaxRate = this.#tested.activityTaxRates.get(activityTypeId ?? '')
      for (const charge of charges) {
        const taxRateId = charge.content.taxRateId ?? activityTaxRate ?? content.defaultTaxRateId
        const { id: rateChargeId, revenueAccountId = null, costCentreId = null } = charge.content
        const line = createBillLine({
          ...{ rate: testedRate, taxRateId, isTested: this.#tested.kinds.has(kind), rateChargeId },
          accounts: { revenueAccountId, costCentreId },
        })
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

  /** The result rows so far. */
  rows(): TestedRow[] {
    return this.#rows.all()
  }

  /** How many parts no rate of the tested card charges, by reason. */
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
   * Derives a consignment again by the version that it was billed by. If the result is not exactly what was
   * billed, because it differs or a charge was excluded, `addToJob` needs the rows of the bill.
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

  #evaluate(
    consignment: TestedConsignment,
    header: SharedHeader,
    { card }: LoadedVersion,
    faf: ExactInteger,
  ) {
    const {
      parts,
      terms: { freightResolution, evaluatorVersion },
    } = consignment
    const { side } = this.#tested
    // Both cards share the measurements of the parts.
    const input: ChargeInput = { header: header.header, parts, evaluatorVersion }
    consignment.measurements ??= createMeasurementCache(input)
    const terms = { side, freightResolution, faf }
    return evaluateWithoutTrace(header.matched(card, side), input, terms, consignment.measurements)
  }

  /**
   * Compares a consignment: what it was billed, which is what was derived or, if that differs, the rows of
   * its bill, with what the tested card charges.
   */
  add(
    consignment: TestedConsignment,
    month: string,
    derived: DerivedCharges,
    rows: readonly BilledRow[],
  ): void {
    const { partnerId, versionId } = consignment.terms
    const isSame = derived.isAsBilled || equalsRows(derived.charges, rows)
    this.consignmentCount++
    this.partCount += consignment.parts.length
    if (!isSame) this.controlDiffering++
    if (versionId === null) this.withoutCardCount++
    // If it was billed by the tested version, what was derived is also the result of the test.
    const isBilledByTested = derived.evaluation !== null && versionId === this.#tested.version.id
    const excluded = this.#excludedRows(rows)
    const before = this.#before.begin()
    if (isSame) addDerived(before, derived, excluded)
    else this.#addBilled(before, rows, excluded)
    if (isBilledByTested && isSame && consignment.adjusted.length === 0) {
      this.#count((derived.evaluation as RatingResult).unrated)
      this.#addUp(partnerId, month, before, before)
      return
    }
    for (const { kind, activityTypeId, amount, booking } of consignment.adjusted)
      if (this.#tested.kinds.has(kind)) {
        const rate = this.#rate({ id: null, name: 'Adjusted', kind, activityTypeId })
        const line = createBillLine({ rate, taxRateId: booking.taxRateId, isTested: true, booking })
        before.charge(line, wholeOf(2, amount))
      }
    const after = this.#after.begin()
    if (isBilledByTested) this.#addTested(after, derived.evaluation as RatingResult, excluded)
    else if (!this.#addRepriced(after, consignment, derived, excluded))
      this.#addTested(after.begin(), this.#evaluateTested(consignment), excluded)
    this.#addUp(partnerId, month, before, after)
    if (before.sum !== after.sum || !areEqualBills(before, after)) this.#keep(consignment, before, after)
    consignment.measurements = undefined
  }

  #fafOf({ header, instant }: TestedConsignment): ExactInteger {
    return this.#tested.faf(header.header.carrierId, instant)
  }

  /** Evaluates a consignment by the tested card. */
  #evaluateTested(consignment: TestedConsignment): RatingResult {
    const { version } = this.#tested
    return this.#evaluate(consignment, consignment.testedHeader, version, this.#fafOf(consignment))
  }

  /** Adds the charges of the tested card to a bill. */
  #addTested(bill: Bill, { charges, unrated }: RatingResult, excluded: ReadonlySet<string>): void {
    this.#count(unrated)
    addDerived(bill, { charges, card: this.#prepared.get(this.#tested.version.card) }, excluded)
  }

  /**
   * Adds the charges of the tested card by repricing the billed charges, if the two cards differ in prices
   * alone. Returns false if the consignment must be evaluated instead.
   */
  #addRepriced(
    bill: Bill,
    consignment: TestedConsignment,
    { card, evaluation }: DerivedCharges,
    excluded: ReadonlySet<string>,
  ): boolean {
    const counterparts = card?.counterparts
    if (counterparts === undefined || consignment.header !== consignment.testedHeader) return false
    const { charges, unrated, dependsOnPrices } = evaluation as RatingResult
    if (dependsOnPrices) return false
    const faf = this.#fafOf(consignment)
    const { lines } = this.#prepared.get(this.#tested.version.card) as PreparedCard
    for (const { rate, charge: billed, row, partKey } of charges) {
      const rule = counterparts[billed.number] as CompiledCharge
      const line = lines[rule.number] as BillLine
      if (!isCounted(line, rule, partKey, excluded)) continue
      const amount = repriceRow(rule, row, isFreight(rate.kind) ? faf : 0)
      if (amount === undefined) return false
      bill.charge(line, amount)
    }
    this.#count(unrated)
    return true
  }

  /** Compares what a client was billed for a period of storage or fees with what the tested card charges. */
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

  /** The rows that are excluded by hand on both sides, if the tested card has their rate charges. */
  #excludedRows(rows: readonly BilledRow[]): ReadonlySet<string> {
    if (rows.length === 0) return noExclusions
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

  #addBilled(bill: Bill, rows: readonly BilledRow[], excluded: ReadonlySet<string>): void {
    for (const { rateId, rateChargeId, partKey, kind, activityTypeId, taxRateId, amount } of rows) {
      if (!this.#tested.kinds.has(kind) || excluded.has(`${rateChargeId} ${partKey}`)) continue
      const rate = this.#rate({ id: rateId, name: '', kind, activityTypeId })
      bill.charge(createBillLine({ rate, taxRateId, isTested: true, rateChargeId }), wholeOf(2, amount))
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

/**
 * A prepared card: the bill lines of its charges and the counterparts on the tested card, by charge number.
 */
interface PreparedCard {
  lines: BillLine[]
  /** undefined if it differs from the tested card in more than prices */
  counterparts: CorrespondingCharges | undefined
}

/** The charges of a consignment, derived again by the version that it was billed by. */
export interface DerivedCharges {
  /** the card that it was billed by */
  card: PreparedCard | undefined
  /** null if no card was in force for it */
  evaluation: RatingResult | null
  charges: readonly RatedCharge[]
  /** they are exactly what was billed, and none was excluded */
  isAsBilled: boolean
}

function addDerived(
  bill: Bill,
  { charges, card }: Pick<DerivedCharges, 'charges' | 'card'>,
  excluded: ReadonlySet<string>,
): void {
  for (const { charge: rule, row, partKey } of charges) {
    const line = card?.lines[rule.number] as BillLine
    if (isCounted(line, rule, partKey, excluded)) bill.charge(line, row.amount)
  }
}

/** Whether a row of a rate charge counts: its kind is tested, and it was not excluded by hand. */
const isCounted = (
  { isTested }: BillLine,
  { content }: CompiledCharge,
  partKey: string,
  excluded: ReadonlySet<string>,
): boolean => isTested && (excluded.size === 0 || !excluded.has(`${content.id} ${partKey}`))

/** Whether charges equal the billed amounts, in order. */
function isBilled(charges: readonly RatedCharge[], billed: BilledAmounts): boolean {
  if (charges.length !== billed.length) return false
  for (let i = 0; i < charges.length; i++)
    if ((charges[i] as RatedCharge).row.amount !== billed.at(i)) return false
  return true
}

/** Whether charges equal the rows of a bill, some of which may have been excluded by hand. */
const equalsRows = (charges: readonly RatedCharge[], rows: readonly BilledRow[]): boolean =>
  charges.length === rows.length &&
  charges.every(({ row }, i) => row.amount === wholeOf(2, (rows[i] as BilledRow).amount))

const noExclusions: ReadonlySet<string> = new Set()
const noCharges: readonly RatedCharge[] = []
