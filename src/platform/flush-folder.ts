// Flushes a folder to the disk. Until then a power cut may lose the name of a file that was created or
// renamed in it, although its content was flushed.

import { open } from 'node:fs/promises'

/** Flushes the entries of a folder to the disk. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
