// The search for everything at 1,000,000 consignments in one organisation, with 100,000 products, 200,000
// logistic units, as many serials and 1,000,000 events: what people type, letter by letter, and what would be
// slow if a search were not bounded. Through the real endpoint, in process, for a member, a client and a
// carrier. Target: p95 below 50 ms.
//
// node bench/search.ts [--keep <folder>: use this folder and keep its data] [--explain <text>] [--rounds 5]

import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { accessRules } from '../src/access/access-rules.ts'
import type { Actor } from '../src/access/actor.ts'
import { scopes } from '../src/access/scopes.ts'
import { type Db, type Sql, sql } from '../src/platform/database/db.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { openServer } from '../src/platform/http/server.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { search } from '../src/search/search.ts'
import { type LoadedOrganisation, loadConsignments, loadedOrganisations } from './consignments-load.ts'
import { openDataFolder } from './data-folder.ts'
import { percentile, reportFinding } from './figures.ts'

const { values: options } = parseArgs({
  options: {
    keep: { type: 'string' },
    explain: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
})
const size = 1_000_000
const { dataDir, remove } =
  options.keep === undefined ? await openDataFolder() : { dataDir: options.keep, remove: () => {} }
const postgres = await openEmbeddedPostgres({
  dataDir,
  log: { info: () => {}, warn: (message: string) => console.error(message) },
})
const database = openDatabase({ connection: postgres.connection, poolSize: 4 })

/** What else is searched: a text of its own for each record, and one that all have in common. */
const others = [
  `update consignment set po_number = 'ORDER-' || lpad((number * 7919 % 1000003)::text, 7, '0'),
      destination_address = jsonb_build_object('name', (array['Harbour', 'Mill', 'Market', 'Station',
        'Queens', 'Hillside', 'Lakes', 'Valley'])[1 + number % 8] || ' Stores ' || number % 5000)
    where organisation_id = :organisation and number % 3 = 0`,
  `insert into consignment_tracking (organisation_id, id, consignment_id, tracking_number, last_updated_date)
    select organisation_id, gen_random_uuid(), id, 'NZP' || lpad((number * 104729 % 99999989)::text, 9, '0'),
      '2026-01-01'
    from consignment where organisation_id = :organisation and number % 4 = 0`,
  `insert into product (organisation_id, id, partner_id, code, name, barcode)
    select :organisation, pg_temp.id(n), pg_temp.id(1 + n % 40), 'SKU-' || lpad(n::text, 6, '0'),
      (array['Apple', 'Pear', 'Kiwi', 'Plum', 'Fig'])[1 + n % 5] || ' box of ' || n,
      (9400000000000 + n)::text
    from generate_series(1, 100000) n`,
  `insert into warehouse_location (organisation_id, id, warehouse_id, name, type)
    select :organisation, pg_temp.id(n), pg_temp.id(1 + n % 4), 'A-' || lpad((n / 4)::text, 5, '0'), 1
    from generate_series(1, 20000) n`,
  `insert into logistic_unit (organisation_id, id, number, logistic_unit_number, partner_id, sscc_number,
      reference_number, warehouse_id, warehouse_location_id)
    select :organisation, pg_temp.id(n), n, 'LU-' || lpad(n::text, 6, '0'), pg_temp.id(1 + n % 40),
      lpad((942000000000000000 + n)::text, 18, '0'), 'PAL' || n, pg_temp.id(1 + l % 4), pg_temp.id(l)
    from generate_series(1, 200000) n cross join lateral (select 1 + n % 20000) as l (l)`,
  `insert into warehouse_product_item (organisation_id, id, product_id, serial)
    select :organisation, pg_temp.id(n), pg_temp.id(1 + n % 100000), 'SN' || lpad(n::text, 8, '0')
    from generate_series(1, 200000) n`,
  `insert into job (organisation_id, id, number, job_number, type, wave_pick_style, status, warehouse_id,
      client_id, reference)
    select :organisation, pg_temp.id(n), n, 'WP-' || lpad(n::text, 6, '0'), 1, 1, 4, pg_temp.id(1 + n % 4),
      pg_temp.id(1 + n % 40), 'Wave of ' || n
    from generate_series(1, 20000) n`,
  `insert into partner_schedule (organisation_id, id, partner_id, status, date, reference_number)
    select :organisation, pg_temp.id(n), pg_temp.id(1 + n % 40), 1, date '2023-01-01' + (n / 40 * 7),
      'S-' || n
    from generate_series(1, 6000) n`,
  `insert into consignment_import (organisation_id, id, identity_connection_id, user_id, status, client_id,
      client_code, reference_number, due_utc)
    select :organisation, pg_temp.id(n), pg_temp.id(1), pg_temp.id(1), case when n % 50 = 0 then 2 else 3 end,
      pg_temp.id(1 + n % 40), 'C' || 1 + n % 40, 'PO' || n, null
    from generate_series(1, 200000) n`,
  `insert into event (organisation_id, id, type, subject_id, data, client_id, request_id)
    select organisation_id, id, 101, id, '{}', client_id, md5(id::text)
    from consignment where organisation_id = :organisation`,
]

/** What is typed: numbers, references and names as they grow, and what is in common to all records. */
const texts = [
  ...['32', '320', '3200', '000320', 'WBL-000320-OUT', 'LU-371', 'WP-12', '999999'],
  ...['po', 'PO1', 'PO12', 'PO123', 'PO1234567', 'ORDER-0', 'ORDER-01234', 'mscu', 'MSCU0012345'],
  ...['som', 'harbour', 'Harbour Stores 1200', 'stores 12', 'nzp', 'NZP00012', 'kauri', 'Rata Foods 6'],
  ...['sku', 'SKU-0123', 'box', 'kiwi box', 'a-', 'A-00123', 'PAL', 'PAL123', 'SN00012345', 'S-12'],
  ...['9400000012345', '942000000000012345', 'wbl', 'out', '00', 'nothing has this', '%', '__', "o'b\\"],
  'bench@example.com',
  'c4ca4238a0b923820dcc509a6f75849b',
  '01860000-0000-7000-8000-000000000000',
  'x'.repeat(100),
]

/** The organisation, loaded if it does not exist yet. */
async function load(): Promise<LoadedOrganisation> {
  const client = new pg.Client(postgres.connection)
  await client.connect()
  await migrate(client)
  if ((await loadedOrganisations(client, size)).length === 0) {
    await loadConsignments(client, [size], others)
  }
  const [organisation] = await loadedOrganisations(client, size)
  await client.end()
  return organisation as LoadedOrganisation
}

/** The database as the handler sees it. It can also show the plan of every query. */
const explaining: Db = {
  ...database.db,
  async rows<Row>(query: Sql) {
    const plan = await database.db.rows<{ 'QUERY PLAN': string }>(sql`explain (analyze, buffers) ${query}`)
    for (const line of plan) console.log(line['QUERY PLAN'])
    return database.db.rows<Row>(query)
  },
}

let actor: Actor
const app = openServer({
  endpoints: search,
  database: options.explain === undefined ? database : { ...database, db: explaining },
  metrics: createMetrics(),
  log: pino({ level: 'error' }),
  authenticate: () => actor,
  access: accessRules,
  formats: {},
})

async function searchFor(text: string): Promise<{ ms: number; n: number }> {
  const started = performance.now()
  const response = await app.inject(`/v1/search?Q=${encodeURIComponent(text)}`)
  const ms = performance.now() - started
  const tooShort = text.length < 2
  if (response.statusCode !== (tooShort ? 400 : 200)) throw new Error(`${text}: ${response.body}`)
  return { ms, n: tooShort ? 0 : response.json().results.length }
}

/** Searches for every text in rounds, of which the first fills the caches, and prints the slowest texts. */
async function measure(who: string): Promise<void> {
  const found = texts.map(text => ({ text, n: 0, ms: [] as number[] }))
  for (let round = -1; round < Number(options.rounds); round++)
    for (const one of found) {
      const { ms, n } = await searchFor(one.text)
      one.n = n
      if (round >= 0) one.ms.push(ms)
    }
  const all = found.flatMap(({ ms }) => ms).toSorted((a, b) => a - b)
  const [p50, p95, slowest] = [0.5, 0.95, 1].map(share => percentile(all, share)) as [number, number, number]
  for (const { text, n, ms } of found.toSorted((a, b) => Math.min(...b.ms) - Math.min(...a.ms)).slice(0, 5))
    console.log(`  ${who}: ${Math.min(...ms).toFixed(1)} ms for ${text.slice(0, 40)} (${n} found)`)
  reportFinding({
    what: `search at 1,000,000 as ${who}: p50 ${p50.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms, p95`,
    figure: `${p95.toFixed(1)} ms`,
    target: '50 ms',
    isMet: p95 <= 50,
  })
}

try {
  const { organisationId, userId, connections, clientIds, carrierIds } = await load()
  await app.ready()
  const member: Actor = {
    ...{ organisationId, userId, connectionId: connections.steady, clientId: '' },
    ...{ partnerId: null, partnerKind: null, scopes: new Set(scopes) },
  }
  const people: [who: string, actor: Actor][] = [
    ['a member', member],
    ['a small client', { ...member, partnerId: clientIds[39] as string, partnerKind: 'client' }],
    ['a carrier', { ...member, partnerId: carrierIds[5] as string, partnerKind: 'carrier' }],
  ]
  for (const [who, person] of people) {
    actor = person
    if (options.explain === undefined) await measure(who)
    else if (who === 'a member') await searchFor(options.explain)
  }
} finally {
  await app.close()
  await database.close()
  await postgres.stop()
  await remove()
}
