// The declaration of dangerous goods: what is chosen, picked or gone of them, and only of lines without any
// such goods what was ordered. What stayed here is not declared.

import assert from 'node:assert/strict'
import { linesOf } from '../../support/pdf.ts'
import { type Product, round4 } from '../notebook/goods.ts'
import { type Consignment, goneOf, type Line, Status } from '../notebook/orders.ts'
import { untilNotBusy, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'

/** Goods of a line. */
interface Part {
  product: Product
  quantity: number
  weight: number
  volume: number
}

const ready: readonly number[] = [Status.ReadyToDispatch, Status.InTransit, Status.Complete, Status.Closed]

/** The latest orders and announcements whose declarations are read. */
const many = 2

export async function dangerousGoods(world: World): Promise<void> {
  const { consignments, floor } = world.notebook
  if (floor.journal.length % 3 !== 0) return
  const isMeant = ({ lines }: Consignment) =>
    lines.some(line => partsOf(world, line).some(({ product }) => product.isDangerous))
  const meant = consignments.filter(isMeant).slice(-many)
  const other = consignments.findLast(consignment => !isMeant(consignment))
  for (const consignment of other ? [...meant, other] : meant) await compare(world, consignment)
}

/** What is declared for a line. */
function partsOf({ notebook }: World, line: Line): Part[] {
  const { consignment, expected, expectedWeight, expectedVolume, product } = line
  const gone = goneOf(line).map(({ identity, quantity, weight, volume }) => ({
    ...{ product: identity.product, quantity, weight, volume },
  }))
  const promised = notebook.floor.live.flatMap(heap =>
    heap.promises
      .filter(promise => promise.line === line)
      .map(({ quantity }) => ({
        ...{ product: heap.product, quantity },
        weight: (heap.weight * quantity) / heap.quantity,
        volume: (heap.volume * quantity) / heap.quantity,
      })),
  )
  const chosen = [...gone, ...promised]
  const isOutwards = consignment.type === 'outwards'
  if (chosen.length > 0 || expected === 0 || (isOutwards && ready.includes(consignment.status))) return chosen
  return [{ product, quantity: expected, weight: expectedWeight ?? 0, volume: expectedVolume ?? 0 }]
}

/** Goods of which nobody knows what they weigh weigh what the product does. */
const weighed = ({ product, quantity, weight, volume }: Part): Part => ({
  ...{ product, quantity, weight: weight || (product.weight ?? 0) * quantity },
  volume: volume || (product.volume ?? 0) * quantity,
})

async function compare(world: World, consignment: Consignment): Promise<void> {
  const { number, status, type, lines } = consignment
  const parts = lines
    .flatMap(line => partsOf(world, line))
    .filter(({ product }) => product.isDangerous)
    .map(weighed)
  const path = `/v1/consignments/${consignment.id}/dg-declaration-pdf`
  const answer = await untilNotBusy(() => world.caller.get(path))
  const what = `the declaration of dangerous goods of ${number}`
  const isRefused = parts.length === 0 || status === Status.Void
  sameText(answer.status, isRefused ? 400 : 200, what)
  if (isRefused) return
  const told = (await linesOf(answer.bytes)).flat()
  const row = told.flatMap(line => rowOf(line) ?? [])
  assert.equal(row.length, 1, `${what} has one row:\n${told.join('\n')}`)
  const total = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0)
  const [declared] = row as [Row]
  sameFigure(declared.quantity, round4(total(({ quantity }) => quantity)), `${what}, quantity`)
  // They are told to the gram and the litre.
  sameFigure(
    declared.weight,
    total(({ weight }) => weight),
    `${what}, mass`,
    0.003,
  )
  sameFigure(
    declared.volume,
    total(({ volume }) => volume),
    `${what}, cube`,
    0.0011,
  )
  const isOpen = world.notebook.floor.live.some(({ promises }) =>
    promises.some(({ line, isPicked }) => line.consignment === consignment && !isPicked),
  )
  const isProvisional = type === 'outwards' && (!ready.includes(status) || isOpen)
  sameText(told.includes('PROVISIONAL'), isProvisional, `${what}, whether it is provisional`)
}

interface Row {
  quantity: number
  weight: number
  volume: number
}

/** Reads `3 Pair and 1 packages UN 1263, PAINT, 3, PG II 9.1 0.014`; there are two in a pair. */
function rowOf(line: string): Row | null {
  const [, packages = '', weight, volume = '0'] =
    /^(.*?) UN 1263, PAINT, 3, PG II ([\d.,]+)(?: ([\d.,]+))?$/.exec(line) ?? []
  if (weight === undefined) return null
  const numberOf = (text: string) => Number(text.replaceAll(',', ''))
  const quantity = packages.split(' and ').reduce((all, part) => {
    const [count = '0', name] = part.split(' ')
    return all + numberOf(count) * (name === 'Pair' ? 2 : 1)
  }, 0)
  return { quantity: round4(quantity), weight: numberOf(weight), volume: numberOf(volume) }
}
