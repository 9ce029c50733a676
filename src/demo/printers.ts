// The printers of the demo: a printer bridge in this process that writes files instead of printing.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBridge } from '../../bridge/src/bridge.ts'
import { folderPrinter } from '../../bridge/src/folder.ts'
import { settingsFrom } from '../../bridge/src/settings.ts'
import type { PictureResult } from '../../bridge/src/zpl-pictures.ts'
import { replaceSecret } from '../custom-apps/replace-secret.ts'
import { sql } from '../platform/database/db.ts'
import { renderingTask } from '../platform/renderer/task.ts'
import type { Service } from '../process/service.ts'
import { version } from '../process/version.ts'
import { PrinterLanguage, PrintType } from '../vocabulary/paper.ts'
import { type CallApi, type Credentials, printerOf } from './call-api.ts'
import { bodiesOf, type DemoServer } from './demo-server.ts'
import type { ZplToDraw } from './draw-zpl.ts'
import { loadPrintHistory } from './load-print-history.ts'

const printers = [
  { name: 'Office A4', type: 'document', language: 'pdf', media: ['iso_a4_210x297mm'] },
  { name: 'Dock labels', type: 'label', language: 'zpl', dotsPerMM: 8, media: ['om_100x150mm_100x150mm'] },
  { name: 'Dock labels PDF', type: 'label', language: 'pdf', media: ['om_100x150mm_100x150mm'] },
]

/** The same printers as the bridge announces them to the service. */
const announcePrinters = printers.map(({ type, language, ...printer }) => ({
  ...printer,
  type: type === 'label' ? PrintType.Label : PrintType.Document,
  language: language === 'zpl' ? PrinterLanguage.Zpl : PrinterLanguage.Pdf,
}))

interface BridgeAccount extends Credentials {
  printerBridgeId: string
}

export interface DemoPrinters {
  /** the folder into which the printers print */
  folder: string
  /** Stops the bridge. */
  stop(): Promise<void>
}

/** The folder of the bridge, and calls as the demo and as other apps. */
interface PrinterOptions {
  service: Service
  dataDir: string
  call: CallApi
  server: DemoServer
}

/**
 * Starts a bridge with three printers, which write into a folder in `dataDir`. A second run uses the bridge
 * of the first, and finishes what that one had begun.
 */
export async function startPrinters({
  service,
  dataDir,
  call,
  server,
}: PrinterOptions): Promise<DemoPrinters> {
  const path = join(dataDir, 'bridge.json')
  const folder = join(dataDir, 'printed')
  const account = (await findEarlierBridge(path, call)) ?? (await createBridge(service, call))
  const { printerBridgeId, clientId, clientSecret } = account
  const file = {
    url: service.baseUrl,
    printerBridgeId,
    clientId,
    clientSecret,
    stateFolder: 'bridge',
    printers: printers.map(printer => ({ ...printer, uri: `folder:${join(folder, printer.name)}` })),
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  await createPrinters(call)
  if ((await call<{ total: number }>('GET', '/v1/print-jobs?PageSize=1')).total === 0) {
    const callAsBridge = bodiesOf(await server.callAs(clientId))
    await loadPrintHistory(call, callAsBridge, printerBridgeId, announcePrinters)
  }
  const settings = settingsFrom(file, dataDir, { allowHttp: true })
  const printersHere = settings.printers.map(printer => ({
    ...printer,
    driver: folderPrinter(join(folder, printer.name), printer.dotsPerMM ?? undefined, drawInRenderer),
  }))
  const bridge = await startBridge(
    { ...settings, printers: printersHere },
    {
      version,
      log: () => {},
    },
  )
  return { folder, stop: bridge.stop }
}

const draw = renderingTask<ZplToDraw, PictureResult>(new URL('./draw-zpl.ts', import.meta.url))

/** Draws labels where the service makes documents. Never throws. */
const drawInRenderer = (zpl: Buffer, dotsPerMM: number): Promise<PictureResult> =>
  draw({ zpl, dotsPerMM }, { isLong: true }).catch(() => ({ fault: 'the label cannot be drawn' }))

async function findEarlierBridge(path: string, call: CallApi): Promise<BridgeAccount | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const account = JSON.parse(text) as BridgeAccount
  const isKnown = await call('GET', `/v1/printer-bridges/${account.printerBridgeId}`).then(
    () => true,
    () => false,
  )
  return isKnown ? account : undefined
}

const bridgeName = 'Site PC of the demo'

/** Creates the bridge. One whose secret was lost, because a run was stopped, gets a new secret. */
async function createBridge({ database, secretBox }: Service, call: CallApi): Promise<BridgeAccount> {
  const { printerBridges } = await call<{ printerBridges: { id: string; name: string; clientId: string }[] }>(
    'GET',
    `/v1/printer-bridges?SearchText=${encodeURIComponent(bridgeName)}`,
  )
  const begun = printerBridges.find(({ name }) => name === bridgeName)
  if (begun === undefined)
    return call('POST', '/v1/printer-bridges', { name: bridgeName, warehouseId: await warehouseId(call) })
  const { id, clientId } = begun
  const { clientSecret } = await database.atomically(tx =>
    replaceSecret(tx, secretBox, sql`client_id = ${clientId}`, 0),
  )
  return { printerBridgeId: id, clientId, clientSecret }
}

/** Creates those of the printers that are missing. */
async function createPrinters(call: CallApi): Promise<void> {
  for (const printer of announcePrinters) {
    if ((await printerOf(call, printer.name)) !== undefined) continue
    const isDefault = printer.name !== 'Dock labels'
    await call('POST', '/v1/printers', { ...printer, warehouseId: await warehouseId(call), isDefault })
  }
}

async function warehouseId(call: CallApi): Promise<string | undefined> {
  const { warehouses } = await call<{ warehouses: { id: string; code: string }[] }>('GET', '/v1/warehouses')
  return (warehouses.find(({ code }) => code === 'AKL') ?? warehouses[0])?.id
}
