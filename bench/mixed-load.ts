// A mixed load: 70 % reads over all endpoints and 30 % writes over 64 connections, on three organisations of
// 200,000 consignments, without rate limits. The baseline is a bare Fastify route that runs the same
// statements. Both run in turns, because the speed of the machine varies.
//
// There are three processes: the service with ROLES=api; its worker, which runs all the time, also during the
// baseline; and this one, which sends. Targets: at least 0.6 of the baseline's requests per second, and no
// endpoint with a p99 above ten times its p50.
//
//     node bench/mixed-load.ts [--consignments 200000] [--seconds 20] [--rounds 3] [--requests 6000]

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { serialize } from 'node:v8'
import { pino } from 'pino'
import type { Actor } from '../src/access/actor.ts'
import { scopes } from '../src/access/scopes.ts'
import { type CustomAppCredentials, createCustomApp } from '../src/custom-apps/create-app.ts'
import { type Database, sql } from '../src/platform/database/db.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'
import type { SecretBox } from '../src/platform/secret-box.ts'
import { readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { endpointsOf } from '../src/routes.ts'
import { loadConsignments, loadedOrganisations } from './consignments-load.ts'
import { openDataFolder } from './data-folder.ts'
import { median, percentile, reportFinding } from './figures.ts'
import { type LoadResult, load, request } from './load.ts'
import { type MixedRequest, mixedRequests } from './mixed-requests.ts'
import { record } from './recording.ts'
import { records } from './records-load.ts'
import { type Recording, serveReplay } from './replay.ts'
import { type Role, serveWaybill, startRole, tokenFor } from './role.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    consignments: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '6000' },
  },
})
const connections = 64
const organisations = 3
const warmUpSeconds = 5
const role = positionals[0]
const log = pino({ level: 'error' }, pino.destination(2))

/** Creates an app with every scope for an organisation, and the caller that its token stands for. */
async function createApp(
  { database }: Store,
  secretBox: SecretBox,
  organisationId: string,
  userId: string,
): Promise<{ app: CustomAppCredentials; actor: Actor }> {
  return database.atomically(async tx => {
    const app = await createCustomApp(tx, secretBox, {
      organisationId,
      name: 'Load',
      grantType: 2,
      scopes,
      userId,
    })
    const { connectionId } = await tx.row<{ connectionId: string }>(sql`
      select id as connection_id from identity_connection where organisation_id = ${organisationId}
        and custom_app_id = ${app.customAppId}`)
    return {
      app,
      actor: {
        organisationId,
        connectionId,
        userId,
        clientId: app.clientId,
        partnerId: null,
        partnerKind: null,
        scopes: new Set(scopes),
      },
    }
  })
}

const seconds = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  const result = await work()
  console.log(`${what} in ${Math.round((performance.now() - started) / 1000)} s`)
  return result
}

/**
 * Loads the organisations, creates the list of requests and records the statements of the service for each.
 */
async function prepare(store: Store) {
  const client = await store.database.openConnection()
  const secretBox = await store.openSecrets()
  try {
    const size = Number(options.consignments)
    await seconds(
      `loaded ${organisations} organisations of ${size.toLocaleString('en-GB')} consignments`,
      () =>
        loadConsignments(
          client,
          Array.from({ length: organisations }, () => size),
          records,
        ),
    )
    // The load cannot encrypt the secrets of its apps, and the service checks at the start whether its key
    // opens them.
    await client.query('update custom_app set secret_hash = $1', [secretBox.seal(Buffer.alloc(32))])
    const loaded = await loadedOrganisations(client, size)
    const callers = await Promise.all(
      loaded.map(({ organisationId, userId }) => createApp(store, secretBox, organisationId, userId)),
    )
    const endpoints = endpointsOf({ secretBox, outgoing: openOutgoingHttp({ allowPrivate: false }) })
    const requests = await mixedRequests(
      client,
      endpoints,
      loaded.map(({ organisationId }) => organisationId),
      Number(options.requests),
    )
    const since = Date.now()
    const actors = callers.map(({ actor }) => actor)
    const recorded = await seconds(`recorded ${requests.length} requests`, () =>
      record(store.database, endpoints, actors, requests),
    )
    return {
      apps: callers.map(({ app }) => app),
      requests,
      recording: { since, requests: recorded } satisfies Recording,
    }
  } finally {
    await client.end()
  }
}

interface Times {
  service: Map<string, number[]>
  failures: Map<string, number>
}

