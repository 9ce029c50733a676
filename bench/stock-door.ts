// The door of stock under many hands: what another write waits beside 32 scanners of one product, 64 callers
// who make consignments of one product ready at the same time, 1,400 transfers of one row at once, and kinds
// of commands that arrive mixed.
//
//     node bench/stock-door.ts

import { pino } from 'pino'
import { sql } from '../src/platform/database/db.ts'
import { readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { findStockDifferences } from '../src/stock/ledger/check-stock.ts'
import { ConsignmentStatus } from '../src/vocabulary/consignments.ts'
import { openDataFolder } from './data-folder.ts'
import { median, percentile, reportFinding } from './figures.ts'
import { load, post, request } from './load.ts'
import { prepareStock, readyToPick } from './moving-stock.ts'
import { allocatePicks } from './picks-load.ts'
import { type Role, serveWaybill, startRole, tokenFor } from './role.ts'

const [role = 'all'] = process.argv.slice(2)
const seconds = Number(process.env.SECONDS ?? 3)
const rounds = Number(process.env.ROUNDS ?? 3)
const scanners = 32
const callers = 64
const transfers = 1_400

type Stock = Awaited<ReturnType<typeof prepareStock>>
type Headers = Record<string, string>

const figure = (value: number) => Math.round(value).toLocaleString('en-GB')

/** Notes on a consignment, alone and beside scanners who pick one product. */
async function besideScanners(store: Store, stock: Stock, { port }: Role, headers: Headers): Promise<void> {
  const [hot] = stock.products as [Stock['products'][0]]
  const count = Number(process.env.CONSIGNMENTS ?? (rounds + 1) * seconds * 2_000)
  const picks = await allocatePicks(store, stock, [hot], count)
  // Each takes a thousand notes.
  const noted = await readyToPick(
    store,
    stock,
    Array.from({ length: 100 }, () => [{ productId: hot.id, code: hot.code, quantity: 1 }]),
  )
  const notes = noted.map(id =>
    post(`/v1/consignments/${id}/notes`, JSON.stringify({ note: 'Fragile' }), headers),
  )
  let notesWritten = 0
  const nextNote = () => notes[notesWritten++ % notes.length] as (typeof notes)[0]
  let n = 0
  const nextPick = () => {
    const { path, body } = picks[n++] as (typeof picks)[0]
    return post(path, body, headers)
  }
  const ratios: number[] = []
  for (let round = -1; round < rounds; round++) {
    const alone = await load(port, 1, seconds, nextNote)
    const [beside, picked] = await Promise.all([
      load(port, 1, seconds, nextNote),
      load(port, scanners, seconds, nextPick),
    ])
    console.log(
      `a note alone p50 ${alone.p50.toFixed(1)}, p99 ${alone.p99.toFixed(1)} ms; beside ` +
        `${figure(picked.perSecond)} picks/s p50 ${beside.p50.toFixed(1)}, p99 ${beside.p99.toFixed(1)} ms`,
    )
    if (round >= 0) ratios.push(beside.p99 / alone.p99)
  }
  const ratio = median(ratios)
  reportFinding({
    what: 'p99 of an unrelated write beside 32 scanners of one product, of that without',
    figure: ratio.toFixed(1),
    target: '3',
    isMet: ratio <= 3,
  })
}

/** Moves of consignments of one product to ReadyToPick. */
async function makeReady(store: Store, stock: Stock, { port }: Role, headers: Headers): Promise<void> {
  const [, hot] = stock.products as [Stock['products'][0], Stock['products'][0]]
  const count = Number(process.env.CONSIGNMENTS ?? seconds * 3_000)
  const wanted = Array.from({ length: count }, () => [{ productId: hot.id, code: hot.code, quantity: 1 }])
  const ids = await readyToPick(store, stock, wanted)
  await store.database.atomically(tx =>
    tx.run(sql`update consignment set status = ${ConsignmentStatus.Pending} where id = any(${ids})`),
  )
  const body = JSON.stringify({ status: ConsignmentStatus.ReadyToPick })
  let n = 0
  const next = () => request('PUT', `/v1/consignments/${ids[n++ % ids.length]}/status`, body, headers)
  // A load of which much is refused is an error, and its figure.
  const result = await load(port, callers, seconds, next).catch((error: Error) => error)
  const isLoad = !(result instanceof Error)
  reportFinding({
    what: `${callers} callers of PUT status 2 of one product: moves a second, p99`,
    figure: isLoad ? `${figure(result.perSecond)}, ${figure(result.p99)} ms` : result.message,
    target: 'none refused, 500 ms',
    isMet: isLoad && result.p99 < 500,
  })
}

const addLocation = (store: Store, { organisationId, warehouseId }: Stock, name: string) =>
  store.database.atomically(tx =>
    tx.run(sql`insert into warehouse_location (organisation_id, id, warehouse_id, name, type)
      values (${organisationId}, gen_random_uuid(), ${warehouseId}, ${name}, 1)`),
  )

/** Transfers of one row that all arrive at once. */
async function transferOnce(store: Store, stock: Stock, { port }: Role, headers: Headers): Promise<void> {
  const [, , hot] = stock.products as [Stock['products'][0], Stock['products'][0], Stock['products'][0]]
  const { id } = await store.database.db.row<{ id: string }>(sql`
    select id from warehouse_product where organisation_id = ${stock.organisationId}
      and product_id = ${hot.id} limit 1`)
  await addLocation(store, stock, 'B-01')
  const body = JSON.stringify({
    transfers: [{ warehouseProductId: id, quantity: 1, toLocationName: 'B-01' }],
  })
  const times: number[] = []
  const statuses: Record<number, number> = {}
  await Promise.all(
    Array.from({ length: transfers }, async () => {
      const began = performance.now()
      const { status } = await fetch(`http://127.0.0.1:${port}/v1/inventory/transfer`, {
        ...{ method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } },
      })
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 200) times.push(performance.now() - began)
    }),
  )
  times.sort((a, b) => a - b)
  const done = statuses[200] ?? 0
  reportFinding({
    what: `${transfers} transfers of one row at once: done, p99`,
    figure: `${figure(done)}, ${figure(percentile(times, 0.99))} ms ${JSON.stringify(statuses)}`,
    target: '1,000, the rest busy',
    isMet: done >= 1_000,
  })
}

