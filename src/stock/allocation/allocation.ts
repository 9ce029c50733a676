// Which stock goes to which line. Pure: candidates come in, choices go out, in whole ten-thousandths. Spec
// 2.11; open-points 4.

import { smaller } from '../../platform/decimal.ts'
import { oneItem } from '../ledger/movement.ts'
import { compareRotation, type RotationFields, type RotationRules } from './rotation.ts'

/** Stock that the lines of a class may have. A row of stock may be a candidate in several classes. */
export interface Candidate extends RotationFields {
  id: string
  /** ten-thousandths */
  available: bigint
  /** how many of the wishes of the class it fulfils */
  preferencesMet: number
  /** it is all that a logistic unit holds, and none of it is promised */
  isWholeUnit: boolean
  /** 0 the pickface of the product, then by the type of the location; smaller goes first */
  placeRank: number
  walkingOrder: number | null
}

/** What lines ask for in the same words, and what there is for them. */
export interface CandidateClass {
  rotation: RotationRules
  candidates: readonly Candidate[]
}

/** A line that wants stock. */
export interface Demand {
  consignmentProductId: string
  /** its place in the list of classes */
  class: number
  /** ten-thousandths */
  quantity: bigint
  /** serials that it names and that lie in stock, each with its row */
  serials: readonly { itemId: string; stockId: string; available: bigint }[]
  /** named serials that nothing may replace: what of them is not to be had stays short */
  requiredSerials: number
}

/** How an organisation treats full pallets. */
export interface PalletRules {
  isFullPalletFirst: boolean
}

/** Stock for a line. */
export interface Choice {
  consignmentProductId: string
  stockId: string
  /** the serial, where it was chosen by name */
  itemId: string | null
  quantity: bigint
}

/** By what a candidate goes before the next one, in the order in which it is asked. */
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

/** A candidate with what of it is left while lines are served. */
interface Entry {
  candidate: Candidate
  stock: { left: bigint }
}

/** Candidates of a class that rotation holds equal. */
interface Group {
  entries: Entry[]
  isSorted: boolean
  /** those that were whole units when they were sorted; the first still is */
  units: Entry[]
  /** none of them holds less than this */
  smallestUnit: bigint
}

const isWhole = ({ candidate, stock }: Entry) => candidate.isWholeUnit && stock.left === candidate.available

const compareNumbers = (a: number | bigint, b: number | bigint) => (a < b ? -1 : Number(a > b))
const compareIds = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** The order of candidates before anything else is looked at: wishes fulfilled, then rotation. */
export const compareGroups = (rotation: RotationRules, a: Candidate, b: Candidate): number =>
  b.preferencesMet - a.preferencesMet || compareRotation(rotation, a, b)

/** The order within a group, whole units apart. */
const compareWithin = (a: Entry, b: Entry): number =>
  a.candidate.placeRank - b.candidate.placeRank ||
  compareNumbers(a.stock.left, b.stock.left) ||
  compareNumbers(a.candidate.walkingOrder ?? Infinity, b.candidate.walkingOrder ?? Infinity) ||
  compareIds(a.candidate.id, b.candidate.id)

/**
 * Serves the lines one after the other and returns what each of them gets: less than it wants where there is
 * not enough. What one gets is not there for the next. Candidates that are left out must all go behind those
 * given, and those given must be enough for every line that could want them.
 */
export function chooseStock(
  demands: readonly Demand[],
  classes: readonly CandidateClass[],
  rules: PalletRules,
): Choice[] {
  const serving = new Serving(classes, rules)
  return demands.flatMap(demand => serving.serve(demand))
}

