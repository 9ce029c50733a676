// A world: an organisation of the service, and the notebook of what was done in it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ApiResponse, Caller } from '../support/harness.ts'
import { availableOf } from './notebook/floor.ts'
import { keyOf } from './notebook/goods.ts'
import { Notebook } from './notebook/notebook.ts'
import type { Books } from './prices.ts'
import { type Service, setUpIn } from './set-up.ts'

/** An instant between two deeds. */
export interface Moment {
  instant: number
  /** how many entries the journal had */
  known: number
  /** what anybody could be promised of each heap, by its key */
  available: ReadonlyMap<string, number>
  /** the latest deed */
  words: string
}

export interface World {
  readonly service: Service
  readonly caller: Caller
  /** another person of the organisation, and one of the client, where there are any */
  readonly colleague: Caller | null
  readonly clientPerson: Caller | null
  readonly notebook: Notebook
  readonly clientId: string
  readonly warehouseId: string
  /** what prices refer to */
  readonly books: Books
  /** how the deed that is being done is told to the service */
  way: Way
  /** the unit of two goods */
  readonly pairId: string
  /** whether the deed that is being done counts in pairs where it can */
  isInPairs: boolean
  /** what the service answered since something was last done; it is not asked the same again */
  readonly told: Map<string, Body>
  /** what was done so far, in words */
  readonly history: string[]
  readonly moments: Moment[]
}

/** Adds a deed to the history before it is done, so that a history ends with the deed that failed. */
export const say = ({ history }: World, words: string): void => {
  history.push(words)
}

// The answers of the service have every shape.
// biome-ignore lint/suspicious/noExplicitAny: each deed names the fields it expects
type Body = any

type Method = 'get' | 'post' | 'put' | 'delete'

/** What is asked with a POST and changes nothing. */
const reads = /^\/v1\/(reports\/|storage-charges\/preview$)/

/**
 * Sends a command. Returns its answer, or null if it was refused with a code that is to be expected here;
 * anything else is a fault, unless it is that everything is so already, where that may be.
 */
export async function ask(
  world: World,
  method: Method,
  path: string,
  body?: object,
  {
    mayBe = [],
    mayBeSo = false,
    by = world.caller,
  }: { mayBe?: readonly string[]; mayBeSo?: boolean; by?: Caller } = {},
): Promise<Body> {
  const { told } = world
  const isRead = method === 'get' || reads.test(path)
  if (!isRead) {
    world.notebook.floor.act++
    told.clear()
  }
  const question = `${path} ${JSON.stringify(body)}`
  if (told.has(question)) return told.get(question)
  const answer = await untilNotBusy(() =>
    send({ caller: by, way: world.way }, method, path, world.isInPairs ? inPairs(world, body) : body),
  )
  const ignored = answer.headers['ignored-fields']
  assert.equal(ignored, undefined, `${path} ignores ${ignored}`)
  if (isRead && answer.status < 300) told.set(question, answer.body)
  if (answer.status < 300) return answer.body
  if (answer.status === 304 && mayBeSo) return {}
  const codes = (answer.details ?? []).map(({ code }) => code)
  const words = `${answer.status} ${(answer.body?.ErrorMessages ?? []).join(' ')}`
  if (answer.status === 400 && codes.length > 0 && codes.every(code => mayBe.includes(code))) {
    world.history.push(`  (refused: ${words})`)
    return null
  }
  assert.fail(`${method} ${path} ${JSON.stringify(body)} was answered: ${words} [${codes.join(' ')}]`)
}

const lists = ['receipts', 'unreceipts', 'picks', 'unpicks', 'transfers', 'adjustments', 'stock', 'lines']

/** A command that counts in pairs wherever there is an even number of goods. */
function inPairs({ pairId }: World, body: object | undefined): object | undefined {
  const entries = Object.entries(body ?? {}).map(([name, value]): [string, unknown] => {
    if (!lists.includes(name) || !Array.isArray(value)) return [name, value]
    return [name, value.map(entry => (isEven(entry) ? pair(entry, pairId) : entry))]
  })
  return body && Object.fromEntries(entries)
}

const isEven = ({ quantity }: { quantity?: number }) =>
  quantity !== undefined && quantity !== 0 && quantity % 2 === 0
const pair = (entry: { quantity: number }, pairId: string) => ({
  ...{ ...entry, quantity: entry.quantity / 2, unitTypeId: pairId },
})

/** Asks again while the service is too busy to answer, which says nothing about the world. */
export async function untilNotBusy(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let times = 1; ; times++) {
    const answer = await request()
    if (answer.status !== 503 || times === 20) return answer
    await setTimeout(50)
  }
}

/** How a deed is told to the service: as a command, twice as the same command, or by a device that was offline. */
export type Way = 'once' | 'twice' | 'replayed'

const commands =
  /^\/v1\/(consignments\/[^/]+\/(?!charges)|stock-counts\/[^/]+\/|stock-counts$|inventory\/)[a-z/-]*$/

/** Sends a request in the way of the deed. The same command sent twice is done once. */
async function send(
  { caller, way }: Pick<World, 'caller' | 'way'>,
  method: Method,
  path: string,
  body: object | undefined,
): Promise<ApiResponse> {
  const isCommand = method === 'post' && (commands.test(path) || /\/holds\/[^/]+\/release$/.test(path))
  if (!isCommand || way === 'once')
    return method === 'delete' ? caller.delete(path) : caller[method](path, body)
  const operationId = randomUUID()
  if (way === 'twice') {
    const first = await caller.post(path, { ...body, operationId })
    const second = await caller.post(path, { ...body, operationId })
    if (first.status < 300) {
      assert.deepEqual(second.body, first.body, `${path}, sent twice, is answered in two ways`)
      assert.equal(second.headers['idempotent-replayed'], 'true')
    }
    return first
  }
  const operation = { operationId, path, body: body ?? {} }
  const answer = await caller.post('/v1/inventory/replay', { operations: [operation] })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { status, body: told, ignoredFields } = answer.body.operations[0]
  assert.deepEqual(ignoredFields, [], `${path} has fields that mean nothing`)
  return { ...answer, status, body: told, details: told.ErrorDetails }
}

/** Remembers an instant after the latest deed, at which nothing happens. */
export async function remember({ moments, notebook, history }: World): Promise<void> {
  // The service writes down microseconds, and the instant must be after the deed and before the next one.
  await setTimeout(2)
  const { live, journal } = notebook.floor
  moments.push({
    ...{ instant: Date.now(), known: journal.length, words: history.at(-1) ?? '' },
    available: new Map(live.map(heap => [keyOf(heap), availableOf(heap)])),
  })
  await setTimeout(2)
}

/** Opens a world in which nothing has happened yet. */
export async function openWorld(service: Service): Promise<World> {
  const { caller, clientId, warehouseId, books, pairId, ...facts } = await setUpIn(service)
  const record = { service, caller, notebook: new Notebook(facts), clientId, warehouseId, books, pairId }
  const colleague = (await service.colleagueOf?.(caller)) ?? null
  const clientPerson = service.asClient?.(caller, clientId) ?? null
  return {
    ...record,
    colleague,
    clientPerson,
    way: 'once',
    isInPairs: false,
    told: new Map(),
    history: [],
    moments: [],
  }
}

/** Waits until an import has become a consignment, and returns its detail. */
export async function untilConsignment(world: World, consignmentId: string): Promise<Body> {
  for (;;) {
    await world.service.work()
    const { status, body } = await world.caller.get(`/v1/consignments/${consignmentId}`)
    if (status === 200) return body
    // Another world's turn may process this import.
    await setTimeout(5)
  }
}
