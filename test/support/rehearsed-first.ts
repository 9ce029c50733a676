// A caller that rehearses every act before it does it, and fails unless the rehearsal changed nothing and told
// what the act then did. What it did is read from the tables, in other ways than the service reads it.

import assert from 'node:assert/strict'
import type pg from 'pg'
import { type ApiResponse, type Caller, endpointOf } from './harness.ts'

type Method = 'post' | 'put' | 'delete'

/** An effect as a rehearsal tells it. */
interface Told {
  kind: string
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: each kind has data of its own
  data: any
}

/** What was compared, by kind of effect, so that a test can see that it compared something. */
export type Compared = Map<string, number>

/** The acts that were rehearsed and then done, as `post /v1/inventory/transfer`. */
export type Reached = Set<string>

/** Makes the caller rehearse its acts. Its requests run one after the other. */
export function rehearsedFirst(
  caller: Caller,
  client: pg.Client,
  compared: Compared = new Map(),
  reached: Reached = new Set(),
): Caller {
  let last: Promise<unknown> = Promise.resolve()
  async function act(method: Method, path: string, body?: unknown): Promise<ApiResponse> {
    const send = (by: Caller) => (method === 'delete' ? by.delete(path) : by[method](path, body))
    const before = await digestsOf(client)
    const rehearsal = await send(caller.with({ 'waybill-rehearse': 'true' }))
    assert.deepEqual(await digestsOf(client), before, `a rehearsal of ${method} ${path} changed something`)
    const billed = await transactionsOf(client)
    const snapshot = (await client.query('select pg_current_snapshot()::text as taken')).rows[0].taken
    const answer = await send(caller)
    const endpoint = endpointOf(method.toUpperCase(), path)
    if (endpoint?.canBeRehearsed !== true) {
      assert.equal(rehearsal.status, 400)
      return answer
    }
    const words = `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(rehearsal.body)}`
    if (rehearsal.status !== 200) {
      assert.deepEqual([rehearsal.status, rehearsal.body], [answer.status, answer.body], words)
      return answer
    }
    const { outcome, result, effects } = rehearsal.body
    reached.add(`${method} ${endpoint.path}`)
    assert.equal(outcome, answer.status, words)
    assert.deepEqual(withoutNewValues(result), withoutNewValues(answer.body ?? null), words)
    for (const { kind } of effects) compared.set(kind, (compared.get(kind) ?? 0) + 1)
    assert.deepEqual(whatWasTold(effects), await whatWasDone(client, snapshot, billed), words)
    return answer
  }
  const inTurn =
    (method: Method) =>
    (path: string, body?: unknown): Promise<ApiResponse> => {
      const acting = last.then(() => act(method, path, body))
      last = acting.catch(() => {})
      return acting
    }
  return {
    ...caller,
    post: inTurn('post'),
    put: inTurn('put'),
    delete: inTurn('delete'),
    with: headers => rehearsedFirst(caller.with(headers), client, compared, reached),
  }
}

/** A digest of every table, read in one statement: there are many tables and many acts. */
async function digestsOf(client: pg.Client): Promise<unknown[]> {
  const { rows: tables } = await client.query(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`)
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*), sum(hashtextextended(t::text, 0)) as digest from ${name} t`,
  )
  return (await client.query(parts.join(' union all '))).rows
}

/** An answer without the ids and times that are new in each. */
const withoutNewValues = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
  )

/** The figures of effects. */
interface Figures {
  reserved: number
  released: number
  /** the change of each location, by name */
  goods: Record<string, number>
  /** `from to` and how many records went that way */
  moves: Record<string, number>
  deliveries: number
  /** the sum of what was billed, raised and made void, in cents */
  cents: number
  /** how many transactions were put on a schedule or taken off one */
  bundled: number
}

const add = (into: Record<string, number>, key: string, n: number): void => {
  into[key] = Math.round(((into[key] ?? 0) + n) * 10_000) / 10_000
  if (into[key] === 0) delete into[key]
}

