// Where tests put their databases: in memory, if the system has a file system for that. Creating the hundreds
// of files of a database takes a third of a second on a disk and a thirtieth of that in memory.

import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
/** More than a run of all tests needs. */
const enoughBytes = 6 * 2 ** 30

async function hasRoom(): Promise<boolean> {
  const found = await statfs(inMemory).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= enoughBytes
}

/** Creates a folder for a database. The caller removes it. */
export async function makeDatabaseFolder(): Promise<string> {
  const folder = await mkdtemp(join((await hasRoom()) ? inMemory : tmpdir(), 'waybill-test-'))
  // PostgreSQL does not run as root; if the tests do, its account must be able to enter the folder.
  await chmod(folder, 0o711)
  return folder
}
