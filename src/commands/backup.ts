// `./waybill backup`: writes everything that the service stores to one file, whether it is running or not.

import { constants } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import type { BackupFigures } from '../backup/take-backup.ts'
import { flushFolder } from '../platform/flush-folder.ts'
import { type Config, readConfig } from '../process/config.ts'
import { version } from '../process/version.ts'
import { quiet } from './administer.ts'
import { type JsonOption, jsonOption, printJson } from './print.ts'

interface BackupOptions extends JsonOption {
  withoutKey?: boolean
}

/** Adds `backup`. */
export function addBackup(program: Command): void {
  program
    .command('backup')
    .description(
      'write everything that the service stores to one file, as of this moment, whether it is running or ' +
        'not: the database with all files in it, and the encryption key',
    )
    .argument('<file>', 'the file to write; - is standard output')
    .option('--without-key', 'leave out the encryption key, if ENCRYPTION_KEY is kept elsewhere')
    .option(...jsonOption)
    .action(async (file: string, { json, withoutKey = false }: BackupOptions) => {
      const write = (target: Writable) => writeBackup(readConfig(), target, withoutKey)
      const figures = file === '-' ? await writeToOutput(write) : await writeToFile(resolve(file), write)
      // If the backup itself goes to standard output, messages about it go to standard error.
      const say = file === '-' ? console.error : console.log
      if (json) return file === '-' ? say(JSON.stringify(figures)) : printJson(figures)
      say(`Backed up ${figures.rows} rows of ${figures.tables} tables.`)
      if (!withoutKey) say('The backup holds the encryption key: keep it as safe as the database.')
    })
}

/** Writes the backup to a stream, which stays open. */
async function writeBackup(config: Config, target: Writable, withoutKey: boolean): Promise<BackupFigures> {
  const { openBackupWriter } = await import('../backup/backup-file.ts')
  const { takeBackup, writeTo } = await import('../backup/take-backup.ts')
  const { reachDatabase, refuseMissing } = await import('../process/store.ts')
  const { readDatabaseKey: readKey } = await import('../process/database-key.ts')
  const { clientHandle } = await import('../platform/database/statement.ts')
  await refuseMissing(config)
  const reached = await reachDatabase(config, quiet)
  try {
    const client = await reached.connect('backup')
    const key = async () => {
      const bytes = await readKey(clientHandle(client), config)
      return withoutKey ? null : bytes.toString('base64')
    }
    return await takeBackup(client, openBackupWriter(writeTo(target)), version, key).finally(() =>
      client.end(),
    )
  } finally {
    await reached.stop()
  }
}

async function writeToOutput<T>(write: (target: Writable) => Promise<T>): Promise<T> {
  if (process.stdout.isTTY) throw new Error('A backup is not for a terminal: send it into a file.')
  return write(process.stdout)
}

/** Writes a file that gets its name only once it is complete and on the disk. */
async function writeToFile<T>(file: string, write: (target: Writable) => Promise<T>): Promise<T> {
  const doesExist = await access(file, constants.F_OK).then(
    () => true,
    () => false,
  )
  if (doesExist) throw new Error(`${file} already exists. Choose another name for the backup.`)
  const draft = `${file}.unfinished-${process.pid}`
  const handle = await open(draft, 'wx', 0o600).catch((error: Error) => {
    throw new Error(`The backup cannot be written to ${file}. (${error.message})`)
  })
  try {
    const target = handle.createWriteStream({ flush: true })
    const result = await write(target)
    target.end()
    await finished(target)
    await rename(draft, file)
    await flushFolder(dirname(file))
    return result
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}
