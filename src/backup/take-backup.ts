// Takes a backup: all tables as of one moment, while others read and write.

import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { appliedMigrations } from '../platform/database/migrate.ts'
import type { BackupHeader, BackupWriter } from './backup-file.ts'
import { copyTarget, inTransaction, quoteIdentifier, readTables } from './session.ts'

/** How much text of a table goes into one frame of the file. */
const frameBytes = 2 ** 20

/** How much a backup contains. */
export interface BackupFigures {
  tables: number
  rows: number
}

/**
 * Writes everything in the database as of now; needs the memory of one frame. `readKey` returns the
 * encryption key for the backup's header. Throws if the database is not Waybill's.
 */
export function takeBackup(
  client: pg.Client,
  writer: BackupWriter,
  waybill: string,
  readKey: () => Promise<BackupHeader['key']>,
): Promise<BackupFigures> {
  return inTransaction(client, 'begin isolation level repeatable read read only', async () => {
    const migrations = [...(await appliedMigrations(client))].toSorted()
    if (migrations.length === 0)
      throw new Error('There is nothing to back up: the database holds no tables of Waybill.')
    const tables = await readTables(client)
    // No table may be altered or dropped until all have been read.
    await client.query(
      `lock table ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')} in access share mode`,
    )
    await writer.header({ waybill, createdUtc: new Date().toISOString(), migrations, key: await readKey() })
    let rows = 0
    for (const table of tables) {
      await writer.table(table)
      const copy = client.query(to(`copy ${copyTarget(table)} to stdout`))
      for await (const text of inFrames(copy)) await writer.data(text)
      rows += copy.rowCount
    }
    const sequences = await client.query(`
      select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = current_schema() order by 1`)
    await writer.end({ sequences: sequences.rows })
    return { tables: tables.length, rows }
  })
}

/** Collects the bytes of a stream into pieces of about the size of a frame. */
async function* inFrames(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < frameBytes) continue
    yield Buffer.concat(chunks)
    chunks = []
    heldBytes = 0
  }
  if (heldBytes > 0) yield Buffer.concat(chunks)
}

/** Makes a function that writes to a stream and resolves when the stream takes more. */
export function writeTo(stream: NodeJS.WritableStream): (bytes: Buffer) => Promise<void> {
  let failure: Error | undefined
  stream.on('error', error => (failure = error))
  return async bytes => {
    if (failure !== undefined) throw failure
    if (!stream.write(bytes)) await once(stream, 'drain')
  }
}
