// An organisation with consignments for sub-records, and helpers that read the events about them.

import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/db.ts'
import { openImports } from './given-imports.ts'
import type { Caller } from './harness.ts'

/** An event: its data for subscribers, and its changes in the history. */
export interface EmittedEvent {
  type: number
  data: Record<string, unknown>
  changes: { field: string; from: unknown; to: unknown }[]
}

/** Minimal files of these types; their first bytes identify them. */
const contents = {
  'application/pdf': Buffer.from('%PDF-1.7\n%%EOF\n'),
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'text/plain': Buffer.from('Left at the back door.\n'),
}

/** A file for a request body, with content of the given type. */
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
    /** Creates an inwards consignment with client and carrier, and returns its path. */
    consignment: async () => `/v1/consignments/${await imports.imported({ carrierCode: 'SWF' })}`,
    /** All events about a consignment since its creation, in order. */
    eventsOf: (path: string) =>
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
