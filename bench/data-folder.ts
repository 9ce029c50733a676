// A temporary data folder for a benchmark.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder that can be used as DATA_DIR; `remove` deletes it. */
export async function openDataFolder(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-bench-'))
  // The database does not run as root, so its account must be able to enter the folder.
  await chmod(dataDir, 0o711)
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}
