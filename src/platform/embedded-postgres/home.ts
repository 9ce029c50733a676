// Where the built-in PostgreSQL lives: its folder, its socket and the account it runs as. Design 2.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { exists, findNative, type Native, OWN_DATABASE, usableBinaries } from './binaries.ts'

const run = promisify(execFile)

/**
 * Longest path of a socket that every system takes (104 bytes on macOS, 108 on Linux, with the closing zero).
 */
const SOCKET_PATH_BYTES = 100
const POINTER = 'where-the-database-is.txt'

/** Everything that must be known to run a server; all paths are absolute. */
export interface DatabaseHome {
  /** Folder with mode 0700 that belongs to the account; holds `data` and the logs. */
  folder: string
  data: string
  socketFolder: string
  bin: string
  /** Account to run as; undefined: the account of this process. */
  account: Account | undefined
  notes: string[]
}

/**
 * Finds or makes the home of the database of one data folder. Two processes that call it for the same data
 * folder get the same answer. Throws an Error that says what to do where that is impossible.
 */
export async function prepareHome(dataDir: string): Promise<DatabaseHome> {
  const native = findNative()
  const asRoot = process.getuid?.() === 0
  const root = await makeDataDir(path.resolve(dataDir), asRoot)
  const pointed = await readPointer(root)
  const beside = path.join(root, 'postgresql')
  const owner = await ownerOf(path.join(pointed ?? beside, 'data'))
  if (!asRoot) return finish(native, root, pointed ?? beside, undefined, owner)

  const account = owner ?? (await unprivilegedAccount())
  if (pointed) return finish(native, root, pointed, account, owner)
  if (await canEnter(root, account)) return finish(native, root, beside, account, owner)
  if (owner) {
    throw new Error(
      `The database in ${beside} belongs to the account ${account.name}, which may no longer enter ` +
        `${root}. ` +
        `Give it back the right to pass (chmod o+x on the folders above).`,
    )
  }
  return finish(native, root, await placeElsewhere(root, account), account, owner)
}

async function finish(
  native: Native,
  root: string,
  folder: string,
  account: Account | undefined,
  owner: Account | undefined,
) {
  const uid = account?.uid ?? process.getuid?.()
  if (owner && owner.uid !== uid) {
    throw new Error(
      `The database in ${folder} belongs to the account ${owner.name}. Start Waybill as that account, ` +
        `${OWN_DATABASE}.`,
    )
  }
  await makeFolder(folder, account, `The folder ${folder} for the database`)
  const notes: string[] = []
  if (path.dirname(folder) !== root) {
    notes.push(
      `PostgreSQL does not run as root and the account ${account?.name ?? 'of this process'} may not enter ` +
        `${root}, ` +
        `so the database is kept in ${folder}. ` +
        'Include that folder in your backups and keep it on a lasting volume, or set DATA_DIR to a folder ' +
        'that every account may enter.',
    )
  }
  const socketFolder = await chooseSocketFolder(folder, account)
  if (socketFolder !== folder)
    notes.push(`The path ${folder} is too long for a socket, so PostgreSQL listens in ${socketFolder}.`)
  const bin = await usableBinaries(native, account, () =>
    account ? publicPlace(account) : Promise.resolve(root),
  )
  return { folder, data: path.join(folder, 'data'), socketFolder, bin, account, notes } satisfies DatabaseHome
}

