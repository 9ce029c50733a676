// Choosing stock, compared with a slow reference that tries every order. Decision 4. CHOOSE_RUNS sets the
// number of random cases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smaller } from '../../../src/platform/decimal.ts'
import {
  type AllocationDemand,
  chooseStock,
  compareGroups,
  type StockCandidate,
  type StockChoice,
} from '../../../src/stock/allocation/allocation.ts'
import type { RotationRules } from '../../../src/stock/allocation/rotation.ts'
import { oneItem } from '../../../src/stock/ledger/movement.ts'

const runs = Number(process.env.CHOOSE_RUNS ?? 10_000)
const comparedRuns = Number(process.env.CHOOSE_RUNS ?? 20_000)

/** A deterministic random number generator (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
type Random = ReturnType<typeof randomFrom>

const day = (n: number | null) => (n === null ? null : `2026-01-0${n + 1}`)

function randomCandidate(random: Random, n: number): StockCandidate {
  return {
    id: `id-${String.fromCharCode(97 + random(26))}${n}`,
    available: BigInt(1 + random(4)) * oneItem,
    preferencesMet: random(2),
    isWholeUnit: random(2) === 0,
    placeRank: random(3),
    walkingOrder: random(3) === 0 ? null : random(2),
    batch: null,
    bestBeforeDate: null,
    expiryDate: day(random(3) === 0 ? null : random(2)),
    packagingDate: null,
    productionDate: null,
    sellByDate: null,
    receivedDate: day(random(2)) as string,
  }
}

interface Case {
  demands: AllocationDemand[]
  classes: { rotation: RotationRules; candidates: StockCandidate[] }[]
  rules: { isFullPalletFirst: boolean }
}

/** A product with a few rows, a few classes that may have some of them, and a few lines. */
function randomCase(random: Random): Case {
  const stock = Array.from({ length: 1 + random(5) }, (_, n) => randomCandidate(random, n))
  const rotation: RotationRules = {
    rotationMethod: ([0, 2, 3] as const)[random(3)] as 0 | 2 | 3,
    rotationMethodSecondary: 0,
    stockDepletionMethod: random(2) === 0 ? 1 : 2,
  }
  const classes = Array.from({ length: 1 + random(2) }, () => ({
    rotation,
    candidates: stock
      .filter(() => random(4) > 0)
      .map(candidate => ({ ...candidate, preferencesMet: random(2) })),
  }))
  const demands = Array.from(
    { length: 1 + random(3) },
    (_, n): AllocationDemand => ({
      consignmentProductId: `line-${n}`,
      class: random(classes.length),
      quantity: BigInt(1 + random(8)) * oneItem - (random(4) === 0 ? 5_000n : 0n),
      serials:
        random(4) === 0
          ? stock
              .slice(0, 1 + random(2))
              .map(({ id, available }) => ({ itemId: `item ${id}`, stockId: id, available }))
          : [],
      requiredSerials: random(6) === 0 ? random(3) : 0,
    }),
  )
  return { demands, classes, rules: { isFullPalletFirst: random(2) === 0 } }
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [i, item] of items.entries())
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [item, ...rest]
}

/**
 * The reference: tries all orders in which a line could take its candidates, and picks the best one.
 */
function chooseSlowly({ demands, classes, rules }: Case): StockChoice[] {
  const left = new Map<string, bigint>()
  for (const { candidates } of classes) for (const { id, available } of candidates) left.set(id, available)
  for (const { serials } of demands)
    for (const { stockId, available } of serials) left.set(stockId, left.get(stockId) ?? available)
  const taken = new Set<string>()
  return demands.flatMap(demand => {
    const choices: StockChoice[] = []
    let wanted = demand.quantity
    let byName = 0
    for (const { itemId, stockId } of demand.serials) {
      const stock = left.get(stockId) as bigint
      if (taken.has(itemId) || stock < oneItem || wanted < oneItem) continue
      taken.add(itemId)
      left.set(stockId, stock - oneItem)
      wanted -= oneItem
      byName++
      choices.push({ consignmentProductId: demand.consignmentProductId, stockId, itemId, quantity: oneItem })
    }
    wanted -= BigInt(Math.max(0, demand.requiredSerials - byName)) * oneItem
    const { rotation, candidates } = classes[demand.class] as Case['classes'][number]
    /** The sort keys of a candidate at the moment when it is taken, lowest first. */
    const keyOf = (candidate: StockCandidate, wish: bigint) => {
      const stock = left.get(candidate.id) as bigint
      const isUnit = candidate.isWholeUnit && stock === candidate.available && stock <= wish
      return [
        rules.isFullPalletFirst && isUnit ? 0 : 1,
        candidate.placeRank,
        Number(stock),
        candidate.walkingOrder ?? 1e9,
        candidate.id,
      ]
    }
    const compare = (a: StockCandidate, b: StockCandidate, wish: bigint): number => {
      const groups = compareGroups(rotation, a, b)
      if (groups !== 0) return groups
      const [left, right] = [keyOf(a, wish), keyOf(b, wish)]
      const at = left.findIndex((key, i) => key !== right[i])
      return at < 0 ? 0 : (left[at] as number) < (right[at] as number) ? -1 : 1
    }
    const available = candidates.filter(({ id }) => (left.get(id) as bigint) > 0n)
    const isBest = (order: readonly StockCandidate[]) => {
      let wish = wanted
      return order.every((candidate, i) => {
        if (wish <= 0n) return true
        const isFirst = order.slice(i + 1).every(other => compare(candidate, other, wish) <= 0)
        const stock = left.get(candidate.id) as bigint
        wish -= smaller(stock, wish)
        return isFirst
      })
    }
    const best = [...permutations(available)].find(isBest) ?? []
    for (const { id } of best) {
      const stock = left.get(id) as bigint
      const part = smaller(stock, wanted)
      if (part <= 0n) break
      left.set(id, stock - part)
      wanted -= part
      choices.push({
        consignmentProductId: demand.consignmentProductId,
        stockId: id,
        itemId: null,
        quantity: part,
      })
    }
    return choices
  })
}

