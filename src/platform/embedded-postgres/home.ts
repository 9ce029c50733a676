// Decides where the built-in PostgreSQL lives: its folder, its socket and the account it runs as..

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
import { makeFolders } from '../make-folders.ts'
import type { SystemAccount } from './account.ts'
import { exists, findNativePackage, type NativePackage, ownDatabase, usableBinaries } from './binaries.ts'

const run = promisify(execFile)

/**
 * The maximum length of a socket's path: below the limits of macOS (104 with the final zero) and Linux (108).
 */
const maxSocketPathBytes = 100
const pointerFile = 'where-the-database-is.txt'

/** What a server needs to run; all paths are absolute. */
export interface DatabaseHome {
  /** contains `data` and the logs; has mode 0700 and belongs to the account */
  folder: string
  data: string
  socketFolder: string
  bin: string
  /** the account to run as; undefined for the account of this process */
  account: SystemAccount | undefined
  /** sentences to show the operator at the start */
  notes: string[]
}

/**
 * Finds or creates the home of the database of a data folder. Every process gets the same result for the same
 * data folder. Throws an Error with advice if there can be no home.
 */
export async function prepareHome(dataDir: string): Promise<DatabaseHome> {
  const native = findNativePackage()
  const isRoot = process.getuid?.() === 0
  const root = await makeDataDir(path.resolve(dataDir), isRoot)
  const elsewhere = await readPointer(root)
  const inside = path.join(root, 'postgresql')
  const owner = await ownerOf(path.join(elsewhere ?? inside, 'data'))
  if (!isRoot) return completeHome(native, root, elsewhere ?? inside, undefined, owner)

  const account = owner ?? (await unprivilegedAccount())
  if (elsewhere) return completeHome(native, root, elsewhere, account, owner)
  if (await canEnter(root, account)) return completeHome(native, root, inside, account, owner)
  if (owner) {
    throw new Error(
      `The database in ${inside} belongs to the account ${account.name}, which may no longer enter ` +
        `${root}. Give it back the right to pass (chmod o+x on the folders above).`,
    )
  }
  return completeHome(native, root, await placeElsewhere(root, account), account, owner)
}

/**
 * Whether a data folder has a database. Creates nothing. A folder that cannot be read counts as having one.
 */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  try {
    const root = await realpath(dataDir)
    const folder = (await readPointer(root)) ?? path.join(root, 'postgresql')
    return (await stat(path.join(folder, 'data', 'PG_VERSION'))).isFile()
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}

/** Creates the folder and that of the socket, and returns the home. */
async function completeHome(
  native: NativePackage,
  root: string,
  folder: string,
  account: SystemAccount | undefined,
  owner: SystemAccount | undefined,
) {
  const uid = account?.uid ?? process.getuid?.()
  if (owner && owner.uid !== uid) {
    throw new Error(
      `The database in ${folder} belongs to the account ${owner.name}. Start Waybill as that account, ` +
        `${ownDatabase}.`,
    )
  }
  await makeFolder(folder, account, `The folder ${folder} for the database`)
  const notes: string[] = []
  if (path.dirname(folder) !== root) {
    notes.push(
      `PostgreSQL does not run as root and the account ${account?.name ?? 'of this process'} may not enter ` +
        `${root}, so the database is kept in ${folder}. ` +
        'Include that folder in your backups and keep it on a lasting volume, or set DATA_DIR to a folder ' +
        'that every account may enter.',
    )
  }
  const socketFolder = await chooseSocketFolder(folder, account)
  if (socketFolder !== folder)
    notes.push(`The path ${folder} is too long for a socket, so PostgreSQL listens in ${socketFolder}.`)
  const bin = await usableBinaries(native, account, () =>
    account ? sharedFolder(account) : Promise.resolve(root),
  )
  return { folder, data: path.join(folder, 'data'), socketFolder, bin, account, notes } satisfies DatabaseHome
}