class Serving {
  readonly #classes: {
    rotation: RotationRules
    candidates: readonly Candidate[]
    groups?: Group[]
    at: number
  }[]
  readonly #rules: PalletRules
  readonly #stock = new Map<string, { left: bigint }>()
  readonly #taken = new Set<string>()
  /** how often something was taken: what a class has sorted before another took of it is out of order */
  #takes = 0

  constructor(classes: readonly CandidateClass[], rules: PalletRules) {
    this.#classes = classes.map(each => ({ ...each, at: 0 }))
    this.#rules = rules
  }

  serve(demand: Demand): Choice[] {
    const choices: Choice[] = []
    const serials = this.#takeSerials(demand, choices)
    const lost = Math.max(0, demand.requiredSerials - serials)
    let wanted = demand.quantity - (BigInt(serials) + BigInt(lost)) * oneItem
    const of = this.#classes[demand.class]
    if (of === undefined) return choices
    of.groups ??= this.#groupsOf(of)
    if (of.at !== this.#takes) for (const group of of.groups) group.isSorted = false
    for (const group of of.groups) {
      if (wanted <= 0n) break
      wanted = this.#takeFrom(group, wanted, demand, choices)
    }
    of.groups = of.groups.filter(({ entries }) => entries.length > 0)
    of.at = this.#takes
    return choices
  }

  /** Takes the serials that a line names, as far as they are to be had, and returns how many are. */
  #takeSerials(demand: Demand, choices: Choice[]): number {
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

  #takeFrom(group: Group, quantity: bigint, { consignmentProductId }: Demand, choices: Choice[]): bigint {
    if (!group.isSorted) sort(group)
    let wanted = quantity
    const take = ({ candidate, stock }: Entry) => {
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
    // What is taken of a candidate in part stays the first: it only became smaller.
    let used = 0
    for (const entry of group.entries) {
      if (wanted > 0n) take(entry)
      if (entry.stock.left > 0n) break
      used++
    }
    if (used > 0) group.entries.splice(0, used)
    const whole = group.units.findIndex(isWhole)
    if (whole !== 0) group.units.splice(0, whole === -1 ? group.units.length : whole)
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

  #groupsOf({ rotation, candidates }: CandidateClass): Group[] {
    const sorted = candidates.toSorted((a, b) => compareGroups(rotation, a, b))
    const groups: Group[] = []
    for (const [i, candidate] of sorted.entries()) {
      const before = sorted[i - 1]
      if (before === undefined || compareGroups(rotation, before, candidate) !== 0)
        groups.push({ entries: [], isSorted: false, units: [], smallestUnit: 0n })
      groups.at(-1)?.entries.push({ candidate, stock: this.#stockOf(candidate.id, candidate.available) })
    }
    return groups
  }
}

function sort(group: Group): void {
  group.entries = group.entries.filter(({ stock }) => stock.left > 0n).sort(compareWithin)
  group.units = group.entries.filter(isWhole)
  group.smallestUnit = group.units.map(({ stock }) => stock.left).reduce(smaller, 1n << 80n)
  group.isSorted = true
}

/** Candidates in the order in which a line that wants so much takes them, and by what each goes there. */
export function explainOrder(
  { rotation, candidates }: CandidateClass,
  quantity: bigint,
  { isFullPalletFirst }: PalletRules,
): { candidate: Candidate; rule: OrderingRule }[] {
  const rank = (candidate: Candidate) =>
    isFullPalletFirst && candidate.isWholeUnit && candidate.available <= quantity ? 0 : 1
  const keys: [OrderingRule, (a: Candidate, b: Candidate) => number][] = [
    ['Preference', (a, b) => b.preferencesMet - a.preferencesMet],
    ['Rotation', (a, b) => compareRotation(rotation, a, b)],
    ['WholeUnit', (a, b) => rank(a) - rank(b)],
    ['Location', (a, b) => a.placeRank - b.placeRank],
    ['Quantity', (a, b) => compareNumbers(a.available, b.available)],
    ['WalkingOrder', (a, b) => compareNumbers(a.walkingOrder ?? Infinity, b.walkingOrder ?? Infinity)],
    ['Id', (a, b) => compareIds(a.id, b.id)],
  ]
  const deciding = (a: Candidate, b: Candidate) => keys.find(([, compare]) => compare(a, b) !== 0)
  const sorted = candidates.toSorted((a, b) => deciding(a, b)?.[1](a, b) ?? 0)
  return sorted.map((candidate, i) => {
    const neighbour = sorted[i + 1] ?? sorted[i - 1]
    return { candidate, rule: (neighbour && deciding(candidate, neighbour)?.[0]) ?? 'Id' }
  })
}
