// Takes a backup: all tables as they were at one moment, while others read and write.

import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { appliedMigrations } from '../platform/database/migrate.ts'
import type { BackupHeader, BackupWriter } from './backup-file.ts'
import { copied, inTransaction, quoted, readTables } from './session.ts'

/** How much text of a table goes into one frame of the file. */
const frameBytes = 2 ** 20

/** What a backup holds. */
export interface BackupFigures {
  tables: number
  rows: number
}

/**
 * Writes everything that the database holds at this moment, and needs the memory of one frame. `keyOf`
 * returns the encryption key as the backup is to hold it. Throws where the database is not Waybill's.
 */
export function takeBackup(
  client: pg.Client,
  writer: BackupWriter,
  waybill: string,
  keyOf: () => Promise<BackupHeader['key']>,
): Promise<BackupFigures> {
  return inTransaction(client, 'begin isolation level repeatable read read only', async () => {
    const migrations = [...(await appliedMigrations(client))].toSorted()
    if (migrations.length === 0)
      throw new Error('There is nothing to back up: the database holds no tables of Waybill.')
    const tables = await readTables(client)
    // Nothing may change the tables themselves until the last is read.
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
    await writer.header({ waybill, createdUtc: new Date().toISOString(), migrations, key: await keyOf() })
    let rows = 0
    for (const table of tables) {
      await writer.table(table)
      const copy = client.query(to(`copy ${copied(table)} to stdout`))
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

/** The bytes of a stream in larger pieces. */
async function* inFrames(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let held = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    held += chunk.length
    if (held < frameBytes) continue
    yield Buffer.concat(chunks)
    chunks = []
    held = 0
  }
  if (held > 0) yield Buffer.concat(chunks)
}

/** Returns what writes to a stream and resolves when it takes more. */
export function writeTo(stream: NodeJS.WritableStream): (bytes: Buffer) => Promise<void> {
  let failure: Error | undefined
  stream.on('error', error => (failure = error))
  return async bytes => {
    if (failure !== undefined) throw failure
    if (!stream.write(bytes)) await once(stream, 'drain')
  }
}
