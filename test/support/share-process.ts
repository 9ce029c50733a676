// Runs several test files in one process. Loading the service takes a second of processor time, which is more
// than most files need for their tests.

import { relative } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeAll } from './test-database.ts'

/**
 * Runs test files, named by their paths, one after the other; each is a test whose tests are those of the
 * file.
 */
export function shareProcess(files: readonly string[]): void {
  for (const file of files)
    test(relative(process.cwd(), file), async () => {
      after(closeAll)
      await import(pathToFileURL(file).href)
    })
}
