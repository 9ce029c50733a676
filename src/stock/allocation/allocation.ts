// Chooses which stock goes to which line. Pure: takes candidates and returns choices, in whole
// ten-thousandths. Spec 2.11; decision 4.

import { smaller } from '../../platform/decimal.ts'
import { oneItem } from '../ledger/movement.ts'
import { compareRotation, type RotationFields, type RotationRules } from './rotation.ts'

/** A stock row that may serve the lines of a class. A row may be a candidate in several classes. */
export interface StockCandidate extends RotationFields {
  id: string
  /** ten-thousandths */
  available: bigint
  /** how many preferences of the class it meets */
  preferencesMet: number
  /** whether it is all that a logistic unit holds, and none of it is allocated */
  isWholeUnit: boolean
  /** rank of the location, lowest first: 0 for the pickface of the product, then by location type */
  placeRank: number
  walkingOrder: number | null
}

/** The candidates for all lines with the same product and the same criteria. */
export interface CandidateClass {
  rotation: RotationRules
  candidates: readonly StockCandidate[]
}

/** What a line needs. */
export interface AllocationDemand {
  consignmentProductId: string
  /** index into the list of classes */
  class: number
  /** ten-thousandths */
  quantity: bigint
  /** the requested serials that are in stock, each with its row */
  serials: readonly { itemId: string; stockId: string; available: bigint }[]
  /** how many requested serials must not be replaced; those that are unavailable stay short */
  requiredSerials: number
}

/** How an organisation treats full pallets. */
export interface PalletRules {
  /** whether whole units go first among stock of equal rotation */
  isFullPalletFirst: boolean
}

/** Stock chosen for a line. */
export interface StockChoice {
  consignmentProductId: string
  stockId: string
  /** the serial, if it was requested by name */
  itemId: string | null
  quantity: bigint
}

/** The rules that order candidates, from the first to the last. */
export const orderingRules = [
  'Preference',
  'Rotation',
  'WholeUnit',
  'Location',
  'Quantity',
  'WalkingOrder',
  'Id',
] as const
export type OrderingRule = (typeof orderingRules)[number]

/** A candidate with its remaining stock, which all classes share. */
interface CandidateStock {
  candidate: StockCandidate
  stock: { left: bigint }
}

/** Candidates of a class that are equal in preferences and rotation. */
interface RotationGroup {
  entries: CandidateStock[]
  isSorted: boolean
  /** the candidates that were whole units when the group was sorted; the first one still is */
  units: CandidateStock[]
  /** a lower bound of the stock on each of the units */
  smallestUnit: bigint
}

const isWhole = ({ candidate, stock }: CandidateStock) =>
  candidate.isWholeUnit && stock.left === candidate.available

const compareNumbers = (a: number | bigint, b: number | bigint) => (a < b ? -1 : Number(a > b))
const compareIds = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Compares candidates by preferences met, then by rotation. Equal candidates form one group. */
export const compareGroups = (rotation: RotationRules, a: StockCandidate, b: StockCandidate): number =>
  b.preferencesMet - a.preferencesMet || compareRotation(rotation, a, b)

/** Compares candidates within a group, apart from the precedence of whole units. */
const compareWithin = (a: CandidateStock, b: CandidateStock): number =>
  a.candidate.placeRank - b.candidate.placeRank ||
  compareNumbers(a.stock.left, b.stock.left) ||
  compareNumbers(a.candidate.walkingOrder ?? Infinity, b.candidate.walkingOrder ?? Infinity) ||
  compareIds(a.candidate.id, b.candidate.id)

/**
 * Serves the lines in their order and returns the stock chosen for each, which is less than its demand if
 * there is not enough. Stock chosen for one line is not available to the next. Candidates that the caller
 * left out must rank behind the given ones, and the given ones must suffice for all lines that compete for
 * them.
 */
export function chooseStock(
  demands: readonly AllocationDemand[],
  classes: readonly CandidateClass[],
  rules: PalletRules,
): StockChoice[] {
  const allocator = new StockAllocator(classes, rules)
  return demands.flatMap(demand => allocator.serve(demand))
}

