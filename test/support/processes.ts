// What the journeys share: an organisation made on the command line, a caller with a real token, a receiver
// that checks signatures.

import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createWaybill, verifySignature, type Waybill, WaybillError } from '../../client/src/waybill.ts'
import { json } from './service-process.ts'

/** A folder for DATA_DIR, removed when the test file ends. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-journey-'))
  // PostgreSQL does not run as root; as root, its user has to be able to enter.
  await chmod(folder, 0o711)
  // A server whose service was killed may be writing its last files yet.
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
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

/** Makes an organisation and an app on the command line, of this version or of that of another program. */
export async function newApp(
  settings: Record<string, string>,
  prefix = 'JRN',
  program?: string,
): Promise<App> {
  const organisation = [
    'organisation',
    'create',
    '--name',
    'Journey Ltd',
    '--prefix',
    prefix,
    '--timezone',
    'Pacific/Auckland',
  ]
  const { organisationId } = await json<{ organisationId: string }>(
    organisation,
    settings,
    undefined,
    program,
  )
  return appOf(organisationId, settings, program)
}

/** Makes an app of an organisation on the command line. */
export async function appOf(
  organisationId: string,
  settings: Record<string, string>,
  program?: string,
): Promise<App> {
  const app = [
    'app',
    'create',
    '--organisation',
    organisationId,
    '--name',
    'Shop',
    '--grant',
    'client_credentials',
    '--scopes',
    allScopes,
  ]
  const made = await json<Omit<App, 'organisationId'>>(app, settings, undefined, program)
  return { organisationId, ...made }
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
