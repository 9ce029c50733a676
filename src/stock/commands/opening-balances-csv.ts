// Loads an opening balance from a CSV file. Spec 2.14.

import { acceptFiles, UploadedFile } from '../../uploads/uploaded-file.ts'
import { loadOpeningBalances } from './load-opening-balances.ts'
import { readOpeningBalanceFile } from './opening-balance-file.ts'
import { OpeningBalanceLoaded, openingBalanceOptions, operationIdFault } from './opening-balances.ts'
import { stockCommand } from './stock-command.ts'

export const openingBalancesCsv = [
  stockCommand({
    post: '/v1/inventory/opening-balances/csv',
    name: 'takeOpeningBalancesCsv',
    scope: 'inventory',
    summary: 'Load the opening balance of a warehouse from a CSV file',
    description:
      'The columns are those of the template, in any order and case; an unknown one is refused. A line may ' +
      'be one serial: lines that differ only in their serial form one row. Attributes are written `name: ' +
      'value | name: value`. operationId is required, except in a dry run, so that a balance that is sent ' +
      'twice is not loaded twice.',
    bodyName: 'OpeningBalanceFile',
    body: { ...openingBalanceOptions, file: UploadedFile },
    rule: operationIdFault,
    files: true,
    refuses: [422],
    answer: OpeningBalanceLoaded,
    async run({ tx, actor: { organisationId }, body: { file, ...options }, source, occurredUtc }) {
      const [accepted] = await acceptFiles([['file', file]])
      const { rows, lines } = readOpeningBalanceFile((accepted as NonNullable<typeof accepted>).bytes)
      const nameOf = (row: number) => `Line ${lines[row]} of the file`
      return loadOpeningBalances(tx, { organisationId, source, occurredUtc, nameOf }, { ...options, rows })
    },
  }),
]
