// The files of the built-in database: making them, and checking that they are ours to use. Design 2.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { exists, OWN_DATABASE } from './binaries.ts'
import type { DatabaseHome } from './home.ts'
import { isRunning } from './lock.ts'

const run = promisify(execFile)

/** Where it is said what happens to the database. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}

export const SUPERUSER = 'waybill'
export const DATABASE = 'waybill'

/**
 * Makes the cluster with its database unless it is there. It is made under another name and then renamed, so
 * it is complete or absent. A process that sees another at it waits; of two that begin in the same instant
 * the first wins and the other throws its own away. Refuses the data of another major version.
 */
export async function initialiseCluster(home: DatabaseHome, log: Log): Promise<void> {
  const version = await readFile(path.join(home.data, 'PG_VERSION'), 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (version !== undefined) return checkVersion(home, version.trim())

  const deadline = Date.now() + 30_000
  while (await isMadeElsewhere(home)) {
    if (Date.now() > deadline) break
    await sleep(50)
  }
  if (await exists(path.join(home.data, 'PG_VERSION'))) return initialiseCluster(home, log)
  const draft = path.join(home.folder, `data.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  log.info(`Creating the database in ${home.folder}.`)
  try {
    // Made at once, so that another process sees it and waits.
    await mkdir(draft, { mode: 0o700 })
    if (home.account) await chown(draft, home.account.uid, home.account.gid)
    // The builtin locale knows upper and lower case of all letters, compares bytes and does not change with
    // the system's libraries.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const rest = ['--auth=trust', '--data-checksums', '--no-instructions', '--no-sync']
    await command(home, 'initdb', ['-D', draft, '-U', SUPERUSER, ...locale, ...rest])
    await command(
      home,
      'postgres',
      ['--single', '-F', '-D', draft, 'postgres'],
      `CREATE DATABASE ${DATABASE}\n`,
    )
    await command(home, 'initdb', ['--sync-only', '-D', draft])
    await rename(draft, home.data)
    const folder = await open(home.folder)
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const lost =
      error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
    const said = error instanceof Error && 'stderr' in error ? error.stderr : undefined
    if (!lost) throw explain(`The database could not be created in ${home.folder}.`, String(said || error))
  }
}

async function checkVersion(home: DatabaseHome, found: string): Promise<void> {
  const { stdout } = await command(home, 'postgres', ['--version'])
  const ours = /(\d+)\./.exec(stdout)?.[1]
  if (found === ours) return
  throw new Error(
    `The database in ${home.data} was made by PostgreSQL ${found}; this Waybill brings PostgreSQL ${ours}. ` +
      'Start the version of Waybill that made it, take a backup (./waybill backup) and restore it with ' +
      'this one in an empty DATA_DIR.',
  )
}

/** Whether another process is making the cluster at this moment. Clears away what one that died has left. */
async function isMadeElsewhere(home: DatabaseHome): Promise<boolean> {
  let found = false
  for (const name of await readdir(home.folder)) {
    const maker = Number(/^data\.new-(\d+)-/.exec(name)?.[1] ?? process.pid)
    if (maker === process.pid) continue
    if (await isRunning(maker)) found = true
    else await rm(path.join(home.folder, name), { recursive: true, force: true })
  }
  return found
}

async function command(home: DatabaseHome, program: string, args: string[], input = '') {
  const running = run(path.join(home.bin, program), args, surroundings(home))
  running.child.stdin?.on('error', () => undefined).end(input)
  return running
}

/** Nothing of our environment (PGDATA, PGTZ, LANG …) reaches the programs of PostgreSQL. */
export function surroundings({ folder, account }: DatabaseHome) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: folder, env, ...(account && { uid: account.uid, gid: account.gid }) }
}

/** An Error with advice taken from what a program wrote, and the last lines of that. */
export function explain(what: string, output: string): Error {
  const advice = ADVICE.find(([pattern]) => pattern.test(output))?.[1] ?? 'Correct the cause named below'
  const last = output.trimEnd().split('\n').slice(-15).join('\n')
  return new Error(`${what} ${advice}, ${OWN_DATABASE}.\n${last}`.trimEnd())
}

const ADVICE: [RegExp, string][] = [
  [/No space left|ENOSPC|quota/i, 'The disk is full: make room'],
  [
    /Permission denied|EACCES|EPERM|wrong ownership|invalid permissions/i,
    'Correct the owner and the rights of the folder',
  ],
  [/Read-only file system|EROFS/i, 'The disk is read-only: set DATA_DIR to a folder that can be written'],
  [/Cannot allocate memory|shared memory segment|semaphore/i, 'Give it more memory'],
]
