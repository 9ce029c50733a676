// `./waybill check-money`: proves that all amounts follow from what they were derived from.

import type { Command } from 'commander'
import { sql } from '../platform/database/db.ts'
import { planForWholeTables } from '../platform/database/plan-for-whole-tables.ts'
import { administer } from './administer.ts'
import { parseDate, parseId } from './option-values.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

interface CheckMoneyOptions extends JsonOption {
  organisation?: string
  from?: string
  to?: string
}

/** Adds `check-money`. */
export function addCheckMoney(program: Command): void {
  program
    .command('check-money')
    .description(
      'derive every charge again from its frozen inputs, and storage from the ledger, and compare ' +
        'transactions and schedules with them, as of one moment, while the service runs; exits with 1 if ' +
        'anything differs, and changes nothing',
    )
    .option('--organisation <id>', 'only the records of this organisation', parseId)
    .option('--from <date>', 'only records dated on this day or later, such as 2026-07-01', parseDate)
    .option('--to <date>', 'only records dated on this day or earlier', parseDate)
    .option(...jsonOption)
    .action(async ({ json, organisation: organisationId, from, to }: CheckMoneyOptions) => {
      const { maxDifferences, proveMoney } = await import('../billing/proofs/check-money.ts')
      const startMs = performance.now()
      const proof = await administer(async tx => {
        await tx.run(sql`set transaction isolation level repeatable read, read only`)
        await tx.run(sql`set local statement_timeout = 0`)
        await tx.run(sql`select ${planForWholeTables}`)
        return proveMoney(tx, { organisationId, from, to })
      })
      const seconds = (performance.now() - startMs) / 1000
      const { differences, closings, charges, transactions, schedules } = proof
      const lines = differences.map(
        ({ rule, organisationId, id, stored, computed }) =>
          `${rule}\n  organisation ${organisationId}, ${id}: ${stored}, computed ${computed}`,
      )
      const note = differences.length < maxDifferences ? '' : ' Only these are listed.'
      const summary =
        `${charges} charges of ${closings} closings, ${transactions} transactions and ${schedules} ` +
        `schedules in ${seconds.toFixed(1)} s: ${Math.round((charges / seconds) * 60)} charges a minute.`
      print(json, proof, [...lines, summary, `${differences.length} differences.${note}`].join('\n'))
      if (differences.length > 0) process.exitCode = 1
    })
}
