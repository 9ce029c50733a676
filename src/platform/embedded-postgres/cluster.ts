// Creates the files of the built-in database, and checks that this version can use them..

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { exists, ownDatabase } from './binaries.ts'
import type { DatabaseHome } from './home.ts'
import { isRunning } from './lock.ts'

const run = promisify(execFile)

/** The log for what happens to the database. */
export interface ClusterLog {
  info(message: string): void
  warn(message: string): void
}

export const superuser = 'waybill'
export const databaseName = 'waybill'

/**
 * Creates the cluster with its database unless it exists. It is created under a temporary name and then
 * renamed, so it is complete or absent. A process waits while another one is creating it; if two begin at the
 * same instant, the first to finish wins and the other deletes its own. Throws for data of another major
 * version.
 */
export async function initialiseCluster(
  home: DatabaseHome,
  log: ClusterLog,
  onProgramStarted?: () => void,
): Promise<void> {
  const version = await readFile(path.join(home.data, 'PG_VERSION'), 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (version !== undefined) return checkVersion(home, version.trim())

  const deadline = Date.now() + 30_000
  while (await isCreatedElsewhere(home)) {
    if (Date.now() > deadline) break
    await sleep(50)
  }
  if (await exists(path.join(home.data, 'PG_VERSION'))) return initialiseCluster(home, log, onProgramStarted)
  const draft = path.join(home.folder, `data.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  log.info(`Creating the database in ${home.folder}.`)
  try {
    // Created first, so that another process sees it and waits.
    await mkdir(draft, { mode: 0o700 })
    if (home.account) await chown(draft, home.account.uid, home.account.gid)
    // The builtin locale maps the case of all letters, compares bytes, and does not depend on the system's
    // libraries.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const otherFlags = ['--auth=trust', '--data-checksums', '--no-instructions', '--no-sync']
    const created = command(home, 'initdb', ['-D', draft, '-U', superuser, ...locale, ...otherFlags])
    onProgramStarted?.()
    await created
    await command(
      home,
      'postgres',
      ['--single', '-F', '-D', draft, 'postgres'],
      `CREATE DATABASE ${databaseName}\n`,
    )
    await command(home, 'initdb', ['--sync-only', '-D', draft])
    await rename(draft, home.data)
    const folder = await open(home.folder)
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const otherWon =
      error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
    const stderr = error instanceof Error && 'stderr' in error ? error.stderr : undefined
    if (!otherWon)
      throw describeInitFailure(
        `The database could not be created in ${home.folder}.`,
        String(stderr || error),
      )
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

/** Whether another process is creating the cluster now. Removes what processes that died have left. */
async function isCreatedElsewhere(home: DatabaseHome): Promise<boolean> {
  let isCreated = false
  for (const name of await readdir(home.folder)) {
    const creator = Number(/^data\.new-(\d+)-/.exec(name)?.[1] ?? process.pid)
    if (creator === process.pid) continue
    if (await isRunning(creator)) isCreated = true
    else await rm(path.join(home.folder, name), { recursive: true, force: true })
  }
  return isCreated
}

async function command(home: DatabaseHome, program: string, args: string[], input = '') {
  const running = run(path.join(home.bin, program), args, spawnOptions(home))
  running.child.stdin?.on('error', () => undefined).end(input)
  return running
}

/** Options for starting PostgreSQL's programs. They get no variable of our environment (PGDATA, LANG …). */
export function spawnOptions({ folder, account }: DatabaseHome) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: folder, env, ...(account && { uid: account.uid, gid: account.gid }) }
}

/** Makes an Error with advice that fits the output of a program, and the last lines of that output. */
export function describeInitFailure(what: string, output: string): Error {
  const advice =
    adviceByCause.find(([pattern]) => pattern.test(output))?.[1] ?? 'Correct the cause named below'
  const last = output.trimEnd().split('\n').slice(-15).join('\n')
  return new Error(`${what} ${advice}, ${ownDatabase}.\n${last}`.trimEnd())
}

const adviceByCause: [RegExp, string][] = [
  [/No space left|ENOSPC|quota/i, 'The disk is full: make room'],
  [
    /Permission denied|EACCES|EPERM|wrong ownership|invalid permissions/i,
    'Correct the owner and the rights of the folder',
  ],
  [/Read-only file system|EROFS/i, 'The disk is read-only: set DATA_DIR to a folder that can be written'],
  [/Cannot allocate memory|shared memory segment|semaphore/i, 'Give it more memory'],
]