function whatWasTold(effects: readonly Told[]): Figures {
  const figures: Figures = {
    reserved: 0,
    released: 0,
    goods: {},
    moves: {},
    deliveries: 0,
    cents: 0,
    bundled: 0,
  }
  for (const { kind, data } of effects) {
    if (kind === 'allocate') figures.reserved += data.quantity
    if (kind === 'release') figures.released += data.quantity
    if (kind === 'event') figures.deliveries += data.deliveries ?? 0
    if (kind === 'schedule') figures.bundled += data.transactionCount ?? 0
    if (kind === 'charge') figures.cents += Math.round((data.amountExclTax ?? 0) * 100)
    const places = (side: unknown) => (Array.isArray(side) ? side : [])
    for (const { locationName, quantity } of places(data.from)) add(figures.goods, locationName, -quantity)
    for (const { locationName, quantity } of places(data.to)) add(figures.goods, locationName, quantity)
    for (const noun of ['consignment', 'job', 'schedule'])
      if (data.from !== undefined && data[`${noun}Ids`] !== undefined)
        add(figures.moves, `${noun} ${data.from} ${data.to}`, data[`${noun}Ids`].length)
  }
  return figures
}

/** A transaction, as far as it matters whether it is billed and where. */
interface Transaction {
  id: string
  cents: number
  isVoid: boolean
  scheduleId: string | null
}

const transactionsOf = async (client: pg.Client): Promise<ReadonlyMap<string, Transaction>> => {
  const { rows } = await client.query<Transaction>(`select id, (amount_excl_tax * 100)::float8 as cents,
    status = 3 as "isVoid", partner_schedule_id as "scheduleId" from schedule_transaction`)
  return new Map(rows.map(row => [row.id, row]))
}

/** What changed between two states of all transactions. */
function billedSince(before: ReadonlyMap<string, Transaction>, now: ReadonlyMap<string, Transaction>) {
  const figures = { cents: 0, bundled: 0 }
  for (const [id, { cents, isVoid, scheduleId }] of now) {
    const old = before.get(id)
    if (old === undefined || old.isVoid !== isVoid) figures.cents += cents
    if ((old?.scheduleId ?? null) !== scheduleId) figures.bundled++
  }
  return figures
}

/** Reads what was written since a snapshot: the rows whose transactions it does not see. */
async function whatWasDone(
  client: pg.Client,
  snapshot: string,
  billed: ReadonlyMap<string, Transaction>,
): Promise<Figures> {
  const isNew = (table: string) => `not pg_visible_in_snapshot(${table}.xmin::text::xid8, $1)`
  const rows = async (query: string) => (await client.query(query, [snapshot])).rows
  const [[allocations], goods, moves, [deliveries]] = [
    await rows(`select coalesce(sum(greatest(t.allocated_quantity, 0)), 0)::float8 as reserved,
        coalesce(sum(greatest(-t.allocated_quantity, 0)), 0)::float8 as released
      from inventory_transaction t where t.type = 0 and ${isNew('t')}`),
    await rows(`select l.name, sum(t.quantity)::float8 as quantity
      from inventory_transaction t
      join warehouse_product s on s.id = t.warehouse_product_id
      join warehouse_location l on l.id = s.warehouse_location_id
      where ${isNew('t')} group by l.name having sum(t.quantity) <> 0`),
    await rows(`select (array['consignment', 'schedule', 'job'])[e.type / 100] || ' ' || (c ->> 'from') || ' '
        || (c ->> 'to') as way, count(*)::integer as n
      from event e cross join lateral jsonb_array_elements(e.changes) c
      where e.type in (112, 204, 303) and c ->> 'field' = 'status' and ${isNew('e')} group by 1`),
    await rows(`select count(*)::integer as n from webhook_delivery d where ${isNew('d')}`),
  ]
  const figures: Figures = {
    ...allocations,
    goods: {},
    moves: {},
    deliveries: deliveries.n,
    ...billedSince(billed, await transactionsOf(client)),
  }
  for (const { name, quantity } of goods) add(figures.goods, name, quantity)
  for (const { way, n } of moves) add(figures.moves, way, n)
  return figures
}
