// Reports of what came, what left and what is there, as JSON.

import type { Load } from '../notebook/floor.ts'
import { availableOf, promisedOf } from '../notebook/floor.ts'
import { dateFields, type Identity, round4 } from '../notebook/goods.ts'
import type { Line } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameText, sameVolume, sameWeight } from './figures.ts'
import type { Row } from './read-stock.ts'

/** A row of a report: what it is about, its figures, and the serials that it lists. */
interface Told {
  words: string
  quantity: number
  weight: number
  volume: number
  serials: readonly string[]
  more?: Record<string, number>
}

/** Sums rows that are about the same; those without a quantity are left out. */
function sum(rows: readonly (Told & { sign?: number })[]): Told[] {
  const found = [...Map.groupBy(rows, ({ words }) => words)].map(([words, own]): Told => {
    const total = (of: (row: Told) => number) => own.reduce((all, row) => all + (row.sign ?? 1) * of(row), 0)
    const serials = new Map<string, number>()
    for (const { serials: named, sign = 1 } of own)
      for (const serial of named) serials.set(serial, (serials.get(serial) ?? 0) + sign)
    const more: Record<string, number> = {}
    for (const { more: figures = {} } of own)
      for (const [name, figure] of Object.entries(figures)) more[name] = round4((more[name] ?? 0) + figure)
    return {
      ...{ words, quantity: round4(total(row => row.quantity)), more },
      ...{ weight: total(row => row.weight), volume: total(row => row.volume) },
      serials: [...serials].flatMap(([serial, count]) => (count > 0 ? [serial] : [])).toSorted(),
    }
  })
  return found.filter(({ quantity }) => quantity !== 0).toSorted((a, b) => (a.words < b.words ? -1 : 1))
}

function compare(told: readonly Told[], known: readonly Told[], what: string): void {
  const facts = (rows: readonly Told[]) =>
    rows.map(({ words, quantity, serials, more }) => ({ words, quantity, serials, more }))
  sameText(facts(told), facts(known), what)
  for (const [i, { words, weight, volume }] of known.entries()) {
    sameWeight(told[i]?.weight ?? 0, weight, `${what}, ${words}`)
    sameVolume(told[i]?.volume ?? 0, volume, `${what}, ${words}`)
  }
}

export async function reports(world: World): Promise<void> {
  const { notebook } = world
  const received = await ask(world, 'post', '/v1/reports/consignment-product-received', {})
  compare(
    sum(received.map((row: Row) => tellMoved(row, 'received', row.holdKind))),
    // Of what came for a line and was taken back, there is no row, whatever it weighed.
    sum(notebook.lines.flatMap(line => sum(cameRows(line)))),
    'the report of products received',
  )
  const dispatched = await ask(world, 'post', '/v1/reports/consignment-product-dispatched', {})
  compare(
    sum(dispatched.map((row: Row) => tellMoved(row, 'dispatched', null))),
    sum(notebook.lines.flatMap(leftRows)),
    'the report of products dispatched',
  )
  const onHand = await ask(world, 'post', '/v1/reports/stock-on-hand', {})
  compare(sum(onHand.map(tellOnHand)), sum(lyingRows(world)), 'the report of stock on hand')
}

const tellMoved = (row: Row, figure: string, holdKind: number | null): Told => ({
  words: JSON.stringify([
    ...[row.consignmentNumber, row.partnerProductCode, row.batch, dateFields.map(field => row[field])],
    ...[row.logisticUnitNumber, holdKind],
  ]),
  quantity: row[`${figure}Quantity`],
  weight: row[`${figure}WeightKG`],
  volume: row[`${figure}VolumeM3`],
  serials: row.serials,
})

const wordsOf = ({ consignment }: Line, { product, look, unit }: Identity, holdKind: number | null): string =>
  JSON.stringify([
    ...[consignment.number, product.code, look.batch, dateFields.map(field => look[field])],
    ...[unit?.number ?? null, holdKind],
  ])

const cameRows = (line: Line): (Told & { sign: number })[] => [
  ...line.arrivals.map(({ identity, serials, ...load }) => ({
    ...{ words: wordsOf(line, identity, identity.hold?.kind ?? null), serials },
    ...absolute(load),
  })),
  ...line.lateSerials.map(({ serial, identity }) => ({
    ...{ words: wordsOf(line, identity, identity.hold?.kind ?? null), serials: [serial], sign: 1 },
    ...{ quantity: 0, weight: 0, volume: 0 },
  })),
]

const absolute = ({ quantity, weight, volume }: Omit<Load, 'serials'>) => ({
  ...{ sign: Math.sign(quantity), quantity: Math.abs(quantity) },
  ...{ weight: Math.abs(weight), volume: Math.abs(volume) },
})

const leftRows = (line: Line): Told[] =>
  line.departures
    .filter(({ isUndone }) => !isUndone)
    .map(({ identity, quantity, weight, volume, serials }) => ({
      ...{ words: wordsOf(line, identity, null), quantity, weight, volume, serials },
    }))

const tellOnHand = (row: Row): Told => ({
  words: JSON.stringify([row.warehouseId, row.partnerId, row.partnerProductCode, row.batch, row.expiryDate]),
  ...{ quantity: row.onHandQuantity, weight: row.onHandWeightKG, volume: row.onHandVolumeM3, serials: [] },
  more: { available: row.availableQuantity, allocated: row.allocatedQuantity },
})

const lyingRows = ({ notebook, warehouseId, clientId }: World): Told[] =>
  notebook.floor.live.map(heap => ({
    words: JSON.stringify([warehouseId, clientId, heap.product.code, heap.look.batch, heap.look.expiryDate]),
    ...{ quantity: heap.quantity, weight: heap.weight, volume: heap.volume, serials: [] },
    more: { available: availableOf(heap), allocated: promisedOf(heap) },
  }))
