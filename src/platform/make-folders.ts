// Makes a folder and those above it. Node's own `mkdir` with `recursive` never comes to an end where nothing
// can be made although the folder above is there, as below /proc.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes what is missing of a path. Returns the first folder that was made, undefined where all were there.
 * Throws what the system says where one cannot be made.
 */
export async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  try {
    return await makeOne(path, mode)
  } catch (error) {
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error
    const first = await makeFolders(above, mode)
    const made = await makeOne(path, mode)
    return first ?? made
  }
}

/** The folder, if it was not there. */
const makeOne = (path: string, mode: number): Promise<string | undefined> =>
  mkdir(path, { mode }).then(
    () => path,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return undefined
    },
  )