/** Picks, transfers and adjustments of one product, each kind alone and all three at once. */
async function mixKinds(store: Store, stock: Stock, { port }: Role, headers: Headers): Promise<void> {
  const hot = stock.products[3] as Stock['products'][0]
  const count = Number(process.env.CONSIGNMENTS ?? (rounds + 1) * seconds * 3_000)
  await addLocation(store, stock, 'C-01')
  const picks = await allocatePicks(store, stock, [hot], count)
  const { id: warehouseProductId } = await store.database.db.row<{ id: string }>(sql`
    select id from warehouse_product where organisation_id = ${stock.organisationId}
      and product_id = ${hot.id} and allocated_quantity = 0 limit 1`)
  let picked = 0
  const pick = () => {
    const { path, body } = picks[picked++] as (typeof picks)[0]
    return post(path, body, headers)
  }
  const one = { warehouseProductId, quantity: 1 }
  const transfer = post(
    '/v1/inventory/transfer',
    JSON.stringify({ transfers: [{ ...one, toLocationName: 'C-01' }] }),
    headers,
  )
  const adjustment = post(
    '/v1/inventory/adjust',
    JSON.stringify({ adjustments: [{ ...one, quantity: -1 }], reason: 'Lost' }),
    headers,
  )
  const kinds = [pick, () => transfer, () => adjustment]
  let n = 0
  const mixed = () => (kinds[n++ % kinds.length] as () => Buffer)()
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = -1; round < rounds; round++) {
    const alone: number[] = []
    for (const next of kinds) alone.push((await load(port, scanners, seconds, next)).perSecond)
    const { perSecond, p99 } = await load(port, scanners, seconds, mixed)
    // As many of each kind, one kind after the other.
    const expected = kinds.length / alone.reduce((sum, rate) => sum + 1 / rate, 0)
    console.log(
      `${alone.map(figure).join(', ')}/s of picks, transfers, adjustments; ` +
        `mixed ${figure(perSecond)}/s, p99 ${p99.toFixed(1)} ms, ` +
        `${(perSecond / expected).toFixed(2)} of that`,
    )
    if (round < 0) continue
    ratios.push(perSecond / expected)
    rates.push(perSecond)
  }
  reportFinding({
    what: 'picks, transfers and adjustments of one product mixed, a second, of one kind after the other',
    figure: `${figure(median(rates))}, ${median(ratios).toFixed(2)}`,
    target: 'none',
    isMet: true,
  })
}

async function bench(): Promise<void> {
  const { dataDir, remove } = await openDataFolder()
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
    DATABASE_URL: '',
  }
  const store = await openStore(readConfig(settings), pino({ level: 'warn' }, pino.destination(2)))
  try {
    const stock = await prepareStock(store, { rows: 20, quantity: 100_000 })
    const service = await startRole(import.meta.filename, 'waybill', settings)
    const headers = { Authorization: `Bearer ${await tokenFor(service.port, stock.app)}` }
    await besideScanners(store, stock, service, headers)
    await makeReady(store, stock, service, headers)
    await transferOnce(store, stock, service, headers)
    await mixKinds(store, stock, service, headers)
    await service.stop()
    console.log('differences of stock:', (await findStockDifferences(store.database.db)).length)
  } finally {
    await store.close()
    await remove()
  }
}

if (role === 'waybill') await serveWaybill({ ...readConfig(), roles: { api: true, worker: false } })
else await bench()
