// `./waybill backup`: everything that the service keeps, in one file, while it runs or is stopped.

import { constants } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import process from 'node:process'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import type { BackupFigures } from '../backup/take-backup.ts'
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
      'write everything that the service keeps into one file, as it is at this moment, while it runs or is ' +
        'stopped: the database with all files in it, and the encryption key',
    )
    .argument('<file>', 'file to write; - is standard output')
    .option('--without-key', 'leave the encryption key out, where ENCRYPTION_KEY is kept elsewhere')
    .option(...jsonOption)
    .action(async (file: string, { json, withoutKey = false }: BackupOptions) => {
      const work = (target: Writable) => back(readConfig(), target, withoutKey)
      const figures = file === '-' ? await intoOutput(work) : await intoFile(resolve(file), work)
      // Where the backup itself is on standard output, what is said about it is on standard error.
      const say = file === '-' ? console.error : console.log
      if (json) return file === '-' ? say(JSON.stringify(figures)) : printJson(figures)
      say(`Backed up ${figures.rows} rows of ${figures.tables} tables.`)
      if (!withoutKey) say('The backup holds the encryption key: keep it as safe as the database.')
    })
}

/** Writes the backup to a stream, which stays open. */
async function back(config: Config, target: Writable, withoutKey: boolean): Promise<BackupFigures> {
  const { openBackupWriter } = await import('../backup/backup-file.ts')
  const { takeBackup, writeTo } = await import('../backup/take-backup.ts')
  const { reachDatabase, refuseMissing } = await import('../process/store.ts')
  const { readKey } = await import('../process/open-secrets.ts')
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

async function intoOutput<T>(work: (target: Writable) => Promise<T>): Promise<T> {
  if (process.stdout.isTTY) throw new Error('A backup is not for a terminal: send it into a file.')
  return work(process.stdout)
}

/** The file has its name only once it is whole and on the disk. */
async function intoFile<T>(file: string, work: (target: Writable) => Promise<T>): Promise<T> {
  const isThere = await access(file, constants.F_OK).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`${file} exists already. Give the backup a name of its own.`)
  const draft = `${file}.unfinished-${process.pid}`
  const handle = await open(draft, 'wx', 0o600).catch((error: Error) => {
    throw new Error(`The backup cannot be written to ${file}. (${error.message})`)
  })
  try {
    const target = handle.createWriteStream({ flush: true })
    const result = await work(target)
    target.end()
    await finished(target)
    await rename(draft, file)
    return result
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}
