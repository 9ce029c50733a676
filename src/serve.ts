// `waybill start`: runs the service until it is told to stop.

import process from 'node:process'
import type { Config } from './config.ts'
import { openLog, type Service, startService } from './service.ts'
import { version } from './version.ts'

/** Starts the service, says where it is, and stops it cleanly on SIGTERM or Ctrl-C; a second one ends it at once. */
export async function serve(config: Config): Promise<Service> {
  const log = openLog(config)
  const service = await startService(config, log)
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info(`${signal}: finishing what is under way`)
    await service.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A defect must be seen, but one request's defect must not end every other request.
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  for (const note of service.notes) console.log(note)
  console.log(`Waybill ${version} is ready at ${service.baseUrl} (API reference: ${service.baseUrl}/docs)`)
  return service
}