class StockAllocator {
  readonly #classes: {
    rotation: RotationRules
    candidates: readonly StockCandidate[]
    groups?: RotationGroup[]
    sortedAt: number
  }[]
  readonly #rules: PalletRules
  readonly #stock = new Map<string, { left: bigint }>()
  readonly #taken = new Set<string>()
  /** counts takes; a class that was sorted before another class took stock must be sorted again */
  #takes = 0

  constructor(classes: readonly CandidateClass[], rules: PalletRules) {
    this.#classes = classes.map(candidateClass => ({ ...candidateClass, sortedAt: 0 }))
    this.#rules = rules
  }

  serve(demand: AllocationDemand): StockChoice[] {
    const choices: StockChoice[] = []
    const serials = this.#takeSerials(demand, choices)
    const unavailableSerials = Math.max(0, demand.requiredSerials - serials)
    let wanted = demand.quantity - (BigInt(serials) + BigInt(unavailableSerials)) * oneItem
    const classState = this.#classes[demand.class]
    if (classState === undefined) return choices
    classState.groups ??= this.#groupsOf(classState)
    if (classState.sortedAt !== this.#takes) for (const group of classState.groups) group.isSorted = false
    for (const group of classState.groups) {
      if (wanted <= 0n) break
      wanted = this.#takeFrom(group, wanted, demand, choices)
    }
    classState.groups = classState.groups.filter(({ entries }) => entries.length > 0)
    classState.sortedAt = this.#takes
    return choices
  }

  /** Takes the available serials that a line requests, and returns how many. */
  #takeSerials(demand: AllocationDemand, choices: StockChoice[]): number {
    let n = 0
    for (const { itemId, stockId, available } of demand.serials) {
      const stock = this.#stockOf(stockId, available)
      if (this.#taken.has(itemId) || stock.left < oneItem || BigInt(n + 1) * oneItem > demand.quantity)
        continue
      this.#taken.add(itemId)
      stock.left -= oneItem
      this.#takes++
      n++
      const { consignmentProductId } = demand
      choices.push({ consignmentProductId, stockId, itemId, quantity: oneItem })
    }
    return n
  }

  #takeFrom(
    group: RotationGroup,
    quantity: bigint,
    { consignmentProductId }: AllocationDemand,
    choices: StockChoice[],
  ): bigint {
    if (!group.isSorted) sortGroup(group)
    let wanted = quantity
    const take = ({ candidate, stock }: CandidateStock) => {
      const part = smaller(stock.left, wanted)
      if (part <= 0n) return
      stock.left -= part
      wanted -= part
      this.#takes++
      choices.push({ consignmentProductId, stockId: candidate.id, itemId: null, quantity: part })
    }
    if (this.#rules.isFullPalletFirst) {
      for (const entry of group.units) {
        if (wanted < group.smallestUnit) break
        if (isWhole(entry) && entry.stock.left <= wanted) take(entry)
      }
    }
    // A candidate that was taken in part stays the first, as it only became smaller.
    let exhausted = 0
    for (const entry of group.entries) {
      if (wanted > 0n) take(entry)
      if (entry.stock.left > 0n) break
      exhausted++
    }
    if (exhausted > 0) group.entries.splice(0, exhausted)
    const firstWhole = group.units.findIndex(isWhole)
    if (firstWhole !== 0) group.units.splice(0, firstWhole === -1 ? group.units.length : firstWhole)
    return wanted
  }

  #stockOf(id: string, available: bigint) {
    let stock = this.#stock.get(id)
    if (stock === undefined) {
      stock = { left: available }
      this.#stock.set(id, stock)
    }
    return stock
  }

  #groupsOf({ rotation, candidates }: CandidateClass): RotationGroup[] {
    const sorted = candidates.toSorted((a, b) => compareGroups(rotation, a, b))
    const groups: RotationGroup[] = []
    for (const [i, candidate] of sorted.entries()) {
      const before = sorted[i - 1]
      if (before === undefined || compareGroups(rotation, before, candidate) !== 0)
        groups.push({ entries: [], isSorted: false, units: [], smallestUnit: 0n })
      groups.at(-1)?.entries.push({ candidate, stock: this.#stockOf(candidate.id, candidate.available) })
    }
    return groups
  }
}

function sortGroup(group: RotationGroup): void {
  group.entries = group.entries.filter(({ stock }) => stock.left > 0n).sort(compareWithin)
  group.units = group.entries.filter(isWhole)
  group.smallestUnit = group.units.map(({ stock }) => stock.left).reduce(smaller, 1n << 80n)
  group.isSorted = true
}

/**
 * Returns the candidates in the order in which a line of this quantity takes them, each with the rule that
 * puts it before the next one.
 */
export function explainOrder(
  { rotation, candidates }: CandidateClass,
  quantity: bigint,
  { isFullPalletFirst }: PalletRules,
): { candidate: StockCandidate; rule: OrderingRule }[] {
  const rank = (candidate: StockCandidate) =>
    isFullPalletFirst && candidate.isWholeUnit && candidate.available <= quantity ? 0 : 1
  const keys: [OrderingRule, (a: StockCandidate, b: StockCandidate) => number][] = [
    ['Preference', (a, b) => b.preferencesMet - a.preferencesMet],
    ['Rotation', (a, b) => compareRotation(rotation, a, b)],
    ['WholeUnit', (a, b) => rank(a) - rank(b)],
    ['Location', (a, b) => a.placeRank - b.placeRank],
    ['Quantity', (a, b) => compareNumbers(a.available, b.available)],
    ['WalkingOrder', (a, b) => compareNumbers(a.walkingOrder ?? Infinity, b.walkingOrder ?? Infinity)],
    ['Id', (a, b) => compareIds(a.id, b.id)],
  ]
  const findDecidingKey = (a: StockCandidate, b: StockCandidate) =>
    keys.find(([, compare]) => compare(a, b) !== 0)
  const sorted = candidates.toSorted((a, b) => findDecidingKey(a, b)?.[1](a, b) ?? 0)
  return sorted.map((candidate, i) => {
    const neighbour = sorted[i + 1] ?? sorted[i - 1]
    return { candidate, rule: (neighbour && findDecidingKey(candidate, neighbour)?.[0]) ?? 'Id' }
  })
}
