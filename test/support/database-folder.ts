// Where tests put their databases: in memory where the system has a file system for that. Each database is
// hundreds of files, which take a third of a second on a disk and a thirtieth of that in memory.

import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
/** A run of all tests needs less. */
const enoughBytes = 6 * 2 ** 30

async function hasRoom(): Promise<boolean> {
  const found = await statfs(inMemory).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= enoughBytes
}

/** Makes a folder for a database. Whoever makes it removes it. */
export async function makeDatabaseFolder(): Promise<string> {
  const folder = await mkdtemp(join((await hasRoom()) ? inMemory : tmpdir(), 'waybill-test-'))
  // PostgreSQL does not run as root; as root, its user has to be able to enter.
  await chmod(folder, 0o711)
  return folder
}
