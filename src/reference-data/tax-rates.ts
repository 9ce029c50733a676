// Tax rates, in percent. Spec 2.16, 4.15; decision 8.

import { Decimal, Name, ShortText } from '../platform/http/schema.ts'
import { setUpCollection } from './set-up-collection.ts'

export const taxRates = setUpCollection({
  path: '/v1/tax-rates',
  noun: 'tax rate',
  fields: { name: Name, percent: Decimal(6, { minimum: 0, maximum: 100 }) },
  optionalFields: {
    accountingCode: {
      ...ShortText,
      description: 'The code of the tax rate in the accounting program; its exports require it.',
    },
  },
  isSpecified: true,
})
