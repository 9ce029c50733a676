// Everything that an organisation's state is, save ids and instants, so that two of them can be compared.

import type { Caller } from '../support/harness.ts'
import { sameText } from './statements/figures.ts'

type Value = unknown

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const instant = /\d{4}-\d\d-\d\dT[\d:.]+Z?/g
/** What a number of the organisation begins with. */
const prefix = /\b[A-Z]{3}(?=-\d{6})/g

/** A value without ids and instants, and without the letters that tell organisations apart. */
function plain(value: Value): Value {
  if (typeof value === 'string')
    return id.test(value) ? 'an id' : value.replace(instant, 'an instant').replace(prefix, 'T')
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
}

/** Things whose order follows from ids, in an order that does not. */
const inOrder = (values: readonly Value[]): Value[] =>
  values.map(plain).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** The state of an organisation by what it is about. */
export async function stateOf(caller: Caller): Promise<Record<string, Value>> {
  const read = async (path: string) => (await caller.get(path)).body
  const report = async (name: string) => (await caller.post(`/v1/reports/${name}`, {})).body
  const { inventory } = await read('/v1/inventory?PageSize=500&IncludeDepleted=true')
  const { consignments } = await read('/v1/consignments?PageSize=500')
  const state: Record<string, Value> = {}
  for (const { id, consignmentNumber } of consignments as { id: string; consignmentNumber: string }[]) {
    const of = async (part: string) => plain(await read(`/v1/consignments/${id}${part}`))
    const name = plain(consignmentNumber)
    // Which job picked it is no state of the consignment.
    const { jobs: _, ...detail } = (await of('')) as Record<string, Value>
    state[`${name}`] = detail
    state[`${name}, its charges`] = await of('/charges')
    state[`${name}, what moved`] = await of('/product-information')
    state[`${name}, what it has`] = inOrder((await read(`/v1/consignments/${id}/allocations`)).allocations)
  }
  return {
    ...state,
    stock: inOrder(inventory),
    items: inOrder((await read('/v1/inventory-items?PageSize=500')).items),
    holds: inOrder((await read('/v1/inventory/holds?PageSize=500')).holds),
    shortages: plain(await read('/v1/inventory/shortages?PageSize=500')),
    received: inOrder(await report('consignment-product-received')),
    dispatched: inOrder(await report('consignment-product-dispatched')),
    balance: inOrder(await report('stock-on-hand')),
    money: inOrder((await read('/v1/schedule-transactions?PageSize=500')).scheduleTransactions),
    unbilled: inOrder(await report('unbilled-work')),
  }
}

/** Fails, naming the first thing that differs, if two organisations are not in one state. */
export async function sameState(one: Caller, other: Caller, what: string): Promise<void> {
  const [first, second] = await Promise.all([stateOf(one), stateOf(other)])
  for (const name of new Set([...Object.keys(first), ...Object.keys(second)]))
    sameText(second[name], first[name], `${what}: ${name}`)
}
