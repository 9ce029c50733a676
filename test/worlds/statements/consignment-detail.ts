// The detail of a consignment: what was announced or ordered, and what became of it.

import { localDates } from '../deeds/looks.ts'
import type { Floor } from '../notebook/floor.ts'
import { round4, round6 } from '../notebook/goods.ts'
import {
  type Consignment,
  cameFor,
  heldFor,
  isDone,
  type Line,
  leftWith,
  promisedTo,
  shortOf,
} from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { compareHead, compareLineHead, compareSent } from './consignment-head.ts'
import { sameFigure, sameText, sameVolume, sameWeight } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function consignmentDetail(world: World): Promise<void> {
  for (const consignment of world.notebook.consignments) {
    const told = await ask(world, 'get', `/v1/consignments/${consignment.id}`)
    compareDetail(world.notebook.floor, consignment, told)
    compareHead(world, consignment, told)
    compareReturns(world, consignment, told)
  }
}

function compareDetail(floor: Floor, consignment: Consignment, told: Row): void {
  const { number, lines } = consignment
  sameFigure(told.products.length, lines.length, `${number}, lines`)
  for (const line of lines) compareLine(floor, line, told.products[line.ordinal])
  compareMetrics(consignment, told.metrics)
}

function compareLine(floor: Floor, line: Line, told: Row): void {
  const what = `line ${line.ordinal + 1} of ${line.consignment.number}`
  const [came, left] = [cameFor(line), leftWith(line)]
  const { id, code, name } = line.product
  compareLineHead(told, what)
  compareSent(line, told, what)
  sameText(told.id, line.id, `${what}, id`)
  sameText(told.product, { id, code, name }, `${what}, product`)
  sameText(told.productCode, line.code, `${what}, code`)
  const { batch, attributes } = line.look
  sameText(told.batch, batch, `${what}, batch`)
  for (const [field, date] of Object.entries(localDates(line.look)))
    sameText(told[field], date, `${what}, ${field}`)
  const ofLine = Object.entries(attributes).map(([name, description]) => ({ name, description }))
  sameText(told.attributes, ofLine, `${what}, attributes`)
  const unit = line.isSscc ? told.logisticUnitSsccNumber : told.logisticUnitReferenceNumber
  sameText(unit, line.unitName, `${what}, pallet`)
  sameFigure(told.expectedQuantity, line.expected, `${what}, expected`)
  sameNullable(sameWeight, told.expectedWeightKG, line.expectedWeight, `${what}, expected`)
  sameNullable(sameVolume, told.expectedVolumeM3, line.expectedVolume, `${what}, expected`)
  sameFigure(told.allocatedQuantity, promisedTo(floor, line, false), `${what}, allocated`)
  sameFigure(told.pickedQuantity, promisedTo(floor, line, true), `${what}, picked`)
  sameFigure(told.receivedQuantity, came.quantity, `${what}, received`)
  sameWeight(told.receivedWeightKG, came.weight, `${what}, received`)
  sameVolume(told.receivedVolumeM3, came.volume, `${what}, received`)
  sameFigure(told.dispatchedQuantity, left.quantity, `${what}, dispatched`)
  sameWeight(told.dispatchedWeightKG, left.weight, `${what}, dispatched`)
  sameVolume(told.dispatchedVolumeM3, left.volume, `${what}, dispatched`)
  sameFigure(told.heldQuantity, heldFor(floor, line), `${what}, held`)
  sameFigure(told.shortQuantity, shortOf(floor, line), `${what}, short`)
  const serials = told.items.flatMap(({ serial }: Row) => serial ?? [])
  sameText(serials, line.serials, `${what}, serials`)
}

function sameNullable(
  same: (told: number, known: number, what: string) => void,
  told: number | null,
  known: number | null,
  what: string,
): void {
  if (told === null || known === null) sameText(told, known, what)
  else same(told, known, what)
}

/** The sums over the lines: as expected, and once Complete as it happened. */
function compareMetrics({ number, type, status, lines }: Consignment, told: Row): void {
  const sum = (values: readonly (number | null)[]) =>
    values.every(value => value === null)
      ? null
      : values.reduce<number>((all, value) => all + (value ?? 0), 0)
  const what = `${number}, metrics`
  sameFigure(told.expectedQuantity, sum(lines.map(({ expected }) => expected)) ?? 0, `${what}, expected`)
  sameNullable(
    sameWeight,
    told.expectedWeightKG,
    sum(lines.map(line => line.expectedWeight)),
    `${what}, expected`,
  )
  sameNullable(
    sameVolume,
    told.expectedVolumeM3,
    sum(lines.map(line => line.expectedVolume)),
    `${what}, expected`,
  )
  const isOver = isDone(status)
  const loads = lines.map(type === 'inwards' ? cameFor : leftWith)
  const actual = (of: 'quantity' | 'weight' | 'volume') =>
    isOver ? loads.reduce((all, load) => all + load[of], 0) : null
  const quantity = actual('quantity')
  sameText(told.actualQuantity, quantity && round4(quantity), `${what}, actual`)
  sameNullable(sameWeight, told.actualWeightKG, actual('weight'), `${what}, actual`)
  const volume = actual('volume')
  sameNullable(sameVolume, told.actualVolumeM3, volume && round6(volume), `${what}, actual`)
}

/** A return shows its original, and the original its returns. */
function compareReturns({ notebook }: World, consignment: Consignment, told: Row): void {
  const { returnOf } = consignment
  const original = returnOf && { consignmentId: returnOf.id, consignmentNumber: returnOf.number }
  sameText(told.returnOf, original, `${consignment.number}, the original of the return`)
  const returns = notebook.consignments
    .filter(other => other.returnOf === consignment)
    .map(({ id, number, status }) => ({ consignmentId: id, consignmentNumber: number, status }))
  sameText(told.returns, returns, `${consignment.number}, its returns`)
}
