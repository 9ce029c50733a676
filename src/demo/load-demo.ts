// Loads the demo organisation through the API.

import { type Database, sql } from '../platform/database/db.ts'
import * as data from './demo-data.ts'
import { type Create, loadBills, loadRateCards } from './load-billing.ts'
import { type Call, type IdOf, loadHistory } from './load-history.ts'
import { loadPapers } from './load-papers.ts'
import { loadOpeningBalances, loadScenarios } from './load-stock.ts'
import { loadWaitingImports } from './load-waiting.ts'
import { teaClient } from './paper-data.ts'
import { locations, openingDaysAgo } from './stock-data.ts'

/** How many records were loaded. */
export interface RecordCounts {
  partners: number
  warehouses: number
  products: number
  consignments: number
}

/** Loads all data of the demo by calls of its app. The worker of the service processes the imports. */
export async function loadDemo(
  database: Database,
  call: Call,
  consignments: data.DemoConsignment[],
): Promise<RecordCounts> {
  const now = new Date()
  const idOf = await loadMasterData(call, now)
  const consignmentIds = await loadConsignments(call, consignments)
  // Until autovacuum runs, the query planner would assume that the tables are empty.
  await database.atomically(tx => tx.run(sql`analyze`))
  // Consignments that left before the opening balances come first. All others need the opening balances.
  const opening = data.daysAfter(now, -openingDaysAgo)
  const isBefore = ({ entered, type }: data.DemoConsignment) => entered < opening && type !== 1
  const load = (early: boolean) =>
    forEachInParallel(consignments, async (consignment, i) => {
      if (isBefore(consignment) === early)
        await loadHistory(call, idOf, consignmentIds[i] as string, consignment, i)
    })
  await load(true)
  await loadOpeningBalances(call, idOf, now)
  await load(false)
  await loadScenarios(call, idOf, now)
  await loadWaitingImports(call)
  await loadPapers(call, idOf, now)
  await loadBills(
    call,
    idOf,
    now,
    consignments.map((consignment, i) => ({ ...consignment, id: consignmentIds[i] as string })),
  )
  return {
    partners: data.clients.length + data.carriers.length + 1,
    warehouses: data.warehouses.length,
    products: data.allProducts.length,
    consignments: consignments.length,
  }
}

async function loadMasterData(call: Call, now: Date): Promise<IdOf> {
  const ids = new Map<string, string>()
  const idOf: IdOf = path => {
    const id = ids.get(path)
    if (id === undefined) throw new Error(`The demo has no ${path}.`)
    return id
  }
  const create: Create = async (path, body) => {
    const [id] = Object.values((await call('POST', path, body)).body) as [string]
    ids.set(`${path}/${body.code ?? body.name}`, id)
    return id
  }
  await loadLists(create)
  for (const client of [...data.clients, teaClient])
    await create('/v1/partners', { ...client, relationship: 1 })
  for (const carrier of data.carriers) await create('/v1/partners', { ...carrier, relationship: 2 })
  for (const warehouse of data.warehouses) await loadWarehouse(call, create, warehouse)
  await loadProducts(create, idOf)
  await loadRateCards(call, create, idOf, now)
  return idOf
}

/** Loads the lists that an organisation sets up once. */
async function loadLists(create: Create): Promise<void> {
  for (const [code, name] of data.serviceTypes) await create('/v1/service-types', { code, name })
  for (const [code, name] of data.taskTypes) await create('/v1/task-types', { code, name })
  for (const [code, name] of data.packageTypes) await create('/v1/package-types', { code, name })
  for (const [code, name] of data.costCentres) await create('/v1/cost-centres', { code, name })
  for (const [code, name] of data.revenueAccounts) await create('/v1/revenue-accounts', { code, name })
  for (const [name, percent, accountingCode] of data.taxRates)
    await create('/v1/tax-rates', { name, percent, accountingCode })
  for (const name of data.consumableTypes) await create('/v1/consumable-types', { name })
  for (const name of data.unitTypes) await create('/v1/unit-types', { name })
  for (const name of data.productGroups) await create('/v1/product-groups', { name })
}

/** Loads a warehouse with its zones and locations, and its default locations for receiving and dispatch. */
async function loadWarehouse(
  call: Call,
  create: Create,
  warehouse: (typeof data.warehouses)[number],
): Promise<void> {
  const path = `/v1/warehouses/${await create('/v1/warehouses', warehouse)}`
  const zoneIds = new Map<string, string>()
  for (const name of data.zones)
    zoneIds.set(name, await create(`${path}/zones`, { name, code: name.slice(0, 1) }))
  const locationIds = new Map<string, string>()
  for (const { zone, ...group } of locations) {
    const { body } = await call('POST', `${path}/locations/many`, {
      ...group,
      warehouseZoneId: zoneIds.get(zone),
    })
    locationIds.set(group.pattern, (body.warehouseLocationIds as string[])[0] as string)
  }
  await call('PUT', path, {
    defaultReceiveLocationId: locationIds.get('RECEIVE'),
    defaultDispatchLocationId: locationIds.get('DISPATCH'),
  })
}

async function loadProducts(create: Create, idOf: IdOf): Promise<void> {
  const [each, carton, pallet] = data.unitTypes.map(name => idOf(`/v1/unit-types/${name}`))
  await forEachInParallel(data.allProducts, async ({ client, group, perCarton, body }) => {
    const product = {
      ...body,
      productGroupId: idOf(`/v1/product-groups/${group}`),
      productUnitTypeId: each,
      unitTypeId: carton,
      unitConversions: [
        { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: perCarton },
        {
          inputMetricType: 3,
          inputUnitTypeId: pallet,
          outputMetricType: 3,
          outputUnitTypeId: carton,
          conversionRate: 40,
        },
      ],
    }
    await create(`/v1/partners/${idOf(`/v1/partners/${client}`)}/products`, product)
  })
}

/** Works through a list in order, six items at a time. */
async function forEachInParallel<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const left = items.entries()
  const worker = async () => {
    for (const [i, item] of left) await work(item, i)
  }
  await Promise.all(Array.from({ length: 6 }, worker))
}

const maxProcessingMs = 60_000

/** Imports consignments and waits until they exist. Returns their ids in the same order. */
async function loadConsignments(call: Call, consignments: data.DemoConsignment[]): Promise<string[]> {
  const ids: string[] = []
  for (const { request } of consignments)
    ids.push((await call('POST', '/v1/consignment-imports', request)).body.consignmentId as string)
  const end = Date.now() + maxProcessingMs
  while (((await call('GET', '/v1/consignments?PageSize=1')).body.total as number) < consignments.length) {
    if (Date.now() > end) throw new Error('The imports of the demo were not processed in a minute.')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return ids
}
