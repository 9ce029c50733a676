// The collections of reference data: those that an organisation sets up, and those that it only reads.

import type { Column } from '../../../ui/DataTable.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { words as uiWords } from '../../../ui/words.ts'
import type { RowOf } from '../api.ts'
import type { RecordField } from '../record-fields.ts'
import { Link, type Search } from '../router.tsx'
import { referenceWords as words } from '../words/reference.ts'
import type { List } from './list.ts'

/** The collections that an organisation sets up, with the name that a list gives their rows. */
const ownCollections = {
  'unit-types': 'unitTypes',
  'package-types': 'packageTypes',
  'product-groups': 'productGroups',
  'product-attributes': 'productAttributes',
  'service-types': 'serviceTypes',
  'task-types': 'taskTypes',
  'consumable-types': 'consumableTypes',
  'tax-rates': 'taxRates',
  'cost-centres': 'costCentres',
  'revenue-accounts': 'revenueAccounts',
} as const

export type OwnCollection = keyof typeof ownCollections

/** All collections, in the order of their tabs. */
export const collections = Object.keys(words.collection) as (keyof typeof words.collection)[]

export type Collection = (typeof collections)[number]

/** Whether the organisation sets the collection up itself. */
export const isOwn = (collection: Collection): collection is OwnCollection => collection in ownCollections

/** A record of any collection. */
export type ReferenceRow = Pick<RowOf<'/v1/unit-types'>, 'id' | 'name'> & {
  code?: string
  percent?: number
  accountingCode?: string | null
  country?: string
  dgStandard?: number
}

const name: RecordField = { path: 'name', label: words.name, isRequired: true, maxLength: 200 }
const code: RecordField = { path: 'code', label: words.code, isRequired: true, maxLength: 50 }

const withCode: readonly Collection[] = [
  'service-types',
  'task-types',
  'package-types',
  'cost-centres',
  'revenue-accounts',
]

/** The fields of the records of a collection. */
export function referenceFields(collection: OwnCollection): readonly RecordField[] {
  if (collection === 'tax-rates')
    return [
      name,
      { path: 'percent', label: words.percent, help: words.percentHelp, kind: 'number', isRequired: true },
      { path: 'accountingCode', label: words.accountingCode, help: words.accountingCodeHelp, maxLength: 200 },
    ]
  return withCode.includes(collection) ? [code, name] : [name]
}

const nameColumn: Column<ReferenceRow> = {
  id: 'name',
  head: words.name,
  isRowHeader: true,
  isOnPhone: true,
  cell: (row, tabIndex) => (
    <Link to="." search={((before: Search) => ({ ...before, Record: row.id })) as never} tabIndex={tabIndex}>
      {row.name}
    </Link>
  ),
  text: row => row.name,
}
const codeColumn: Column<ReferenceRow> = {
  ...{ id: 'code', head: words.code, width: 160, isOnPhone: true },
  cell: row => row.code ?? uiWords.nothing,
}

function columnsOf(collection: Collection): readonly Column<ReferenceRow>[] {
  switch (collection) {
    case 'tax-rates':
      return [
        nameColumn,
        {
          ...{ id: 'percent', head: words.percent, width: 120, isAtEnd: true, isOnPhone: true },
          cell: row => quantity(row.percent ?? 0),
        },
        {
          ...{ id: 'accounting', head: words.accountingCode, width: 200 },
          cell: row => row.accountingCode ?? uiWords.nothing,
        },
      ]
    case 'dg-hazard-classes':
      return [
        nameColumn,
        {
          ...{ id: 'standard', head: words.standard, width: 220 },
          cell: row => words.standardOf(row.dgStandard ?? 0),
        },
      ]
    case 'shipping-ports':
      return [
        { ...codeColumn, isRowHeader: true, width: 120 },
        { id: 'name', head: words.name, isOnPhone: true, cell: row => row.name },
        { ...{ id: 'country', head: words.country, width: 240 }, cell: row => row.country ?? '' },
      ]
    default:
      return withCode.includes(collection) ? [nameColumn, codeColumn] : [nameColumn]
  }
}

const rowsNames: Readonly<Record<Collection, string>> = {
  ...ownCollections,
  'dg-hazard-classes': 'dgHazardClasses',
  'shipping-ports': 'shippingPorts',
}

/** The list of a collection. */
export const referenceListOf = (
  collection: Collection,
): List<'/v1/unit-types' | `/v1/${Collection}`, ReferenceRow> => ({
  path: `/v1/${collection}`,
  rowsName: rowsNames[collection],
  heading: words.collection[collection],
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns: () => columnsOf(collection),
  filters: () => [],
  views: isOwn(collection)
    ? [
        { id: 'active', text: words.active, query: { Status: '1' } },
        { id: 'inactive', text: words.inactive, query: { Status: '2' } },
      ]
    : [],
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  emptyText: words.nothingHere,
})
