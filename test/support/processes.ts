// What the journeys share: a data folder, an organisation with an app, a caller with a real token, a receiver
// that checks signatures.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { createWaybill, verifySignature, type Waybill, WaybillError } from '../../client/src/waybill.ts'
import { createCustomApp } from '../../src/organisations/create-app.ts'
import { GrantType } from '../../src/organisations/enumerations.ts'
import { createOrganisation } from '../../src/organisations/organisation.ts'
import type { Tx } from '../../src/platform/database/db.ts'
import { sendHints } from '../../src/platform/work/hints.ts'
import { readConfig } from '../../src/process/config.ts'
import { openStore, type Store } from '../../src/process/store.ts'
import { makeDatabaseFolder } from './database-folder.ts'
import { json } from './service-process.ts'

/** A folder for DATA_DIR, removed when the test file ends. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await makeDatabaseFolder()
  // A server whose service was killed may be writing its last files yet.
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  return folder
}

/**
 * A folder for DATA_DIR with a database as the first start leaves it, removed when the test file ends. It is a
 * copy of one that the run of tests has made, for a first start takes seconds; where the run has none, the
 * folder is empty.
 */
export async function preparedDataDir(): Promise<string> {
  const folder = await temporaryDataDir()
  const made = process.env.TEST_DATA_DIR
  // With its owner, which as root is not the owner of the folder.
  if (made !== undefined) await promisify(execFile)('cp', ['-Rp', `${made}/.`, folder])
  return folder
}

/** An app of a fresh organisation. */
export interface App {
  organisationId: string
  clientId: string
  clientSecret: string
}

/** Every scope that writes, as the command line takes them. */
export const allScopes = 'consignment financial inventory job organisation partner print report warehouse'

/** Makes an organisation and an app, as the command line does. */
export const newApp = (settings: Record<string, string>, prefix = 'JRN'): Promise<App> =>
  administer(settings, async (tx, store) => {
    const place = { prefix, timezone: 'Pacific/Auckland' }
    return makeApp(tx, store, await createOrganisation(tx, { name: 'Journey Ltd', ...place }))
  })

/** Makes an app of an organisation, as the command line does. */
export const appOf = (organisationId: string, settings: Record<string, string>): Promise<App> =>
  administer(settings, (tx, store) => makeApp(tx, store, organisationId))

async function makeApp(tx: Tx, store: Store, organisationId: string): Promise<App> {
  const { clientId, clientSecret } = await createCustomApp(tx, await store.openSecrets(), {
    ...{ organisationId, name: 'Shop', grantType: GrantType.ClientCredentials, scopes: allScopes.split(' ') },
  })
  return { organisationId, clientId, clientSecret }
}

/** Does in this process what a command does in one of its own, with the settings of a service. */
async function administer<T>(
  settings: Record<string, string>,
  work: (tx: Tx, store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(readConfig(settings), { info: () => {}, warn: console.error })
  try {
    const result = await store.database.atomically(tx => work(tx, store))
    await sendHints(store.database)
    return result
  } finally {
    await store.close()
  }
}

/** Makes an organisation and an app on the command line of another program, such as an older version. */
export async function newAppBy(
  program: string,
  settings: Record<string, string>,
  prefix: string,
): Promise<App> {
  const place = ['--prefix', prefix, '--timezone', 'Pacific/Auckland']
  const organisation = ['organisation', 'create', '--name', 'Journey Ltd', ...place]
  const made = await json<{ organisationId: string }>(organisation, settings, undefined, program)
  const { organisationId } = made
  const rights = ['--grant', 'client_credentials', '--scopes', allScopes]
  const app = ['app', 'create', '--organisation', organisationId, '--name', 'Shop', ...rights]
  return { organisationId, ...(await json<Omit<App, 'organisationId'>>(app, settings, undefined, program)) }
}

/** Calls the API as an app does, with the client that apps use. */
export interface ApiCaller {
  /** Any status is an answer; that of the token endpoint too, where it gives no token. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** as `call`, but anything from 400 up fails the test */
  must(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
}

/** A caller of the service at `baseUrl()`, which may move when the service is started again. */
export function apiCaller(baseUrl: () => string, { clientId, clientSecret }: App): ApiCaller {
  let opened: { at: string; waybill: Waybill } | undefined
  function waybill(): Waybill {
    const at = baseUrl()
    if (opened?.at !== at) opened = { at, waybill: createWaybill({ baseUrl: at, clientId, clientSecret }) }
    return opened.waybill
  }
  const call: ApiCaller['call'] = async (method, path, body) => {
    const payload =
      body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    try {
      const response = await waybill().fetch(path, { method, ...payload })
      const text = await response.text()
      return {
        status: response.status,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      }
    } catch (error) {
      if (!(error instanceof WaybillError)) throw error
      return {
        status: error.status,
        body: { ErrorType: error.errorType, ErrorMessages: error.errorMessages },
      }
    }
  }
  return {
    call,
    async must(method, path, body) {
      const answered = await call(method, path, body)
      assert.ok(
        answered.status < 400,
        `${method} ${path} answered ${answered.status}: ${JSON.stringify(answered.body)}`,
      )
      return answered.body
    },
  }
}

/** A webhook as it arrived. */
export interface Arrived {
  id: string
  type: string
  operationId: string
  data: Record<string, unknown>
}

/** A webhook receiver on loopback that refuses whatever is not signed with the secret. */
export interface Receiver {
  readonly url: string
  readonly arrived: Arrived[]
  /** deliveries whose signature was wrong or missing */
  readonly forged: string[]
}

/** Opens a receiver; it is closed when the test file ends. */
export async function openReceiver(secret: () => string): Promise<Receiver> {
  const arrived: Arrived[] = []
  const forged: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const isGenuine = await verifySignature(raw, request.headers['x-service-signature'], secret())
    if (isGenuine) arrived.push(JSON.parse(raw.toString()) as Arrived)
    else forged.push(raw.toString())
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, arrived, forged }
}

/** A client KAURI, a carrier SWF, a warehouse AKL and a product HONEY. */
export async function setUp({ must }: ApiCaller): Promise<{ clientId: string }> {
  const { partnerId } = await must('POST', '/v1/partners', {
    name: 'Kauri Foods',
    code: 'KAURI',
    relationship: 1,
  })
  await must('POST', '/v1/partners', { name: 'Swift Freight', code: 'SWF', relationship: 2 })
  await must('POST', '/v1/warehouses', { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' })
  await must('POST', `/v1/partners/${partnerId}/products`, { code: 'HONEY', name: 'Manuka honey' })
  return { clientId: partnerId as string }
}

/** An outwards import of the set-up's product. */
export const anImport = (more: Record<string, unknown> = {}) => ({
  consignmentType: 2,
  clientCode: 'KAURI',
  carrierCode: 'SWF',
  warehouseCode: 'AKL',
  products: [{ productCode: 'HONEY', items: [{ quantity: 6 }] }],
  ...more,
})
