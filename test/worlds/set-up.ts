// What an organisation sets up before anything happens: a client with products and prices, and a warehouse.

import assert from 'node:assert/strict'
import type { Caller } from '../support/harness.ts'
import { make } from './make.ts'
import type { ExtraType } from './notebook/extras.ts'
import type { Place, Product, Tracking } from './notebook/goods.ts'
import type { PriceList } from './notebook/money.ts'
import { zone } from './notebook/notebook.ts'
import { agreeOn, type Books, basicServices, openBooks } from './prices.ts'
import type { World } from './world.ts'

/** The service in which worlds are made. */
export interface Service {
  /** Makes an organisation, and returns its administrator. */
  newOrganisation(): Promise<Caller>
  /** Makes an organisation that has set up what another one has, under the same ids. */
  copyOf?(caller: Caller): Promise<Caller>
  /** The program that reaches the printers of an organisation, which signs in as an app. */
  asBridge?(caller: Caller, clientId: string): Caller
  /** Another person of an organisation, who may do everything. */
  colleagueOf?(caller: Caller): Promise<Caller>
  /** A person of a client of an organisation. */
  asClient?(caller: Caller, partnerId: string): Caller
  /** Does the work that waits for workers. */
  work(): Promise<unknown>
  /** Does the billing runs that are due. */
  bill?(): Promise<unknown>
  /** Runs the back-tests that are due. */
  test?(): Promise<unknown>
  /** What the checks of stock find wrong in an organisation. */
  findDifferences(organisationId: string): Promise<unknown[]>
}

interface SetUp {
  caller: Caller
  clientId: string
  warehouseId: string
  products: Product[]
  places: Place[]
  extraTypes: ExtraType[]
  books: Books
  /** the unit of two goods */
  pairId: string
  priceLists: PriceList[]
}

export const trackingModes: Record<Tracking, number> = { none: 1, full: 2, release: 3 }
const NotAllowed = 2

/** A product of which any batch or date may be sent, and that is harmless. */
const usual = { isSubstitutable: true, isDangerous: false }
const productFacts: readonly Omit<Product, 'id'>[] = [
  { code: 'APPLE', name: 'Apples', tracking: 'none', weight: 0.25, volume: 0.0005, ...usual },
  {
    ...{ code: 'PEAR', name: 'Pears', tracking: 'none', weight: 1.3, volume: 0.002 },
    ...{ isSubstitutable: false, isDangerous: true },
  },
  { code: 'PLUM', name: 'Plums', tracking: 'none', weight: null, volume: null, ...usual },
  { code: 'SCALE', name: 'Scales', tracking: 'full', weight: 4, volume: 0.03, ...usual },
  { code: 'RADIO', name: 'Radios', tracking: 'release', weight: 0.7, volume: 0.004, ...usual },
]

const extraFacts = [
  { kind: 'task', code: 'WRAP', name: 'Wrapping' },
  { kind: 'task', code: 'LABEL', name: 'Labelling' },
  { kind: 'task', code: 'WAX', name: 'Waxing' },
  { kind: 'consumable', code: null, name: 'Carton' },
  { kind: 'consumable', code: null, name: 'Film' },
] as const

const placeFacts = [
  { name: 'A-01', kind: 'racking', walkingOrder: 1 },
  { name: 'A-02', kind: 'racking', walkingOrder: 2 },
  { name: 'B-01', kind: 'bulk', walkingOrder: 3 },
  { name: 'Q-01', kind: 'quarantine', walkingOrder: 4 },
  { name: 'RECEIVE', kind: 'dock', walkingOrder: 5 },
  { name: 'DISPATCH', kind: 'dock', walkingOrder: 6 },
  { name: 'DOCK-2', kind: 'dock', walkingOrder: 7 },
] as const

