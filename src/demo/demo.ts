// `./waybill demo`: loads a realistic organisation, shows an import, and goes on serving.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { scopes } from '../access/scopes.ts'
import { createCustomApp } from '../custom-apps/create-app.ts'
import { createOrganisation } from '../organisations/organisation.ts'
import { sql } from '../platform/database/db.ts'
import { makeFolders } from '../platform/make-folders.ts'
import type { Config } from '../process/config.ts'
import { serve } from '../process/serve.ts'
import type { Service } from '../process/service.ts'
import { billStep } from './bill-step.ts'
import type { CallApi, Credentials } from './call-api.ts'
import { consignments, organisation } from './demo-data.ts'
import { type DemoPerson, prepareDemoPerson, signInSteps } from './demo-person.ts'
import { loadDemo } from './load-demo.ts'
import { paperSteps } from './paper-steps.ts'
import { startPrinters } from './printers.ts'

/** The content of DATA_DIR/demo.json. */
export interface Demo {
  baseUrl: string
  authUrl: string
  organisationId: string
  clientId: string
  clientSecret: string
  /** the person who can sign in; absent if the address cannot be a redirect URI */
  person?: DemoPerson | undefined
  /** the folder into which the printers of the demo print */
  printedFolder: string
}

const consignmentCount = 320

type Print = (text: string) => void

/**
 * Serves the demo organisation. A second run uses the organisation that the first one loaded. With `json` it
 * leaves standard output to the caller.
 */
export async function serveDemo(config: Config, json = false): Promise<Demo> {
  if (!config.roles.api || !config.roles.worker)
    throw new Error('The demo needs ROLES=both: it imports a consignment and shows it.')
  const print: Print = json ? console.error : console.log
  const service = await serve(config, json)
  const { baseUrl, authUrl } = service
  const path = join(config.dataDir, 'demo.json')
  const earlier = await findEarlierDemo(service, path)
  const { organisationId, clientId, clientSecret } = earlier ?? (await createDemo(service, print))
  const person = await prepareDemoPerson(service, organisationId, earlier?.person)
  const printedFolder = join(config.dataDir, 'printed')
  const demo: Demo = { baseUrl, authUrl, organisationId, clientId, clientSecret, person, printedFolder }
  await makeFolders(config.dataDir, 0o700)
  await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  const token = await fetchAccessToken(service, demo)
  await showImport(baseUrl, token, print)
  const call = callerOf(baseUrl, token)
  const callAs = async (app: Credentials) => callerOf(baseUrl, await fetchAccessToken(service, app))
  const printers = await startPrinters({ baseUrl, dataDir: config.dataDir, call, callAs })
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void printers.stop())
  const steps = [...(await billStep(baseUrl, call)), ...(await paperSteps(baseUrl, call))]
  print(nextSteps(service, demo, path, steps))
  return demo
}

/** The demo of an earlier run, if this database still has it. */
async function findEarlierDemo({ database }: Service, path: string): Promise<Demo | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const demo = JSON.parse(text) as Demo
  const app = await database.db.maybe(sql`
    select id from custom_app where organisation_id = ${demo.organisationId} and client_id = ${demo.clientId}
      and disabled_utc is null`)
  return app === undefined ? undefined : demo
}

async function createDemo(
  service: Service,
  print: Print,
): Promise<Pick<Demo, 'organisationId' | 'clientId' | 'clientSecret'>> {
  const { database, secretBox } = service
  const started = Date.now()
  print(`Loading the demo organisation ${organisation.name} …`)
  const created = await database.atomically(async tx => {
    const organisationId = await createOrganisation(tx, organisation)
    const app = await createCustomApp(tx, secretBox, {
      organisationId,
      name: 'Demo',
      grantType: 2,
      scopes: [...scopes],
    })
    return { organisationId, clientId: app.clientId, clientSecret: app.clientSecret }
  })
  const counts = await loadDemo(service, created.clientId, consignments(consignmentCount, new Date()))
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  print(
    `  ${counts.partners} partners, ${counts.warehouses} warehouses, ${counts.products} products, ` +
      `${counts.consignments} consignments in ${seconds} s`,
  )
  return created
}

async function fetchAccessToken(
  { authUrl }: Service,
  { clientId, clientSecret }: Credentials,
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: form })
  if (!response.ok) throw new Error(`No access token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

const callerOf =
  (baseUrl: string, token: string): CallApi =>
  async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }

const sampleImport = {
  consignmentType: 2,
  clientCode: 'KAURI',
  warehouseCode: 'AKL',
  carrierCode: 'SWF',
  referenceNumber: 'SHOP-1001',
  destinationAddress: {
    name: 'Wellington Pantry',
    streetAddress: '12 Cuba Street',
    city: 'Wellington',
    postCode: '6011',
    country: 'NZ',
  },
  products: [{ productCode: 'KAU-001', items: [{ quantity: 24 }] }],
}

/** Posts an import and waits until its consignment exists. */
async function showImport(baseUrl: string, token: string, print: Print): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const started = performance.now()
  const posted = await fetch(`${baseUrl}/v1/consignment-imports`, {
    method: 'POST',
    headers,
    body: JSON.stringify(sampleImport),
  })
  const { consignmentId } = (await posted.json()) as { consignmentId: string }
  print(`\nPOST ${baseUrl}/v1/consignment-imports\n  ${posted.status} {"consignmentId":"${consignmentId}"}`)
  const end = Date.now() + 10_000
  let status = 202
  while (status === 202 && Date.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 10))
    status = (await fetch(`${baseUrl}/v1/consignments/${consignmentId}/check-exists`, { headers })).status
  }
  if (status !== 201)
    throw new Error(`The import did not become a consignment: check-exists returns ${status}.`)
  const elapsed = Math.round(performance.now() - started)
  const detail = (await (await fetch(`${baseUrl}/v1/consignments/${consignmentId}`, { headers })).json()) as {
    consignmentNumber: string
  }
  print(`  ${elapsed} ms later it is consignment ${detail.consignmentNumber}`)
}

/** The addresses and credentials of the demo, and commands to try, each on one line. */
function nextSteps(service: Service, demo: Demo, path: string, steps: readonly string[]): string {
  const { clientId, clientSecret, person, printedFolder } = demo
  const { baseUrl, authUrl } = service
  const token = `curl -s ${authUrl}/connect/token -d grant_type=client_credentials`
  const inToken = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`
  const authorised = '-H "Authorization: Bearer $TOKEN"'
  const body = JSON.stringify({
    consignmentType: 2,
    clientCode: 'KAURI',
    warehouseCode: 'AKL',
    products: [{ productCode: 'KAU-002', items: [{ quantity: 6 }] }],
  })
  const post = `curl -s ${baseUrl}/v1/consignment-imports ${authorised}`
  return `
Base address    ${baseUrl}
API reference   ${baseUrl}/docs
Client id       ${clientId}
Client secret   ${clientSecret}
Printers write  ${printedFolder}
(all of this is in ${path} too)

Go on with:
  TOKEN=$(${token} -d client_id=${clientId} -d client_secret=${clientSecret} | ${inToken})
  curl -s '${baseUrl}/v1/consignments?PageSize=3' ${authorised}
  ${post} -H 'Content-Type: application/json' -d '${body}'
${steps.map(step => `  ${step}\n`).join('')}${signInSteps(service, person)}
Serving until you press Ctrl-C.`
}
