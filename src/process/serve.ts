// `./waybill start`: runs the service until it receives a signal to stop.

import { join } from 'node:path'
import process from 'node:process'
import { compactHeap } from './compact-heap.ts'
import type { Config } from './config.ts'
import { createLog } from './log.ts'
import { type Service, startService } from './service.ts'
import { version } from './version.ts'

// One Ctrl-C may arrive as two signals: from the terminal, and forwarded by the shell or npm.
const sameSignalMs = 1_000
// Container runtimes kill a container ten seconds after they have asked it to stop. Whatever does not end
// until shortly before, ends then, and the log says so.
const maxStoppingMs = 9_500

/**
 * Starts the service, prints its address on standard error, and stops it cleanly on SIGTERM or Ctrl-C. A
 * further signal, a second or more later, ends it at once. Standard output is for the log; with `json` the
 * log goes to standard error, and standard output is left to the caller.
 */
export async function serve(
  config: Config,
  { json = false, isDemo = false }: { json?: boolean; isDemo?: boolean } = {},
): Promise<Service> {
  const log = createLog(config, json ? 2 : 1)
  const service = await startService(config, log, isDemo)
  compactHeap()
  let stoppingSince: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info(`${signal} received, shutting down`)
    if (signal === 'SIGINT')
      console.error('Stopping: running requests are finished. Ctrl-C again ends it at once.')
    setTimeout(() => {
      log.error('the stop takes too long: the process ends now')
      // An orderly end would wait for threads, and one of them may be what takes so long.
      process.kill(process.pid, 'SIGKILL')
    }, maxStoppingMs).unref()
    await service.stop().catch(error => {
      log.error({ err: error }, 'the stop failed')
      process.exit(1)
    })
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A defect must be visible in the log, but a defect in one request must not end all others.
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
  for (const note of [...service.notes, ...keyNote(config), ...reachNote(config)]) console.error(note)
  console.error(
    `Waybill ${version} is ready at ` +
      `${service.baseUrl}${config.roles.api ? ` (API reference: ${service.baseUrl}/docs)` : ''}`,
  )
  return service
}

/** Says that the service can be reached from other machines, which the printed address does not show. */
function reachNote({ host }: Config): string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return isEverywhere
    ? [
        `It listens on every address of this machine (HOST=${host}); HOST=127.0.0.1 lets nobody else ` +
          'reach it.',
      ]
    : []
}

/** Reminds the user that other processes need the key of a shared database, which is on this machine only. */
function keyNote({ databaseUrl, encryptionKey, databaseSetting, dataDir }: Config): string[] {
  if (databaseUrl === undefined || encryptionKey !== undefined) return []
  return [
    `${databaseSetting} is set and ENCRYPTION_KEY is not: the key to the secrets in that database is kept ` +
      `in ${join(dataDir, 'encryption.key')}. Every process and every container of the database needs it; ` +
      'set ENCRYPTION_KEY to what the file holds.',
  ]
}
