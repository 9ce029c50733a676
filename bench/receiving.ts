// What the benchmarks of receiving share: a service, an organisation, and requests to receive.

import { pino } from 'pino'
import { type Config, readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { findStockDifferences } from '../src/stock/ledger/check-stock.ts'
import { openDataFolder } from './data-folder.ts'
import { prepareStock } from './moving-stock.ts'
import { openProcessorTime, type ProcessorTime } from './processor-time.ts'
import { serveWaybill, startRole, tokenFor } from './role.ts'

/** The context of a benchmark of receiving. */
export interface Receiving {
  store: Store
  /** the organisation */
  place: Awaited<ReturnType<typeof prepareStock>>
  /** Sends the receipts of a consignment. Throws if they are refused. */
  receive(consignmentId: string, receipts: readonly object[]): Promise<void>
  /** the processor time that service and database have used so far, in milliseconds */
  processorTime(): Promise<ProcessorTime>
}

/** In the role of the service, serves; otherwise starts a service and runs the benchmark against it. */
export async function benchReceiving(file: string, work: (receiving: Receiving) => Promise<void>) {
  const serve = (config: Config) => serveWaybill({ ...config, roles: { api: true, worker: false } })
  if (process.argv[2] === 'waybill') return serve(readConfig())
  const { dataDir, remove } = await openDataFolder()
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATABASE_URL: '' },
    RATE_LIMITS: 'off',
  }
  const store = await openStore(readConfig(settings), pino({ level: 'warn' }, pino.destination(2)))
  try {
    const place = await prepareStock(store, { rows: 1, quantity: 1 })
    const service = await startRole(file, 'waybill', settings)
    try {
      const authorization = `Bearer ${await tokenFor(service.port, place.app)}`
      const time = await openProcessorTime(store.database.db)
      const processorTime = () => time(service.pid)
      const send = (consignmentId: string, body: string) =>
        fetch(`http://127.0.0.1:${service.port}/v1/consignments/${consignmentId}/receive`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body,
        })
      await work({
        store,
        place,
        processorTime,
        receive: (id, receipts) => awaitReceipts(send, id, receipts),
      })
    } finally {
      await service.stop()
    }
    console.log('differences of stock:', (await findStockDifferences(store.database.db)).length)
  } finally {
    await store.close()
    await remove()
  }
}

/** A 503 means that nothing was done because the machine is too slow, so the request is sent again. */
async function awaitReceipts(
  send: (consignmentId: string, body: string) => Promise<Response>,
  consignmentId: string,
  receipts: readonly object[],
): Promise<void> {
  const body = JSON.stringify({ receipts })
  for (;;) {
    const answer = await send(consignmentId, body)
    const text = await answer.text()
    if (answer.ok) return
    if (answer.status !== 503) throw new Error(`${answer.status} ${text}`)
  }
}
