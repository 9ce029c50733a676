// Pages of 25 near the end of a list of 100,000 consignments, compared with the first page of the same list,
// requested in turns through the real endpoint, in process.
//
//     node bench/deep-pages.ts

import pg from 'pg'
import { pino } from 'pino'
import { accessRules } from '../src/access/access-rules.ts'
import { consignments } from '../src/consignments/consignments.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { openServer } from '../src/platform/http/server.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { type LoadedOrganisation, loadConsignments, loadedOrganisations } from './consignments-load.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'

const size = 100_000
const pageSize = 25
const rounds = Number(process.env.ROUNDS ?? 40)
const shares = [0.4, 0.5, 0.6, 0.75, 0.9]

const { dataDir, remove } = await openDataFolder()
const log = { info: () => {}, warn: (message: string) => console.error(message) }
const postgres = await openEmbeddedPostgres({ dataDir, log })
const database = openDatabase({ connection: postgres.connection, poolSize: 2 })
const client = new pg.Client(postgres.connection)
await client.connect()
await migrate(client)
await loadConsignments(client, [size])
const [organisation] = await loadedOrganisations(client, size)
await client.end()
const { organisationId, userId, connections, clientIds } = organisation as LoadedOrganisation

const app = openServer({
  endpoints: consignments,
  database,
  metrics: createMetrics(),
  log: pino({ level: 'error' }),
  authenticate: () => ({
    organisationId,
    userId,
    connectionId: connections.steady,
    clientId: '',
    partnerId: null,
    partnerKind: null,
    scopes: new Set(['consignment']),
  }),
  access: accessRules,
  formats: {},
})

async function requestPage(filter: string, page: number): Promise<{ ms: number; total: number }> {
  const started = performance.now()
  const response = await app.inject(`/v1/consignments?PageSize=${pageSize}&PageIndex=${page}&${filter}`)
  const ms = performance.now() - started
  if (response.statusCode !== 200) throw new Error(response.body)
  return { ms, total: response.json().total }
}

/**
 * The slowest of the deep pages compared with the first page: medians of pages that were requested in turns.
 */
async function compare(what: string, filter: string): Promise<void> {
  const { total } = await requestPage(filter, 1)
  const pages = shares.map(share => 1 + Math.floor((total * share) / pageSize))
  const first: number[] = []
  const deep = pages.map((): number[] => [])
  for (let round = -5; round < rounds; round++) {
    for (const [i, page] of pages.entries()) {
      const firstPage = await requestPage(filter, 1)
      const other = await requestPage(filter, page)
      if (round < 0) continue
      first.push(firstPage.ms)
      deep[i]?.push(other.ms)
    }
  }
  const ratios = deep.map(ms => median(first) / median(ms))
  const ratioTexts = ratios.map((ratio, i) => `${shares[i]}: ${ratio.toFixed(2)}`).join(', ')
  console.log(`${what} (${total} rows, first page ${median(first).toFixed(1)} ms): ${ratioTexts}`)
  const worst = Math.min(...ratios)
  reportFinding({
    what: `deep pages, ${what}, speed of the first page`,
    figure: worst.toFixed(2),
    target: '0.5',
    isMet: worst >= 0.5,
  })
}

try {
  await app.ready()
  await compare('no filter', '')
  await compare('one client', `ClientId=${clientIds[0]}`)
  await compare('one status', 'Status=6')
  await compare('one type', 'Type=2')
  await compare('a client and a type', `ClientId=${clientIds[0]}&Type=2`)
  await compare('a status and a type', 'Status=6&Type=2')
} finally {
  await app.close()
  await database.close()
  await postgres.stop()
  await remove()
}
