// `./waybill start`: runs the service until it is told to stop.

import { join } from 'node:path'
import process from 'node:process'
import type { Config } from './config.ts'
import { settleMemory } from './memory.ts'
import { openLog, type Service, startService } from './service.ts'
import { version } from './version.ts'

// One Ctrl-C may come as two signals: from the terminal, and passed on by the shell or npm.
const oneSignalMs = 1_000

/**
 * Starts the service, says on standard error where it is, and stops it cleanly on SIGTERM or Ctrl-C; a second
 * one, a second or more later, ends it at once. Standard output has the log, lines of JSON and nothing else;
 * with `json` that goes to standard error too, and leaves it to the caller.
 */
export async function serve(config: Config, json = false): Promise<Service> {
  const log = openLog(config, json ? 2 : 1)
  const service = await startService(config, log)
  settleMemory()
  let stopping: number | undefined
  const stop = async (signal: string) => {
    if (stopping !== undefined) {
      if (performance.now() - stopping > oneSignalMs) process.exit(1)
      return
    }
    stopping = performance.now()
    log.info(`${signal}: finishing what is under way`)
    await service.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A defect must be seen, but one request's defect must not end every other request.
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  for (const note of [...service.notes, ...keyNote(config), ...reachNote(config)]) console.error(note)
  console.error(
    `Waybill ${version} is ready at ` +
      `${service.baseUrl}${config.roles.api ? ` (API reference: ${service.baseUrl}/docs)` : ''}`,
  )
  return service
}

/** The address that is printed may say less than from where the service can be reached. */
function reachNote({ host }: Config): string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return isEverywhere
    ? [
        `It listens on every address of this machine (HOST=${host}); HOST=127.0.0.1 lets nobody else ` +
          'reach it.',
      ]
    : []
}

/** The key of a shared database is easily left behind on one machine. */
function keyNote({ databaseUrl, encryptionKey, databaseSetting, dataDir }: Config): string[] {
  if (databaseUrl === undefined || encryptionKey !== undefined) return []
  return [
    `${databaseSetting} is set and ENCRYPTION_KEY is not: the key to the secrets in that database is kept ` +
      `in ${join(dataDir, 'encryption.key')}. Every process and every container of the database needs it; ` +
      'set ENCRYPTION_KEY to what the file holds.',
  ]
}
