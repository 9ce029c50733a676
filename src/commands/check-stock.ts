// `./waybill check-stock`: proves that all stock agrees with its ledger.

import type { Command } from 'commander'
import { withStore } from './administer.ts'
import { parseId } from './option-values.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

/** Adds `check-stock`. */
export function addCheckStock(program: Command): void {
  program
    .command('check-stock')
    .description(
      'prove that all stock agrees with its ledger, as of one moment, while the service runs; exits with ' +
        '1 if anything differs, and changes nothing',
    )
    .option('--organisation <id>', 'only the records of this organisation', parseId)
    .option(...jsonOption)
    .action(async ({ json, organisation }: JsonOption & { organisation?: string }) => {
      const { checkStock: verifyStock } = await import('../stock/ledger/check-stock.ts')
      const differences = await withStore(({ database }) =>
        verifyStock(database, organisation ?? null, 'set local statement_timeout = 0'),
      )
      const lines = differences.map(
        ({ rule, organisationId, id, stored, computed }) =>
          `${rule}\n  organisation ${organisationId}, ${id}: ${stored}, computed ${computed}`,
      )
      print(json, { differences }, [...lines, `${differences.length} differences.`].join('\n'))
      if (differences.length > 0) process.exitCode = 1
    })
}
