// The list of consignments: all of them, and those of each status, with how many there are.

import { type Consignment, Status } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function consignmentList(world: World): Promise<void> {
  const { consignments } = world.notebook
  await compare(world, '', consignments, 'all consignments')
  const statuses = Object.entries(Status).map(([name, status]) => ({
    ...{ name, status, own: consignments.filter(consignment => consignment.status === status) },
  }))
  // That nothing is listed in statuses that no consignment has follows from the first of them.
  const noOnes = statuses.find(({ own }) => own.length === 0)
  for (const { name, status, own } of statuses.filter(one => one.own.length > 0 || one === noOnes))
    await compare(world, `&Status=${status}`, own, `the consignments that are ${name}`)
}

async function compare(world: World, query: string, known: readonly Consignment[], what: string) {
  const told = await ask(world, 'get', `/v1/consignments?PageSize=500${query}`)
  sameFigure(told.total, known.length, `${what}, their number`)
  const figures = told.consignments.map((row: Row) => ({
    ...{ id: row.id, number: row.consignmentNumber, type: row.type, status: row.status },
    ...{ client: row.clientId, warehouse: row.warehouseId },
  }))
  const facts = known.map(({ id, number, type, status }) => ({
    ...{ id, number, type: type === 'inwards' ? 1 : 2, status },
    ...{ client: world.clientId, warehouse: world.warehouseId },
  }))
  sameText(byId(figures), byId(facts), what)
}

const byId = (rows: readonly { id: string }[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
