// The events of consignments: each was raised once, with the status that it moved to and the one before.

import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

const created = 'consignment.created'

export async function events(world: World): Promise<void> {
  const { consignments } = world.notebook
  const byConsignment = Map.groupBy(await readEvents(world), ({ data }: Row) => data.consignmentId)
  for (const { id, number, type, status } of consignments) {
    const own: Row[] = byConsignment.get(id) ?? []
    const what = `the events of ${number}`
    sameText(own.filter(event => event.type === created).length, 1, `${what}, of its creation`)
    for (const { data } of own.filter(event => event.data.status !== undefined)) {
      const facts = { number: data.consignmentNumber, type: data.type, client: data.clientId }
      sameText(facts, { number, type: type === 'inwards' ? 1 : 2, client: world.clientId }, what)
    }
    const moves = own.filter(({ data }) => data.previousStatus !== undefined).map(({ data }) => data)
    const before = [own.find(event => event.type === created), ...moves.map(data => ({ data }))]
    const passed = moves.map(({ previousStatus }) => previousStatus)
    sameText(
      passed,
      before.slice(0, -1).map(event => event?.data.status),
      `${what}, what each moved from`,
    )
    sameText(before.at(-1)?.data.status, status, `${what}, the last status`)
  }
}

export async function readEvents(world: World): Promise<Row[]> {
  const found: Row[] = []
  for (let after = 0; ; ) {
    const { events, next } = await ask(world, 'get', `/v1/events?After=${after}`)
    found.push(...events)
    if (next === after) return found
    after = next
  }
}
