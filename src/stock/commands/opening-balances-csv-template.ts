// The template of the CSV file for opening balances. Spec 2.14.

import { stringify } from 'csv-stringify/sync'
import { endpoint } from '../../access/endpoint.ts'
import { fileOf } from '../../platform/http/endpoint.ts'
import { openingBalanceColumns } from './opening-balance-file.ts'

export const openingBalancesCsvTemplate = [
  endpoint({
    get: '/v1/inventory/opening-balances/csv-template',
    name: 'getOpeningBalancesCsvTemplate',
    partners: 'none',
    scope: 'inventory.read',
    extension: true,
    summary: 'Download the CSV template for opening balances',
    description: 'A UTF-8 file that has only the header line.',
    response: fileOf('text/csv'),
    handle: () =>
      Promise.resolve({
        fileName: 'opening-balances.csv',
        contentType: 'text/csv; charset=utf-8; header=present',
        bytes: Buffer.from(stringify([openingBalanceColumns])),
      }),
  }),
]
