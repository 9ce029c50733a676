// An organisation with consignments that sub-records are put on, and a look at what was told of them.

import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/db.ts'
import { openImports } from './given-imports.ts'
import type { Caller } from './harness.ts'

/** What an event tells, to subscribers and in the history. */
export interface EmittedEvent {
  type: number
  data: Record<string, unknown>
  changes: { field: string; from: unknown; to: unknown }[]
}

/** The first bytes of a file of each of these types are enough to know it by. */
const contents = {
  'application/pdf': Buffer.from('%PDF-1.7\n%%EOF\n'),
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'text/plain': Buffer.from('Left at the back door.\n'),
}

/** A file as a request carries it, whose content is what its type says. */
export const uploaded = (fileName: string, contentType: keyof typeof contents, more: object = {}) => ({
  fileName,
  contentType,
  content: contents[contentType].toString('base64'),
  ...more,
})

/** The bytes of such a file. */
export const bytesOf = (contentType: keyof typeof contents): Buffer => contents[contentType]

/**
 * Opens a world with the client KAURI, the carrier SWF and the warehouse AKL (Pacific/Auckland), two
 * consumable, task and service types.
 */
export async function openSubRecords() {
  const imports = await openImports()
  const { admin, database } = imports.world
  const made = async (path: string, body: object, by: Caller = admin) =>
    Object.values((await by.post(path, body)).body)[0] as string

  return {
    ...imports,
    made,
    types: {
      film: await made('/v1/consumable-types', { name: 'Film' }),
      strap: await made('/v1/consumable-types', { name: 'Strap' }),
      label: await made('/v1/task-types', { code: 'LABEL', name: 'Labelling' }),
      weigh: await made('/v1/task-types', { code: 'WEIGH', name: 'Weighing' }),
      cold: await made('/v1/service-types', { code: 'COLD', name: 'Cold chain' }),
      tail: await made('/v1/service-types', { code: 'TAIL', name: 'Tail lift' }),
    },
    /** The address of a new consignment, an inwards one with client and carrier. */
    consignment: async () => `/v1/consignments/${await imports.imported({ carrierCode: 'SWF' })}`,
    /** Everything told of a consignment since it was created, in order. */
    told: (path: string) =>
      database.db.rows<EmittedEvent>(sql`
        select type, data, changes from event where subject_id = ${path.split('/')[3]} and type <> 101
          order by id`),
    /** Completes and closes a consignment. */
    async close(path: string): Promise<void> {
      assert.equal((await admin.put(`${path}/status`, { status: 0 })).status, 200)
      assert.equal((await admin.put(`${path}/status`, { status: 6 })).status, 200)
    },
  }
}