/** Calls the products and places that a world began with as it called them then. */
export async function restoreNames({ caller, clientId, warehouseId, notebook }: World): Promise<void> {
  const rename = async (path: string, record: Product | Place | undefined, names: object) => {
    assert.ok(record)
    const { status, body } = await caller.put(`${path}/${record.id}`, names)
    assert.ok(status === 200 || status === 304, JSON.stringify(body))
    Object.assign(record, names)
  }
  for (const [i, { code, name }] of productFacts.entries())
    await rename(`/v1/partners/${clientId}/products`, notebook.products[i], { code, name })
  for (const [i, { name, kind }] of placeFacts.entries()) {
    const place = notebook.places[i]
    await rename(`/v1/warehouses/${warehouseId}/locations`, place, { name })
    if (place?.kind !== 'quarantine' || kind === 'quarantine') continue
    const path = `/v1/warehouses/${warehouseId}/locations/${place.id}`
    const { status } = await caller.put(path, { type: placeTypes[kind] })
    assert.equal(status, 200)
    place.kind = kind
  }
}

/** What the papers of a flammable liquid need to say. */
async function hazardsIn(caller: Caller): Promise<object> {
  const { body } = await caller.get('/v1/dg-hazard-classes?PageSize=500')
  const all = Object.values(body).find(Array.isArray) as { id: string; name: string; dgStandard: number }[]
  const flammable = all.find(({ name, dgStandard }) => dgStandard === 3 && /^(Class )?3\b/.test(name))
  assert.ok(flammable, JSON.stringify(all))
  return {
    ...{ isDangerousGood: true, dgUnNumber: '1263', dgProperShippingName: 'Paint', dgPackagingGroup: 2 },
    dgHazardClasses: [{ dgHazardClassId: flammable.id }],
  }
}

const placeTypes = { racking: 1, bulk: 2, quarantine: 3, dock: 4 }

async function eachInTurn<T, U>(values: readonly T[], make: (value: T) => Promise<U>): Promise<U[]> {
  const made: U[] = []
  for (const value of values) made.push(await make(value))
  return made
}

/** The organisation of a service that others are copies of. */
const originals = new WeakMap<Service, Promise<SetUp>>()

/** Sets an organisation up, once through the API and then by copying that. */
export async function setUpIn(service: Service): Promise<SetUp> {
  if (service.copyOf === undefined) return setUp(service)
  const making = originals.get(service) ?? setUp(service)
  originals.set(service, making)
  const { caller, ...facts } = await making
  return { ...structuredClone(facts), caller: await service.copyOf(caller) }
}

async function setUp(service: Service): Promise<SetUp> {
  const caller = await service.newOrganisation()
  const clientId = await make(caller, '/v1/partners', {
    ...{ name: 'Kauri Foods', code: 'KAURI', relationship: 1, productSubstitution: 1 },
    productExpiryCriticalThresholdDays: 30,
  })
  const warehouseId = await make(caller, '/v1/warehouses', {
    name: 'Auckland',
    code: 'AKL',
    timezoneId: zone,
  })
  const pairId = await make(caller, '/v1/unit-types', { name: 'Pair' })
  const unitConversions = [
    { inputMetricType: 3, inputUnitTypeId: pairId, outputMetricType: 1, conversionRate: 2 },
  ]
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
      unitConversions,
      ...(facts.isDangerous ? await hazardsIn(caller) : {}),
    })
    return { ...facts, id }
  })
  const places = await eachInTurn(placeFacts, async ({ name, kind, walkingOrder }) => {
    const body = { name, type: placeTypes[kind], walkingOrder }
    return { name, kind, id: await make(caller, `/v1/warehouses/${warehouseId}/locations`, body) }
  })
  const idOf = (name: string) => places.find(place => place.name === name)?.id
  const { status } = await caller.put(`/v1/warehouses/${warehouseId}`, {
    defaultReceiveLocationId: idOf('RECEIVE'),
    defaultDispatchLocationId: idOf('DISPATCH'),
  })
  assert.equal(status, 200)
  const extraTypes = await eachInTurn(extraFacts, async ({ kind, code, name }) => {
    const body = { name, ...(code === null ? {} : { code }) }
    return {
      kind,
      code,
      name,
      id: await make(caller, `/v1/${kind}-types`, body),
      formerNames: [],
      isInUse: true,
    }
  })
  const books = await openBooks(caller, clientId)
  const terms = { from: '2020-01-01', isRaised: false }
  const list = await agreeOn({ caller, books }, basicServices(extraTypes), terms)
  return { caller, clientId, warehouseId, products, places, extraTypes, books, pairId, priceLists: [list] }
}
