// PgBouncer in transaction mode in front of the server of a test run, for `npm run test:pgbouncer`. The
// program must be installed, in version 1.21 or newer; PGBOUNCER is its path if it is not in the PATH.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeAddress } from './given-people.ts'
import { until } from './service-process.ts'

/** The settings of connections that a pooler has to apply itself, as docs/production.md recommends. */
export const connectQuery = [
  "timezone = ''UTC''",
  'jit = off',
  "lock_timeout = ''3s''",
  "statement_timeout = ''30s''",
  "idle_in_transaction_session_timeout = ''60s''",
]
  .map(setting => `set ${setting}`)
  .join('; ')

/** A running PgBouncer. */
export interface PgBouncer {
  /** a connection string through it, without a database */
  readonly url: string
  stop(): Promise<void>
}

const isListening = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Starts PgBouncer in front of the server with this socket folder. Throws if it does not start. */
export async function startPgBouncer(program: string, host: string, user: string): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-pgbouncer-'))
  await chmod(folder, 0o711)
  const port = Number(new URL(await freeAddress()).port)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${host} user=${user} connect_query='${connectQuery}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 20
max_prepared_statements = 500
ignore_startup_parameters = options,extra_float_digits
server_idle_timeout = 5
`,
  )
  // Only the account of the server may enter its socket folder.
  const { uid, gid } = await stat(host)
  const account = process.getuid?.() === 0 ? { uid, gid } : {}
  const child: ChildProcess = spawn(program, ['-q', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...account,
  })
  const ended = once(child, 'exit')
  await until(() => isListening(port), `${program} does not listen.`)
  return {
    url: `postgres://${user}@127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
