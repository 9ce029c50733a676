// The hashes of the migrations, by which an edit of one that was released is noticed.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../migrations/', import.meta.url)

/** Where the hashes of those that were released are kept. */
export const releasedFile = new URL('released-migrations.json', import.meta.url)

/** The SHA-256 of each migration, by its name, in order. */
export const migrationHashes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map(name => [
        name,
        createHash('sha256')
          .update(readFileSync(new URL(name, folder)))
          .digest('hex'),
      ]),
  )

/** The same of those that were released. */
export const releasedHashes = (): Record<string, string> => JSON.parse(readFileSync(releasedFile, 'utf8'))
