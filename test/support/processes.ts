// Helpers of the journeys: a data folder, an organisation with an app, a caller with a real token, and a
// webhook receiver that checks signatures.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { createWaybill, verifySignature, type Waybill, WaybillError } from '../../client/src/waybill.ts'
import { createCustomApp } from '../../src/custom-apps/create-app.ts'
import { createOrganisation } from '../../src/organisations/organisation.ts'
import type { Tx } from '../../src/platform/database/db.ts'
import { sendHints } from '../../src/platform/work/hints.ts'
import { readConfig } from '../../src/process/config.ts'
import { openStore, type Store } from '../../src/process/store.ts'
import { GrantType } from '../../src/vocabulary/organisations.ts'
import { makeDatabaseFolder } from './database-folder.ts'
import { json } from './service-process.ts'

/** Makes a folder for DATA_DIR, which is removed when the test file ends. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await makeDatabaseFolder()
  // A database server whose service was killed may still be writing its last files.
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  return folder
}

/**
 * Makes a folder for DATA_DIR with a database as a first start leaves it; removed when the test file ends. It
 * is a copy of one that the test run has made, because a first start takes seconds. The folder is empty if
 * the run has made none.
 */
export async function preparedDataDir(): Promise<string> {
  const folder = await temporaryDataDir()
  const template = process.env.TEST_DATA_DIR
  // -p keeps the owner of the database, which is another account if the tests run as root.
  if (template !== undefined) await promisify(execFile)('cp', ['-Rp', `${template}/.`, folder])
  return folder
}

/** An app of a fresh organisation. */
export interface App {
  organisationId: string
  clientId: string
  clientSecret: string
}

/** All scopes that allow writing, in the format of the command line. */
export const allScopes = 'consignment financial inventory job organisation partner print report warehouse'

/** Creates an organisation and an app, as the commands do. */
export const newApp = (settings: Record<string, string>, prefix = 'JRN'): Promise<App> =>
  administer(settings, async (tx, store) => {
    const organisation = { name: 'Journey Ltd', prefix, timezone: 'Pacific/Auckland' }
    return makeApp(tx, store, await createOrganisation(tx, organisation))
  })

/** Creates an app in an organisation, as the command does. */
export const appOf = (organisationId: string, settings: Record<string, string>): Promise<App> =>
  administer(settings, (tx, store) => makeApp(tx, store, organisationId))

async function makeApp(tx: Tx, store: Store, organisationId: string): Promise<App> {
  const { clientId, clientSecret } = await createCustomApp(tx, await store.openSecrets(), {
    ...{ organisationId, name: 'Shop', grantType: GrantType.ClientCredentials, scopes: allScopes.split(' ') },
  })
  return { organisationId, clientId, clientSecret }
}

/** Does in this process what a command does in a separate one, with the settings of a service. */
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

/** Creates an organisation and an app with the commands of another program, such as an older version. */
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

/** Calls the API as an app, through the client library. */
export interface ApiCaller {
  /** Returns the response whatever its status, also that of the token endpoint if it gives no token. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** Like `call`, but a status of 400 or above fails the test. */
  must(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
}

/** Makes a caller of the service at `baseUrl()`, which may change when the service is started again. */
export function apiCaller(baseUrl: () => string, { clientId, clientSecret }: App): ApiCaller {
  let opened: { url: string; waybill: Waybill } | undefined
  function waybill(): Waybill {
    const url = baseUrl()
    if (opened?.url !== url)
      opened = { url, waybill: createWaybill({ baseUrl: url, clientId, clientSecret }) }
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
      const response = await call(method, path, body)
      assert.ok(
        response.status < 400,
        `${method} ${path} answered ${response.status}: ${JSON.stringify(response.body)}`,
      )
      return response.body
    },
  }
}

/** An event as a webhook receiver got it. */
export interface ReceivedEvent {
  id: string
  type: string
  operationId: string
  data: Record<string, unknown>
}

/** A webhook receiver on loopback that checks signatures with the app's secret. */
export interface Receiver {
  readonly url: string
  /** the events that were signed correctly */
  readonly arrived: ReceivedEvent[]
  /** the bodies of deliveries with a wrong or missing signature */
  readonly forged: string[]
}

/** Opens a receiver; it is closed when the test file ends. */
export async function openReceiver(secret: () => string): Promise<Receiver> {
  const arrived: ReceivedEvent[] = []
  const forged: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const isGenuine = await verifySignature(raw, request.headers['x-service-signature'], secret())
    if (isGenuine) arrived.push(JSON.parse(raw.toString()) as ReceivedEvent)
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

/** Creates a client KAURI, a carrier SWF, a warehouse AKL and a product HONEY. */
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

/** An outwards import of the product that `setUp` creates. */
export const anImport = (more: Record<string, unknown> = {}) => ({
  consignmentType: 2,
  clientCode: 'KAURI',
  carrierCode: 'SWF',
  warehouseCode: 'AKL',
  products: [{ productCode: 'HONEY', items: [{ quantity: 6 }] }],
  ...more,
})
