// A world: an organisation of the service, and the notebook of what was done in it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ApiResponse, Caller } from '../support/harness.ts'
import { make } from './make.ts'
import { availableOf } from './notebook/floor.ts'
import { keyOf, type Product, type Tracking } from './notebook/goods.ts'
import { Notebook, zone } from './notebook/notebook.ts'
import { agreeOn, type Books, basicServices, openBooks } from './prices.ts'

/** The service in which worlds are made. */
export interface Service {
  /** Makes an organisation, and returns its administrator. */
  newOrganisation(): Promise<Caller>
  /** Does the work that waits for workers. */
  work(): Promise<unknown>
  /** What the checks of stock find wrong in an organisation. */
  findDifferences(organisationId: string): Promise<unknown[]>
}

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
  readonly notebook: Notebook
  readonly clientId: string
  readonly warehouseId: string
  /** what prices refer to */
  readonly books: Books
  /** how the deed that is being done is told to the service */
  way: Way
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

/**
 * Sends a command. Returns its answer, or null if it was refused with a code that is to be expected here;
 * anything else is a fault.
 */
export async function ask(
  world: World,
  method: 'get' | 'post' | 'put',
  path: string,
  body?: object,
  { mayBe = [] }: { mayBe?: readonly string[] } = {},
): Promise<Body> {
  if (method !== 'get') world.notebook.floor.act++
  const answer = await send(world, method, path, body)
  if (answer.status < 300) return answer.body
  const codes = (answer.details ?? []).map(({ code }) => code)
  const words = `${answer.status} ${(answer.body?.ErrorMessages ?? []).join(' ')}`
  if (answer.status === 400 && codes.length > 0 && codes.every(code => mayBe.includes(code))) {
    world.history.push(`  (refused: ${words})`)
    return null
  }
  assert.fail(`${method} ${path} ${JSON.stringify(body)} was answered: ${words} [${codes.join(' ')}]`)
}

/** How a deed is told to the service: as a command, twice as the same command, or by a device that was offline. */
export type Way = 'once' | 'twice' | 'replayed'

const commands = /^\/v1\/(consignments\/[^/]+\/(?!charges)|inventory\/)[a-z/-]+$/

/** Sends a request in the way of the deed. The same command sent twice is done once. */
async function send(
  world: World,
  method: 'get' | 'post' | 'put',
  path: string,
  body: object | undefined,
): Promise<ApiResponse> {
  const { caller, way } = world
  const isCommand = method === 'post' && (commands.test(path) || /\/holds\/[^/]+\/release$/.test(path))
  if (!isCommand || way === 'once') return caller[method](path, body)
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
  const { status, body: told } = answer.body.operations[0]
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

export const trackingModes: Record<Tracking, number> = { none: 1, full: 2, release: 3 }
const NotAllowed = 2

const productFacts: readonly Omit<Product, 'id'>[] = [
  { code: 'APPLE', name: 'Apples', tracking: 'none', weight: 0.25, volume: 0.0005, isSubstitutable: true },
  { code: 'PEAR', name: 'Pears', tracking: 'none', weight: 1.3, volume: 0.002, isSubstitutable: false },
  { code: 'PLUM', name: 'Plums', tracking: 'none', weight: null, volume: null, isSubstitutable: true },
  { code: 'SCALE', name: 'Scales', tracking: 'full', weight: 4, volume: 0.03, isSubstitutable: true },
  { code: 'RADIO', name: 'Radios', tracking: 'release', weight: 0.7, volume: 0.004, isSubstitutable: true },
]

const placeFacts = [
  { name: 'A-01', kind: 'racking', walkingOrder: 1 },
  { name: 'A-02', kind: 'racking', walkingOrder: 2 },
  { name: 'B-01', kind: 'bulk', walkingOrder: 3 },
  { name: 'Q-01', kind: 'quarantine', walkingOrder: 4 },
  { name: 'RECEIVE', kind: 'dock', walkingOrder: 5 },
  { name: 'DISPATCH', kind: 'dock', walkingOrder: 6 },
  { name: 'DOCK-2', kind: 'dock', walkingOrder: 7 },
] as const

const placeTypes = { racking: 1, bulk: 2, quarantine: 3, dock: 4 }

async function eachInTurn<T, U>(values: readonly T[], make: (value: T) => Promise<U>): Promise<U[]> {
  const made: U[] = []
  for (const value of values) made.push(await make(value))
  return made
}

/** Makes an organisation in which nothing has happened yet. */
export async function openWorld(service: Service): Promise<World> {
  const caller = await service.newOrganisation()
  const clientId = await make(caller, '/v1/partners', {
    ...{ name: 'Kauri Foods', code: 'KAURI', relationship: 1, productSubstitution: 1 },
  })
  const warehouseId = await make(caller, '/v1/warehouses', {
    name: 'Auckland',
    code: 'AKL',
    timezoneId: zone,
  })
  // One after the other, because what is alike in everything else stands in the order of its creation.
  const products = await eachInTurn(productFacts, async facts => {
    const { code, name, tracking, weight, volume, isSubstitutable } = facts
    const substitution = isSubstitutable ? 1 : NotAllowed
    const id = await make(caller, `/v1/partners/${clientId}/products`, {
      ...{ code, name, weightKG: weight, volumeM3: volume },
      serialTrackingMode: trackingModes[tracking],
      batchSubstitution: substitution,
      bestBeforeDateSubstitution: substitution,
      expirySubstitution: substitution,
    })
    return { ...facts, id }
  })
  const places = await eachInTurn(placeFacts, async ({ name, kind, walkingOrder }) => {
    const body = { name, type: placeTypes[kind], walkingOrder }
    return { name, kind, id: await make(caller, `/v1/warehouses/${warehouseId}/locations`, body) }
  })
  const notebook = new Notebook({ products, places })
  const { status } = await caller.put(`/v1/warehouses/${warehouseId}`, {
    defaultReceiveLocationId: notebook.receiving.id,
    defaultDispatchLocationId: notebook.dock.id,
  })
  assert.equal(status, 200)
  const books = await openBooks(caller, clientId)
  await agreeOn({ caller, notebook, books }, basicServices, { from: '2020-01-01', isRaised: false })
  const record = { service, caller, notebook, clientId, warehouseId, books }
  return { ...record, way: 'once', history: [], moments: [] }
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
