// The lines that lack stock, or would leave something behind.

import { availableOf } from '../notebook/floor.ts'
import { round4 } from '../notebook/goods.ts'
import { type Line, leftWith, promisedTo, Status, shortOf } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

/** The lines that lack something, or would leave something behind. */
export const shortLines = ({ notebook }: World): Line[] =>
  notebook
    .consignmentsOf('outwards', [Status.ReadyToPick, Status.ReadyToDispatch])
    .flatMap(({ lines }) => lines)
    .filter(
      line =>
        shortOf(notebook.floor, line) > 0 ||
        (line.consignment.status === Status.ReadyToDispatch && promisedTo(notebook.floor, line, false) > 0),
    )

export async function shortages(world: World): Promise<void> {
  const { notebook } = world
  const { floor } = notebook
  const told = (await ask(world, 'get', '/v1/inventory/shortages?PageSize=500')).shortages
  const known = shortLines(world).map(line => ({
    ...{ number: line.consignment.number, line: line.id, code: line.product.code },
    ...{ expected: line.expected, allocated: promisedTo(floor, line, false) },
    ...{ picked: promisedTo(floor, line, true), dispatched: leftWith(line).quantity },
    short: shortOf(floor, line),
    available: round4(
      floor.live
        .filter(({ product }) => product === line.product)
        .reduce((all, heap) => all + availableOf(heap), 0),
    ),
  }))
  const figures = told.map((row: Row) => ({
    ...{ number: row.consignmentNumber, line: row.consignmentProductId, code: row.partnerProductCode },
    ...{ expected: row.expectedQuantity, allocated: row.allocatedQuantity, picked: row.pickedQuantity },
    ...{ dispatched: row.dispatchedQuantity, short: Math.max(0, row.shortQuantity) },
    available: row.availableQuantity,
  }))
  sameText(byLine(figures), byLine(known), 'the shortages')
}

const byLine = (rows: readonly { line: string }[]) => rows.toSorted((a, b) => (a.line < b.line ? -1 : 1))
