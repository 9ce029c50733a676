// `./waybill restore`: puts a backup into an empty database, and its encryption key where the service finds
// it.

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
interface Restored extends RestoreFigures {
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
      'put a backup into an empty database, whole or not at all, and bring it up to date; stop the service ' +
        'before',
    )
    .argument('<file>', 'a file that backup wrote; - is standard input')
    .option('--replace', 'lose all that the database holds, where it is not empty')
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

async function restore(config: Config, file: string, replace: boolean): Promise<Restored> {
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
    return await into(client, reader, { config, replace }).finally(() => client.end())
  } finally {
    await reached.stop()
  }
}

/** Restores into the database of this connection, and brings that up to date. */
async function into(
  client: pg.Client,
  reader: BackupReader,
  { config, replace }: { config: Config; replace: boolean },
): Promise<Restored> {
  const { restoreBackup } = await import('../backup/restore-backup.ts')
  const { bringUpToDate } = await import('../process/store.ts')
  const { header } = reader
  let takeBack = async () => {}
  const figures = await restoreBackup(client, reader, {
    replace,
    beforeCommit: async () => {
      takeBack = await placeKey(client, config, header)
    },
  }).catch(async error => {
    await takeBack()
    throw error
  })
  const applied = await bringUpToDate(client, quiet)
  await client.query('analyze')
  return { ...figures, takenUtc: header.createdUtc, waybill: header.waybill, applied }
}

/** Before anything is done: a key that is set and another than that of the backup opens nothing of it. */
function refuseOtherKey({ encryptionKey }: Config, { key }: BackupHeader): void {
  if (encryptionKey !== undefined && key !== null && encryptionKey.toString('base64') !== key)
    throw new Error(
      'ENCRYPTION_KEY is not the key of the backup. Set it to that key; or leave it empty, and the key in ' +
        'the backup is kept in DATA_DIR.',
    )
}

/** Puts the key where the service finds it, and tries it. Returns what takes that back. */
async function placeKey(
  client: pg.Client,
  config: Config,
  { key }: BackupHeader,
): Promise<() => Promise<void>> {
  const { clientHandle } = await import('../platform/database/statement.ts')
  const { storeKey } = await import('../platform/secret-box.ts')
  const { readKey } = await import('../process/open-secrets.ts')
  const isKept = key !== null && config.encryptionKey === undefined
  const takeBack = isKept ? await storeKey(config.dataDir, Buffer.from(key, 'base64')) : async () => {}
  try {
    await readKey(clientHandle(client), config)
    return takeBack
  } catch (error) {
    await takeBack()
    throw error
  }
}
