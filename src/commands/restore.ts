// `./waybill restore`: restores a backup into an empty database, and puts its encryption key where the
// service finds it.

import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import type { Command } from 'commander'
import type pg from 'pg'
import type { BackupHeader, BackupReader } from '../backup/backup-file.ts'
import type { RestoreFigures } from '../backup/restore-backup.ts'
import { type Config, readConfig } from '../process/config.ts'
import { quiet } from './administer.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

interface RestoreOptions extends JsonOption {
  replace?: boolean
}

/** What a restore did. */
interface RestoreResult extends RestoreFigures {
  takenUtc: string
  waybill: string
  /** names of the migrations that came after the backup and were applied */
  applied: string[]
}

/** Adds `restore`. */
export function addRestore(program: Command): void {
  program
    .command('restore')
    .description(
      'restore a backup into an empty database, completely or not at all, and migrate it; stop the service ' +
        'first',
    )
    .argument('<file>', 'a file written by backup; - is standard input')
    .option('--replace', 'delete everything in the database, if it is not empty')
    .option(...jsonOption)
    .action(async (file: string, { json, replace = false }: RestoreOptions) => {
      const restored = await restore(readConfig(), file, replace)
      const { rows, tables, takenUtc, waybill, applied } = restored
      const sentences = [
        `Restored ${rows} rows of ${tables} tables, as they were at ${takenUtc} (Waybill ${waybill}).`,
        ...(applied.length > 0 ? [`Brought up to date with ${applied.join(', ')}.`] : []),
      ]
      print(json, restored, sentences.join('\n'))
    })
}

async function restore(config: Config, file: string, replace: boolean): Promise<RestoreResult> {
  const { openBackupReader } = await import('../backup/backup-file.ts')
  const { refuseUnknownVersion } = await import('../backup/restore-backup.ts')
  const { reachDatabase } = await import('../process/store.ts')
  const name = file === '-' ? 'Standard input' : resolve(file)
  const source = file === '-' ? process.stdin : createReadStream(name)
  const reader = await openBackupReader(source, name).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`There is no file ${name}.`) : error
  })
  await refuseUnknownVersion(reader.header, name)
  refuseOtherKey(config, reader.header)

  const reached = await reachDatabase(config, quiet)
  try {
    const client = await reached.connect('restore')
    return await restoreInto(client, reader, { config, replace }).finally(() => client.end())
  } finally {
    await reached.stop()
  }
}

/** Restores into the database of this connection, and migrates it. */
async function restoreInto(
  client: pg.Client,
  reader: BackupReader,
  { config, replace }: { config: Config; replace: boolean },
): Promise<RestoreResult> {
  const { restoreBackup } = await import('../backup/restore-backup.ts')
  const { bringUpToDate } = await import('../process/store.ts')
  const { header } = reader
  let undoKey = async () => {}
  const figures = await restoreBackup(client, reader, {
    replace,
    beforeCommit: async () => {
      undoKey = await placeKey(client, config, header)
    },
  }).catch(async error => {
    await undoKey()
    throw error
  })
  const applied = await bringUpToDate(client, quiet)
  await client.query('analyze')
  return { ...figures, takenUtc: header.createdUtc, waybill: header.waybill, applied }
}

/** Throws if the configured key is not that of the backup, because it could not open the restored secrets. */
function refuseOtherKey({ encryptionKey }: Config, { key }: BackupHeader): void {
  if (encryptionKey !== undefined && key !== null && encryptionKey.toString('base64') !== key)
    throw new Error(
      'ENCRYPTION_KEY is not the key of the backup. Set it to that key; or leave it empty, and the key in ' +
        'the backup is kept in DATA_DIR.',
    )
}

/** Stores the key where the service finds it, and tests it. Returns a function that undoes this. */
async function placeKey(
  client: pg.Client,
  config: Config,
  { key }: BackupHeader,
): Promise<() => Promise<void>> {
  const { clientHandle } = await import('../platform/database/statement.ts')
  const { storeKey } = await import('../platform/secret-box.ts')
  const { readDatabaseKey: readKey } = await import('../process/database-key.ts')
  const isKept = key !== null && config.encryptionKey === undefined
  const undoKey = isKept ? await storeKey(config.dataDir, Buffer.from(key, 'base64')) : async () => {}
  try {
    await readKey(clientHandle(client), config)
    return undoKey
  } catch (error) {
    await undoKey()
    throw error
  }
}
