// The printers of the demo: a printer bridge in this process that writes files instead of printing.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBridge } from '../../bridge/src/bridge.ts'
import { folderPrinter } from '../../bridge/src/folder.ts'
import { settingsFrom } from '../../bridge/src/settings.ts'
import type { PictureResult } from '../../bridge/src/zpl-pictures.ts'
import { renderingTask } from '../platform/renderer/task.ts'
import { version } from '../process/version.ts'
import { PrinterLanguage, PrintType } from '../vocabulary/paper.ts'
import type { CallApi, Credentials } from './call-api.ts'
import type { GivenZpl } from './draw-zpl.ts'
import { loadPrintHistory } from './load-print-history.ts'

const printers = [
  { name: 'Office A4', type: 'document', language: 'pdf', media: ['iso_a4_210x297mm'] },
  { name: 'Dock labels', type: 'label', language: 'zpl', dotsPerMM: 8, media: ['om_100x150mm_100x150mm'] },
  { name: 'Dock labels PDF', type: 'label', language: 'pdf', media: ['om_100x150mm_100x150mm'] },
]

/** The same printers as the bridge announces them to the service. */
const announcedPrinters = printers.map(({ type, language, ...printer }) => ({
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

/** The address and folder of the bridge, and calls to the service as the demo or as another app. */
interface PrinterOptions {
  baseUrl: string
  dataDir: string
  call: CallApi
  callAs(app: Credentials): Promise<CallApi>
}

/**
 * Starts a bridge with three printers, which write into a folder in `dataDir`. A second run uses the bridge
 * of the first if the service still knows it.
 */
export async function startPrinters({
  baseUrl,
  dataDir,
  call,
  callAs,
}: PrinterOptions): Promise<DemoPrinters> {
  const path = join(dataDir, 'bridge.json')
  const folder = join(dataDir, 'printed')
  const earlier = await findEarlierBridge(path, call)
  const account = earlier ?? (await createBridge(call))
  const { printerBridgeId, clientId, clientSecret } = account
  const file = {
    url: baseUrl,
    printerBridgeId,
    clientId,
    clientSecret,
    stateFolder: 'bridge',
    printers: printers.map(printer => ({ ...printer, uri: `folder:${join(folder, printer.name)}` })),
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  if (earlier === undefined)
    await loadPrintHistory(call, await callAs(account), printerBridgeId, announcedPrinters)
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

const draw = renderingTask<GivenZpl, PictureResult>(new URL('./draw-zpl.ts', import.meta.url))

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

async function createBridge(call: CallApi): Promise<BridgeAccount> {
  const { warehouses } = await call<{ warehouses: { id: string; code: string }[] }>('GET', '/v1/warehouses')
  const warehouse = warehouses.find(({ code }) => code === 'AKL') ?? warehouses[0]
  const body = { name: 'Site PC of the demo', warehouseId: warehouse?.id }
  const account = await call<BridgeAccount>('POST', '/v1/printer-bridges', body)
  for (const printer of announcedPrinters) {
    const isDefault = printer.name !== 'Dock labels'
    await call<object>('POST', '/v1/printers', { ...printer, warehouseId: warehouse?.id, isDefault })
  }
  return account
}