async function makeDataDir(dataDir: string, asRoot: boolean): Promise<string> {
  try {
    // As root the server runs as another account, which must be able to pass (not list) the folder to reach
    // its own below.
    await mkdir(dataDir, { recursive: true, mode: asRoot ? 0o711 : 0o700 })
    return await realpath(dataDir)
  } catch (error) {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be used. ` +
        `Set DATA_DIR to a folder that this account may write, ${OWN_DATABASE}. (${String(error)})`,
      { cause: error },
    )
  }
}

async function makeFolder(folder: string, account: Account | undefined, what: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 }).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
    const found = await lstat(folder)
    const uid = account?.uid ?? process.getuid?.()
    if (!found.isDirectory() || (found.mode & 0o077) !== 0)
      throw new Error('it exists and is not a folder that only its owner may enter')
    if (found.uid === uid) return
    // Only what root made itself a moment ago may change hands.
    if (!account || found.uid !== 0) throw new Error('it belongs to another account')
    await chown(folder, account.uid, account.gid)
  } catch (error) {
    const remedies = (await isEmptyFolder(folder)) ? 'correct its rights, remove it' : 'correct its rights'
    throw new Error(`${what} cannot be used: ${remedies}, ${OWN_DATABASE}. (${String(error)})`, {
      cause: error,
    })
  }
}

/** Whether nothing would be lost with a folder; what cannot be looked into may hold data. */
const isEmptyFolder = (folder: string): Promise<boolean> =>
  readdir(folder).then(
    names => names.length === 0,
    () => false,
  )

/** The same answer in every process, whatever its environment: another process must find the socket. */
async function chooseSocketFolder(folder: string, account: Account | undefined): Promise<string> {
  if (Buffer.byteLength(path.join(folder, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES) return folder
  const parent = account && (await canEnter('/run', account)) ? '/run' : '/tmp'
  const short = path.join(parent, `waybill-${nameFor(folder)}`)
  await makeFolder(short, account, `The folder ${short} for the socket of the database`)
  return short
}

async function readPointer(root: string): Promise<string | undefined> {
  const file = path.join(root, POINTER)
  const text = await readFile(file, 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return
  const folder = text.split('\n').find(line => line.startsWith('/'))
  if (folder && (await exists(folder))) return folder
  throw new Error(
    `The file ${file} says that the database is in ${folder ?? '(no folder named)'}, which does not exist. ` +
      'Bring that folder back, or remove the file to begin with an empty database.',
  )
}

/**
 * Makes a folder outside `root`, named after it, and leaves a pointer there. The folder of a data folder that
 * has moved is left alone.
 */
async function placeElsewhere(root: string, account: Account): Promise<string> {
  const place = await publicPlace(account)
  for (let count = 1; ; count++) {
    const folder = path.join(place, nameFor(root) + (count > 1 ? `-${count}` : ''))
    const taken = await readdir(folder).catch(() => [])
    if (taken.length > 0) continue
    await makeFolder(folder, account, `The folder ${folder} for the database`)
    const draft = path.join(root, `${POINTER}.${process.pid}`)
    await writeFile(
      draft,
      `The database of this data folder is kept in\n${folder}\n` +
        'because PostgreSQL does not run as root and its account may not enter this folder. Keep this ' +
        'file.\n',
    )
    // A hard link fails where the file exists: of two processes that start together one decides.
    await link(draft, path.join(root, POINTER)).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(draft)
    const decided = await readPointer(root)
    if (decided && decided !== folder) await rmdir(folder).catch(() => undefined)
    return decided ?? folder
  }
}

/** A lasting folder `waybill` of the system that the account may enter. */
async function publicPlace(account: Account): Promise<string> {
  for (const parent of ['/var/lib', '/var/local', '/srv', '/opt']) {
    const place = path.join(parent, 'waybill')
    const made = await mkdir(place, { mode: 0o755 }).then(
      () => true,
      error => error.code === 'EEXIST',
    )
    if (made && (await lstat(place)).uid === 0 && (await canEnter(place, account))) return place
  }
  throw new Error(
    `There is no place for the built-in database that the account ${account.name} may enter. ` +
      `Set DATA_DIR to a folder that every account may enter, start Waybill as another account than root, ` +
      `${OWN_DATABASE}.`,
  )
}

async function unprivilegedAccount(): Promise<Account> {
  const all = await accounts()
  const found = all.find(({ name }) => name === 'postgres') ?? all.find(({ name }) => name === 'nobody')
  if (!found)
    throw new Error(
      `PostgreSQL does not run as root, and this system has neither an account postgres nor nobody. ` +
        `Start Waybill as another account, ${OWN_DATABASE}.`,
    )
  return found
}

async function accounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map(line => line.split(':'))
  return lines
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0)
}

async function ownerOf(file: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(file)
    const known = (await accounts()).find(account => account.uid === uid)
    return { name: known?.name ?? `number ${uid}`, uid, gid }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw new Error(
      `The database at ${file} cannot be reached. ` +
        `Start Waybill as the account it belongs to, ${OWN_DATABASE}. (${String(error)})`,
      { cause: error },
    )
  }
}

/** Asks the system instead of reading mode bits: access lists and read-only mounts count too. */
async function canEnter(folder: string, { uid, gid }: Account): Promise<boolean> {
  return run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', env: {}, uid, gid }).then(
    () => true,
    () => false,
  )
}

/** Short name that stands for a path. */
export function nameFor(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16)
}