const format = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part))

test('the choice is that of the best of all orders', () => {
  const random = randomFrom(1)
  for (let i = 0; i < comparedRuns; i++) {
    const testCase = randomCase(random)
    assert.deepEqual(
      chooseStock(testCase.demands, testCase.classes, testCase.rules),
      chooseSlowly(testCase),
      format(testCase),
    )
  }
})

test('candidates left out behind enough whole rotation groups do not change the choice', () => {
  const random = randomFrom(2)
  let cuts = 0
  for (let i = 0; i < runs; i++) {
    const { demands, classes, rules } = randomCase(random)
    const demand = demands.reduce((sum, { quantity }) => sum + quantity, 0n)
    const cut = classes.map(({ rotation, candidates }) => {
      const sorted = candidates.toSorted((a, b) => compareGroups(rotation, a, b))
      let sum = 0n
      const last = sorted.find(({ available }) => {
        sum += available
        return sum >= demand
      })
      const kept = last === undefined ? sorted : sorted.filter(one => compareGroups(rotation, one, last) <= 0)
      cuts += sorted.length - kept.length
      return { rotation, candidates: kept }
    })
    assert.deepEqual(
      chooseStock(demands, cut, rules),
      chooseStock(demands, classes, rules),
      format({ demands, classes }),
    )
  }
  assert.ok(cuts > runs / 100, `${cuts} candidates were cut off.`)
})

test('no stock is allocated twice, no line gets more than it needs, and no line is short while stock is left', () => {
  const random = randomFrom(3)
  for (let i = 0; i < runs; i++) {
    const { demands, classes, rules } = randomCase(random)
    const choices = chooseStock(demands, classes, rules)
    const stock = new Map(
      classes.flatMap(({ candidates }) => candidates).map(({ id, available }) => [id, available]),
    )
    for (const { serials } of demands)
      for (const { stockId, available } of serials) stock.set(stockId, available)
    const allocated = new Map<string, bigint>()
    for (const { stockId, quantity, consignmentProductId } of choices) {
      assert.ok(quantity > 0n)
      stock.set(stockId, (stock.get(stockId) as bigint) - quantity)
      allocated.set(consignmentProductId, (allocated.get(consignmentProductId) ?? 0n) + quantity)
    }
    for (const left of stock.values()) assert.ok(left >= 0n)
    for (const demand of demands) {
      const received = allocated.get(demand.consignmentProductId) ?? 0n
      assert.ok(received <= demand.quantity)
      if (demand.requiredSerials > 0 || received === demand.quantity) continue
      for (const { id } of classes[demand.class]?.candidates ?? [])
        assert.equal(stock.get(id), 0n, format(demand))
    }
  }
})

test('each of a thousand lines inspects at most a fifth of ten thousand equal rows', () => {
  const random = randomFrom(4)
  let looks = 0
  class Looked {
    readonly #available: bigint
    constructor({ available, ...candidate }: StockCandidate) {
      this.#available = available
      Object.assign(this, candidate, { preferencesMet: 0, expiryDate: null, receivedDate: '2026-01-01' })
    }
    get available() {
      looks++
      return this.#available
    }
  }
  const candidates = Array.from(
    { length: 10_000 },
    // Object.assign sets the fields, which the compiler does not see.
    (_, n) => new Looked(randomCandidate(random, n)) as unknown as StockCandidate,
  )
  const rotation = { rotationMethod: 0, rotationMethodSecondary: 0, stockDepletionMethod: 1 } as const
  const demands = Array.from({ length: 1_000 }, (_, n) => ({
    ...{ consignmentProductId: `line ${n}`, class: 0, quantity: 7n * oneItem, serials: [] },
    requiredSerials: 0,
  }))
  chooseStock(demands, [{ rotation, candidates }], { isFullPalletFirst: true })
  assert.ok(looks > 0 && looks < 1_000 * 2_000, `${looks} looks`)
})
