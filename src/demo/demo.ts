// `./waybill demo`: loads a realistic organisation, shows an import, and goes on serving.

import { readFile, rm, writeFile } from 'node:fs/promises'
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
import { consignments, organisation } from './demo-data.ts'
import { type DemoUser, prepareDemoPeople } from './demo-people.ts'
import { type DemoPerson, describeSignIn, prepareDemoPerson } from './demo-person.ts'
import { bodiesOf, type DemoServer, openDemoServer } from './demo-server.ts'
import { retrySeconds, startFailingReceiver } from './failing-receiver.ts'
import { loadDemo } from './load-demo.ts'
import type { Call } from './load-history.ts'
import { startPrinters } from './printers.ts'
import { curl, suggestCommands } from './suggested-commands.ts'

/** The content of DATA_DIR/demo.json. */
export interface Demo {
  baseUrl: string
  authUrl: string
  organisationId: string
  clientId: string
  clientSecret: string
  /** the person who can sign in; absent if the address cannot be a redirect URI */
  person?: DemoPerson | undefined
  /** whom one can try the demo as */
  people?: readonly DemoUser[] | undefined
  /** the folder into which the printers of the demo print */
  printedFolder: string
}

const consignmentCount = 320

type Print = (text: string) => void

/**
 * Serves the demo organisation. A second run uses the organisation that the first one loaded, and finishes
 * what that one had begun. A step that fails is reported in one line, and the service goes on. With `json` it
 * leaves standard output to the caller. Returns undefined if there is no organisation.
 */
export async function serveDemo(config: Config, json = false): Promise<Demo | undefined> {
  if (!config.roles.api || !config.roles.worker)
    throw new Error('The demo needs ROLES=both: it imports a consignment and shows it.')
  const print: Print = json ? console.error : console.log
  // One can subscribe receivers on this machine, as the demo does with one that fails.
  const settings = { ...config, webhookAllowPrivate: true, webhookRetrySeconds: retrySeconds }
  const service = await serve(settings, { json, isDemo: true })
  print(`Open ${service.baseUrl}`)
  const server = openDemoServer(service)
  try {
    return await setUp(service, server, config.dataDir, print)
  } finally {
    await server.close()
  }
}

/** Sets up what is missing. DATA_DIR/demo.json is written last, when everything is there. */
async function setUp(
  service: Service,
  server: DemoServer,
  dataDir: string,
  print: Print,
): Promise<Demo | undefined> {
  /** Runs a step. Says in one line that it failed, and then returns undefined. */
  async function attempt<T>(intention: string, step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step()
    } catch (error) {
      const reason = (error as Error).message.replaceAll(/\s+/g, ' ')
      print(`The demo could not ${intention}: ${reason}`)
      return undefined
    }
  }
  const { baseUrl, authUrl } = service
  const [path, unfinishedPath] = ['demo.json', 'demo-unfinished.json'].map(name => join(dataDir, name)) as [
    string,
    string,
  ]
  const earlier = (await findEarlierDemo(service, path)) ?? (await findEarlierDemo(service, unfinishedPath))
  const credentials =
    earlier ?? (await attempt('load its organisation', () => createDemo(service, server, print)))
  if (credentials === undefined) return undefined
  const { organisationId, clientId, clientSecret } = credentials
  const printedFolder = join(dataDir, 'printed')
  let demo: Demo = { baseUrl, authUrl, organisationId, clientId, clientSecret, printedFolder }
  const write = async (file: string) => {
    await makeFolders(dataDir, 0o700)
    await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  }
  if (earlier === undefined) await write(unfinishedPath)
  const preparePerson = () => prepareDemoPerson(service, organisationId, earlier?.person)
  demo = { ...demo, person: await attempt('create its person', preparePerson) }
  const preparePeople = () => prepareDemoPeople(service, organisationId, earlier?.people)
  demo = { ...demo, people: await attempt('create its people', preparePeople) }
  if (earlier === undefined) await write(unfinishedPath)

  const calls = await server.callAs(clientId)
  const call = bodiesOf(calls)
  await attempt('import its consignment', () => showImport(baseUrl, calls, print))
  await attempt('start its printers', async () => {
    const printers = await startPrinters({ service, dataDir, call, server })
    onceStopping(() => void printers.stop())
  })
  await attempt('start the receiver that is down', async () => {
    const receiver = await startFailingReceiver(call)
    onceStopping(() => void receiver.stop())
  })
  const commands = await attempt('suggest commands', () => suggestCommands(baseUrl, call))
  await write(path)
  await rm(unfinishedPath, { force: true })
  print(describeDemo(service, demo, path, commands ?? []))
  return demo
}

function onceStopping(act: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, act)
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
  { database, secretBox }: Service,
  server: DemoServer,
  print: Print,
): Promise<Pick<Demo, 'organisationId' | 'clientId' | 'clientSecret'>> {
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
  const call = await server.callAs(created.clientId)
  const counts = await loadDemo(database, call, consignments(consignmentCount, new Date()))
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  print(
    `  ${counts.partners} partners, ${counts.warehouses} warehouses, ${counts.products} products, ` +
      `${counts.consignments} consignments in ${seconds} s`,
  )
  return created
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
async function showImport(baseUrl: string, call: Call, print: Print): Promise<void> {
  const started = performance.now()
  const posted = await call('POST', '/v1/consignment-imports', sampleImport)
  const { consignmentId } = posted.body as { consignmentId: string }
  print(`\nPOST ${baseUrl}/v1/consignment-imports\n  ${posted.status} {"consignmentId":"${consignmentId}"}`)
  const path = `/v1/consignments/${consignmentId}`
  const end = Date.now() + 10_000
  let status = 202
  while (status === 202 && Date.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 10))
    status = (await call('GET', `${path}/check-exists`)).status
  }
  if (status !== 201)
    throw new Error(`The import did not become a consignment: check-exists returns ${status}.`)
  const elapsed = Math.round(performance.now() - started)
  const { consignmentNumber } = (await call('GET', path)).body
  print(`  ${elapsed} ms later it is consignment ${consignmentNumber}`)
}

/** The addresses and credentials of the demo, and commands to try, each on one line. */
function describeDemo(service: Service, demo: Demo, path: string, commands: readonly string[]): string {
  const { clientId, clientSecret, person, printedFolder } = demo
  const { baseUrl, authUrl } = service
  const token = `${curl} ${authUrl}/connect/token -d grant_type=client_credentials`
  const inToken = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`
  const authorised = '-H "Authorization: Bearer $TOKEN"'
  const body = JSON.stringify({
    consignmentType: 2,
    clientCode: 'KAURI',
    warehouseCode: 'AKL',
    products: [{ productCode: 'KAU-002', items: [{ quantity: 6 }] }],
  })
  const post = `${curl} ${baseUrl}/v1/consignment-imports ${authorised}`
  return `
Base address    ${baseUrl}
API reference   ${baseUrl}/docs
Client id       ${clientId}
Client secret   ${clientSecret}
Printers write  ${printedFolder}
(all of this is in ${path} too)

Go on with:
  TOKEN=$(${token} -d client_id=${clientId} -d client_secret=${clientSecret} | ${inToken})
  ${curl} '${baseUrl}/v1/consignments?PageSize=3' ${authorised}
  ${post} -H 'Content-Type: application/json' -d '${body}'
${commands.map(command => `  ${command}\n`).join('')}${describeSignIn(service, person)}
Serving until you press Ctrl-C.`
}