/** Sends the list to the service and to the baseline in turns. */
async function measure(
  service: Role,
  bare: Role,
  requests: readonly MixedRequest[],
  tokens: readonly string[],
  database: Database,
) {
  const ours = requests.map(({ method, path, body, organisation }) =>
    request(method, path, body, { Authorization: `Bearer ${tokens[organisation]}` }),
  )
  const theirs = requests.map(({ body }, n) => request('POST', `/run/${n}`, body))
  const names = new Map(ours.map((bytes, n) => [bytes, (requests[n] as MixedRequest).name]))
  const times: Times = { service: new Map(), failures: new Map() }
  // Service and baseline share one position in the list, so that every write follows the one that it undoes.
  let at = 0
  const next = (list: Buffer[]) => () => list[at++ % list.length] as Buffer
  const runOurs = (duration: number, keep: boolean) =>
    load(service.port, connections, duration, next(ours), (sent, status, ms) => {
      const name = names.get(sent) as string
      if (status >= 400)
        times.failures.set(`${name} ${status}`, (times.failures.get(`${name} ${status}`) ?? 0) + 1)
      else if (keep) times.service.set(name, [...(times.service.get(name) ?? []), ms])
    })
  const runBare = (duration: number) => load(bare.port, connections, duration, next(theirs))

  await runOurs(warmUpSeconds, false)
  await runBare(warmUpSeconds)
  const results: { ours: LoadResult; bare: LoadResult }[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    const result = {
      ours: await runOurs(Number(options.seconds), true),
      bare: await runBare(Number(options.seconds)),
    }
    results.push(result)
    const line = ({ perSecond, p50, p95, statuses }: LoadResult) =>
      `${Math.round(perSecond)}/s (p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms) ` +
      `${JSON.stringify(statuses)}`
    console.log(`service ${line(result.ours)}\nbare    ${line(result.bare)}`)
  }
  const { waiting } = await database.db.row<{ waiting: number }>(
    sql`select count(*) as waiting from consignment_import where status = 1 and due_utc < now()`,
  )
  console.log(`${waiting} imports wait for the worker`)
  return { results, times }
}

const ms = (value: number) => value.toFixed(1).padStart(8)

function report({ results, times }: Awaited<ReturnType<typeof measure>>): void {
  const lines = [...times.service].map(([name, unsorted]) => {
    const all = unsorted.toSorted((a, b) => a - b)
    return {
      name,
      count: all.length,
      p50: percentile(all, 0.5),
      p95: percentile(all, 0.95),
      p99: percentile(all, 0.99),
    }
  })
  console.log(
    `${'endpoint'.padEnd(92)} ${'answers'.padStart(8)} ${'p50 ms'.padStart(8)} ${'p95 ms'.padStart(8)} ` +
      `${'p99 ms'.padStart(8)}  p99/p50`,
  )
  for (const { name, count, p50, p95, p99 } of lines.toSorted((a, b) =>
    a.name.slice(a.name.indexOf(' ')).localeCompare(b.name.slice(b.name.indexOf(' '))),
  ))
    console.log(
      `${name.padEnd(92)} ${String(count).padStart(8)} ${ms(p50)} ${ms(p95)} ${ms(p99)} ${ms(p99 / p50)}`,
    )
  for (const [what, count] of times.failures) console.log(`refused: ${what}, ${count} times`)

  const ratios = results.map(({ ours, bare }) => ours.perSecond / bare.perSecond)
  const ratio = median(ratios)
  const rate = median(results.map(({ ours }) => ours.perSecond))
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  reportFinding({
    what: `mixed load at ${connections} connections, of a bare route with the same statements`,
    figure: `${ratio.toFixed(2)} (${range}), ${Math.round(rate)} requests/s`,
    target: '0.6',
    isMet: ratio >= 0.6,
  })
  // With a hundred responses or fewer, the p99 is the slowest.
  const worst = lines.filter(({ count }) => count >= 200).toSorted((a, b) => b.p99 / b.p50 - a.p99 / a.p50)[0]
  if (worst === undefined) return
  reportFinding({
    what: 'mixed load, the greatest p99 of an endpoint by its p50',
    figure: `${(worst.p99 / worst.p50).toFixed(1)} (${worst.name})`,
    target: '10',
    isMet: worst.p99 <= 10 * worst.p50,
  })
}

async function run(): Promise<void> {
  const { dataDir, remove } = await openDataFolder()
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log: { info: () => {}, warn: message => log.warn(message) },
  })
  const { host, port, user, database } = postgres.connection
  const settings = {
    DATA_DIR: dataDir,
    // Several processes use it.
    DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
  }
  const store = await openStore(readConfig(settings), log)
  const roles: Role[] = []
  const start = async (name: string, settings: Record<string, string>) => {
    const started = await startRole(import.meta.filename, name, settings)
    roles.push(started)
    return started
  }
  try {
    const { apps, requests, recording } = await prepare(store)
    const file = join(dataDir, 'recording')
    await writeFile(file, serialize(recording))
    const service = await start('service', { ...settings, ROLES: 'api' })
    await start('worker', { ...settings, ROLES: 'worker' })
    const bare = await start('bare', { ...settings, RECORDING: file })
    const tokens = await Promise.all(apps.map(app => tokenFor(service.port, app)))
    report(await measure(service, bare, requests, tokens, store.database))
  } finally {
    for (const started of roles) await started.stop()
    await store.close()
    await postgres.stop()
    await remove()
  }
}

if (role === 'bare')
  await serveReplay(
    process.env.DATABASE_URL as string,
    readConfig().poolSize,
    process.env.RECORDING as string,
  )
else if (role === 'service' || role === 'worker') await serveWaybill(readConfig())
else await run()