async function makeDataDir(dataDir: string, isRoot: boolean): Promise<string> {
  try {
    // If this process is root, the server runs as another account, which must be able to pass through the
    // folder, but not to list it.
    await makeFolders(dataDir, isRoot ? 0o711 : 0o700)
    return await realpath(dataDir)
  } catch (error) {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be used. ` +
        `Set DATA_DIR to a folder that this account may write, ${ownDatabase}. (${String(error)})`,
      { cause: error },
    )
  }
}

async function makeFolder(folder: string, account: SystemAccount | undefined, what: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 }).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
    const found = await lstat(folder)
    const uid = account?.uid ?? process.getuid?.()
    if (!found.isDirectory() || (found.mode & 0o077) !== 0)
      throw new Error('it exists and is not a folder that only its owner may enter')
    if (found.uid === uid) return
    // Only a folder that belongs to root, such as the one made above, may be given to another account.
    if (!account || found.uid !== 0) throw new Error('it belongs to another account')
    await chown(folder, account.uid, account.gid)
  } catch (error) {
    const remedies = (await isEmptyFolder(folder)) ? 'correct its rights, remove it' : 'correct its rights'
    throw new Error(`${what} cannot be used: ${remedies}, ${ownDatabase}. (${String(error)})`, {
      cause: error,
    })
  }
}

/** Whether a folder is known to be empty; one that cannot be read may hold data. */
const isEmptyFolder = (folder: string): Promise<boolean> =>
  readdir(folder).then(
    names => names.length === 0,
    () => false,
  )

/**
 * Chooses the folder of the socket. It depends only on the folder and the account, because every process must
 * find the same socket.
 */
async function chooseSocketFolder(folder: string, account: SystemAccount | undefined): Promise<string> {
  if (Buffer.byteLength(path.join(folder, '.s.PGSQL.5432')) <= maxSocketPathBytes) return folder
  const parent = account && (await canEnter('/run', account)) ? '/run' : '/tmp'
  const short = path.join(parent, `waybill-${nameFor(folder)}`)
  await makeFolder(short, account, `The folder ${short} for the socket of the database`)
  return short
}

/** Returns the folder that the pointer file names; undefined if there is no pointer file. */
async function readPointer(root: string): Promise<string | undefined> {
  const file = path.join(root, pointerFile)
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
 * Creates a folder outside `root`, named after it, and leaves a pointer to it in `root`. A folder of that
 * name that is not empty belongs to a data folder that was moved, and is left alone.
 */
async function placeElsewhere(root: string, account: SystemAccount): Promise<string> {
  const parent = await sharedFolder(account)
  for (let count = 1; ; count++) {
    const folder = path.join(parent, nameFor(root) + (count > 1 ? `-${count}` : ''))
    const contents = await readdir(folder).catch(() => [])
    if (contents.length > 0) continue
    await makeFolder(folder, account, `The folder ${folder} for the database`)
    const draft = path.join(root, `${pointerFile}.${process.pid}`)
    await writeFile(
      draft,
      `The database of this data folder is kept in\n${folder}\n` +
        'because PostgreSQL does not run as root and its account may not enter this folder. Keep this ' +
        'file.\n',
    )
    // A hard link fails if the file exists, so of two processes that start at once only one decides.
    await link(draft, path.join(root, pointerFile)).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(draft)
    const decided = await readPointer(root)
    if (decided && decided !== folder) await rmdir(folder).catch(() => undefined)
    return decided ?? folder
  }
}

/** Creates or finds a folder `waybill` in a lasting folder of the system, which the account may enter. */
async function sharedFolder(account: SystemAccount): Promise<string> {
  for (const parent of ['/var/lib', '/var/local', '/srv', '/opt']) {
    const folder = path.join(parent, 'waybill')
    const doesExist = await mkdir(folder, { mode: 0o755 }).then(
      () => true,
      error => error.code === 'EEXIST',
    )
    if (doesExist && (await lstat(folder)).uid === 0 && (await canEnter(folder, account))) return folder
  }
  throw new Error(
    `There is no folder for the built-in database that the account ${account.name} may enter. ` +
      `Set DATA_DIR to a folder that every account may enter, start Waybill as another account than root, ` +
      `${ownDatabase}.`,
  )
}

async function unprivilegedAccount(): Promise<SystemAccount> {
  const all = await accounts()
  const found = all.find(({ name }) => name === 'postgres') ?? all.find(({ name }) => name === 'nobody')
  if (!found)
    throw new Error(
      `PostgreSQL does not run as root, and this system has neither an account postgres nor nobody. ` +
        `Start Waybill as another account, ${ownDatabase}.`,
    )
  return found
}

async function accounts(): Promise<SystemAccount[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map(line => line.split(':'))
  return lines
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0)
}

async function ownerOf(file: string): Promise<SystemAccount | undefined> {
  try {
    const { uid, gid } = await stat(file)
    const known = (await accounts()).find(account => account.uid === uid)
    return { name: known?.name ?? `number ${uid}`, uid, gid }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw new Error(
      `The database at ${file} cannot be reached. ` +
        `Start Waybill as the account it belongs to, ${ownDatabase}. (${String(error)})`,
      { cause: error },
    )
  }
}

/** Whether an account may enter a folder. Tries it, because access lists count as well as mode bits. */
async function canEnter(folder: string, { uid, gid }: SystemAccount): Promise<boolean> {
  return run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', env: {}, uid, gid }).then(
    () => true,
    () => false,
  )
}

/** A short name derived from a path. */
export function nameFor(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16)
}
