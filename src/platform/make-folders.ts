// Creates a folder and its missing parents. Node's own recursive `mkdir` never returns if nothing can be
// created in an existing folder, such as below /proc.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates the missing folders of a path. Returns the first folder that was created, or undefined if all
 * existed. Throws the system's error if a folder cannot be created.
 */
export async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  try {
    return await makeFolder(path, mode)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    const first = await makeFolders(parent, mode)
    const newFolder = await makeFolder(path, mode)
    return first ?? newFolder
  }
}

/** Creates one folder. Returns its path, or undefined if it existed. */
const makeFolder = (path: string, mode: number): Promise<string | undefined> =>
  mkdir(path, { mode }).then(
    () => path,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return undefined
    },
  )
