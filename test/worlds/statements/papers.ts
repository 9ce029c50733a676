// What papers say: what left with an order, what came for an announcement, what is to be picked, and what a
// bill comes to. One paper of each world is read, line by line.

import assert from 'node:assert/strict'
import { linesOf } from '../../support/pdf.ts'
import { round4 } from '../notebook/goods.ts'
import { type Consignment, cameFor, goneOf, leftWith, Status, shortOf } from '../notebook/orders.ts'
import { promisesIn } from '../notebook/promises.ts'
import { untilNotBusy, type World } from '../world.ts'
import { sameText } from './figures.ts'

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 })
const amounts = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const figure = (value: number): string => figures.format(value)
const words = (parts: readonly (string | null)[]) => parts.filter(part => part !== null).join(' ')
const sum = (values: readonly number[]) => round4(values.reduce((all, value) => all + value, 0))

/** The lines of a paper. */
async function read({ caller }: World, path: string): Promise<string[]> {
  const { status, bytes, body } = await untilNotBusy(() => caller.get(path))
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return (await linesOf(bytes)).flat()
}

/** Fails unless a paper has these lines, or lines that begin with them, each as often as here. */
function says(lines: readonly string[], known: readonly string[], what: string): void {
  for (const [line, own] of Map.groupBy(known, text => text)) {
    const found = lines.filter(told => told === line || told.startsWith(`${line} `))
    assert.ok(
      found.length >= own.length,
      `${what} says “${line}” ${found.length} times, and not ${own.length}:\n${lines.join('\n')}`,
    )
  }
}

export async function papers(world: World): Promise<void> {
  const { journal } = world.notebook.floor
  const kinds = [dispatchConfirmation, receiptConfirmation, pickingList, bill, extraWork]
  await kinds[journal.length % kinds.length]?.(world)
}

const latest = (consignments: readonly Consignment[]) => consignments.at(-1)

/** Goods are told by what they were called when they left. */
async function dispatchConfirmation(world: World): Promise<void> {
  const { notebook } = world
  const left = notebook
    .consignmentsOf('outwards', [Status.InTransit, Status.Complete, Status.Closed])
    .filter(({ lines }) => lines.some(line => leftWith(line).quantity > 0))
  const consignment = latest(left)
  if (consignment === undefined) return
  const told = await read(world, `/v1/consignments/${consignment.id}/dispatch-confirmation-pdf`)
  const what = `the dispatch confirmation of ${consignment.number}`
  const gone = consignment.lines.flatMap(goneOf)
  const rows = gone.map(({ identity: { look, unit }, code, quantity }) =>
    words([code, look.batch, unit && (unit.isSscc ? unit.number : unit.name), figure(quantity)]),
  )
  says(told, rows, what)
  says(told, [`Total ${figure(sum(gone.map(({ quantity }) => quantity)))}`], what)
  const text = told.join(' ')
  for (const serial of gone.flatMap(({ serials }) => serials))
    assert.ok(text.includes(serial), `${what} does not name ${serial}`)
}

async function receiptConfirmation(world: World): Promise<void> {
  const { notebook } = world
  const open = [Status.ReadyToReceive, Status.Complete, Status.Closed]
  const came = notebook
    .consignmentsOf('inwards', open)
    .filter(({ lines }) => lines.some(line => cameFor(line).quantity > 0))
  const consignment = latest(came)
  if (consignment === undefined) return
  const told = await read(world, `/v1/consignments/${consignment.id}/receipt-confirmation-pdf`)
  const quantities = consignment.lines.map(line => ({
    expected: line.expected,
    received: cameFor(line).quantity,
    over: Math.max(0, round4(cameFor(line).quantity - line.expected)),
    short: shortOf(notebook.floor, line),
  }))
  const totals = (['expected', 'received', 'over', 'short'] as const)
    .map(name => sum(quantities.map(line => line[name])))
    .filter(total => total > 0)
  says(told, [words(['Total', ...totals.map(figure)])], `the receipt confirmation of ${consignment.number}`)
}

async function pickingList(world: World): Promise<void> {
  const { notebook } = world
  const consignment = latest(
    notebook.consignmentsOf('outwards', [Status.ReadyToPick, Status.ReadyToDispatch]),
  )
  if (consignment === undefined) return
  const told = await read(world, `/v1/consignments/${consignment.id}/picking-list-pdf`)
  const what = `the picking list of ${consignment.number}`
  const parts = notebook.floor.live.flatMap(heap =>
    consignment.lines.flatMap(line =>
      [false, true].flatMap(isPicked => {
        const quantity = sum(promisesIn(heap, line, isPicked).map(promise => promise.quantity))
        return quantity > 0 ? [{ heap, quantity, isPicked }] : []
      }),
    ),
  )
  says(
    told,
    parts.map(({ heap: { place, product, look } }) => words([place.name, product.code, look.batch])),
    what,
  )
  const totals = Map.groupBy(parts, ({ isPicked }) => isPicked)
  says(
    told,
    [...totals.values()].map(own => `Total ${figure(sum(own.map(({ quantity }) => quantity)))}`),
    what,
  )
  const isEmpty = !parts.some(({ isPicked }) => !isPicked)
  sameText(told.includes('Nothing is left to pick.'), isEmpty, `${what}, whether nothing is left to pick`)
}

/** What was done besides, and used. */
async function extraWork(world: World): Promise<void> {
  const consignment = latest(world.notebook.consignments.filter(({ extras }) => extras.length > 0))
  if (consignment === undefined) return
  const told = await read(world, `/v1/consignments/${consignment.id}/detail-pdf`)
  // Which name depends on when the goods moved: the first that the paper has is taken.
  const known = consignment.extras.map(({ type, value }) => {
    const lines = [type.name, ...type.formerNames].map(name => words([name, figure(value)]))
    return lines.find(line => told.includes(line)) ?? String(lines[0])
  })
  says(told, known, `the paper of ${consignment.number}`)
}

async function bill(world: World): Promise<void> {
  const { books } = world.notebook
  const schedule = books.schedules.at(-1)
  if (schedule === undefined) return
  const told = await read(world, `/v1/schedules/${schedule.id}/statement-pdf`)
  const own = books.bookings.filter(one => one.schedule === schedule && !one.isVoid)
  const cents = own.reduce((all, one) => all + one.cents, 0)
  says(told, [`Total excluding tax ${amounts.format(cents / 100)}`], 'the statement of a schedule')
  for (const { consignment } of own)
    assert.ok(
      consignment === null || told.some(line => line.includes(consignment.number)),
      `the statement of a schedule does not name ${consignment?.number}`,
    )
}
