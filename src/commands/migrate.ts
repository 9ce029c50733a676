// `./waybill migrate`: brings the database up to date and stops.

import type { Command } from 'commander'
import { readConfig } from '../process/config.ts'
import { quiet } from './administer.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

/** Adds `migrate`. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date and stop')
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const { openStore } = await import('../process/store.ts')
      const store = await openStore(readConfig(), quiet)
      await store.close()
      const text =
        store.migrated.length === 0 ? 'The database is up to date.' : `Applied ${store.migrated.join(', ')}.`
      print(json, { applied: store.migrated }, text)
    })
}
