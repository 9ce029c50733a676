// Package types: the packaging of consignment lines. Spec 4.15; decision 8.

import { codeAndName, setUpCollection } from './set-up-collection.ts'

export const packageTypes = setUpCollection({
  path: '/v1/package-types',
  noun: 'package type',
  fields: codeAndName,
  importKind: 'packageType',
})
