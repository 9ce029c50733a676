// What came or left with each line of a consignment, receipt by receipt: every batch, date, pallet, serial.

import assert from 'node:assert/strict'
import type { Load } from '../notebook/floor.ts'
import { dateFields, type Identity, round4 } from '../notebook/goods.ts'
import type { Line } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameText, sameVolume, sameWeight } from './figures.ts'
import type { Row } from './read-stock.ts'

/** What moved for a line and counts, by what it is: what came, less what was taken back. */
interface Moved {
  words: string
  quantity: number
  weight: number
  volume: number
  serials: string[]
}

export async function productInformation(world: World): Promise<void> {
  for (const { id, number, lines } of world.notebook.consignments) {
    const path = `/v1/consignments/${id}/product-information`
    const { consignmentProducts: told } = await ask(world, 'get', path)
    for (const line of lines) {
      const what = `${number}, what moved for line ${line.ordinal + 1}`
      compare(tellTold(told[line.ordinal].transactions), tellKnown(line), what)
      compareConversions(line, told[line.ordinal].conversions, what)
    }
  }
}

function compare(told: readonly Moved[], known: readonly Moved[], what: string): void {
  const facts = (moved: readonly Moved[]) =>
    moved.map(({ words, quantity, serials }) => ({ words, quantity, serials }))
  sameText(facts(told), facts(known), what)
  for (const [i, { words, weight, volume }] of known.entries()) {
    sameWeight(told[i]?.weight ?? 0, weight, `${what}, ${words}`)
    sameVolume(told[i]?.volume ?? 0, volume, `${what}, ${words}`)
  }
}

/** Sums what moved of goods that are the same in everything that is told; positive came, negative left. */
function sum(parts: readonly (Load & { words: string; sign: number })[]): Moved[] {
  const found: Moved[] = []
  for (const [words, own] of Map.groupBy(parts, part => part.words)) {
    const total = (of: (part: Load) => number) => own.reduce((all, part) => all + part.sign * of(part), 0)
    const serials = new Map<string, number>()
    for (const { serials: named, sign } of own)
      for (const serial of named) serials.set(serial, (serials.get(serial) ?? 0) + sign)
    const quantity = round4(total(part => part.quantity))
    if (quantity !== 0)
      found.push({
        ...{ words, quantity, weight: total(part => part.weight), volume: total(part => part.volume) },
        serials: [...serials].flatMap(([serial, count]) => (count === 0 ? [] : [serial])).toSorted(),
      })
  }
  return found.toSorted((a, b) => (a.words < b.words ? -1 : 1))
}

/** The words of goods; those of one consignment may be the same in all but their hold or the received day. */
function wordsOf({ product, place, unit, look }: Identity): string {
  const attributes = Object.entries(look.attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const dates = dateFields.map(field => look[field])
  return JSON.stringify([product.id, place.name, unit?.number ?? null, look.batch, dates, attributes])
}

const tellKnown = ({ arrivals, lateSerials, departures }: Line): Moved[] =>
  sum([
    ...arrivals.map(({ identity, quantity, weight, volume, serials }) => ({
      ...{ words: wordsOf(identity), sign: Math.sign(quantity), serials },
      ...{ quantity: Math.abs(quantity), weight: Math.abs(weight), volume: Math.abs(volume) },
    })),
    ...lateSerials.map(({ serial, identity }) => ({
      ...{ words: wordsOf(identity), sign: 1, serials: [serial], quantity: 0, weight: 0, volume: 0 },
    })),
    ...departures.flatMap(({ identity, cameBackAs, ...load }) => [
      { ...load, words: wordsOf(identity), sign: -1 },
      ...(cameBackAs === null ? [] : [{ ...load, words: wordsOf(cameBackAs), sign: 1 }]),
    ]),
  ])

const tellTold = (transactions: readonly Row[]): Moved[] =>
  sum(
    transactions.map(row => ({
      words: JSON.stringify([
        row.partnerProductId,
        row.warehouseLocationName,
        row.logisticUnitNumber,
        row.batch,
        dateFields.map(field => row[field]),
        row.attributes.map(({ name, description }: Row) => [name, description]),
      ]),
      sign: Math.sign(row.quantity),
      quantity: Math.abs(row.quantity),
      weight: Math.abs(row.weightKG),
      volume: Math.abs(row.volumeM3),
      serials: row.serials,
    })),
  )

/** What came or left of each product. */
function compareConversions(line: Line, told: readonly Row[], what: string): void {
  const moved = [
    ...line.arrivals.map(({ identity, quantity }) => ({ product: identity.product, quantity })),
    ...line.departures
      .filter(({ isUndone }) => !isUndone)
      .map(({ identity, quantity }) => ({ product: identity.product, quantity })),
  ]
  const known = [...Map.groupBy(moved, ({ product }) => product)]
    .map(([{ code }, own]) => [code, round4(own.reduce((all, { quantity }) => all + quantity, 0))] as const)
    .filter(([, quantity]) => quantity !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  assert.deepEqual(
    told.map(({ partnerProductCode, quantity }) => [partnerProductCode, quantity]),
    known,
    `${what}, by product`,
  )
}
