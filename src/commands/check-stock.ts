// `./waybill check-stock`: proves that all stock is what its ledger says.

import type { Command } from 'commander'
import { sql } from '../platform/database/db.ts'
import { administer } from './administer.ts'
import { id } from './option-values.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

/** Adds `check-stock`. */
export function addCheckStock(program: Command): void {
  program
    .command('check-stock')
    .description(
      'prove that all stock is what its ledger says, at one moment and while the service runs; ends with 1 ' +
        'where something differs, and changes nothing',
    )
    .option('--organisation <id>', 'only that of this organisation', id)
    .option(...jsonOption)
    .action(async ({ json, organisation }: JsonOption & { organisation?: string }) => {
      const { verifyStock } = await import('../stock/ledger/check-stock.ts')
      const differences = await administer(async tx => {
        await tx.run(sql`set local statement_timeout = 0`)
        return verifyStock(tx, organisation ?? null)
      })
      const told = differences.map(
        ({ rule, organisationId: of, id, stored, computed }) =>
          `${rule}\n  organisation ${of}, ${id}: ${stored}, computed ${computed}`,
      )
      print(json, { differences }, [...told, `${differences.length} differences.`].join('\n'))
      if (differences.length > 0) process.exitCode = 1
    })
}
