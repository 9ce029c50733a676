// `./waybill check-money`: proves that all money is what it was made of.

import type { Command } from 'commander'
import { sql } from '../platform/database/db.ts'
import { administer } from './administer.ts'
import { date, id } from './option-values.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

interface Asked extends JsonOption {
  organisation?: string
  from?: string
  to?: string
}

/** Adds `check-money`. */
export function addCheckMoney(program: Command): void {
  program
    .command('check-money')
    .description(
      'derive every charge again from what was frozen, and storage from the ledger, and compare ' +
        'transactions and schedules with it, at one moment and while the service runs; ends with 1 where ' +
        'something differs, and changes nothing',
    )
    .option('--organisation <id>', 'only that of this organisation', id)
    .option('--from <date>', 'only what is dated on this day or later, such as 2026-07-01', date)
    .option('--to <date>', 'only what is dated on this day or earlier', date)
    .option(...jsonOption)
    .action(async ({ json, organisation: organisationId, from, to }: Asked) => {
      const { maxDifferences, proveMoney } = await import('../billing/proofs/check-money.ts')
      const begin = performance.now()
      const proof = await administer(async tx => {
        await tx.run(sql`set transaction isolation level repeatable read, read only`)
        await tx.run(sql`set local statement_timeout = 0`)
        return proveMoney(tx, { organisationId, from, to })
      })
      const seconds = (performance.now() - begin) / 1000
      const { differences, closings, charges, transactions, schedules } = proof
      const told = differences.map(
        ({ rule, organisationId: of, id, stored, computed }) =>
          `${rule}\n  organisation ${of}, ${id}: ${stored}, computed ${computed}`,
      )
      const rest = differences.length < maxDifferences ? '' : ' Only these are told.'
      const proved =
        `${charges} charges of ${closings} closings, ${transactions} transactions and ${schedules} ` +
        `schedules in ${seconds.toFixed(1)} s: ${Math.round((charges / seconds) * 60)} charges a minute.`
      print(json, proof, [...told, proved, `${differences.length} differences.${rest}`].join('\n'))
      if (differences.length > 0) process.exitCode = 1
    })
}
