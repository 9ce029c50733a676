// The texts of reference data.

import { DgStandard } from '../../../client/src/waybill.ts'
import { plural } from '../../../ui/plural.ts'
import { nameIn } from './consignments.ts'

const standards: Readonly<Record<number, string>> = {
  [DgStandard.NewZealand_Ghs7]: 'New Zealand, GHS 7',
  [DgStandard.Australia_Ghs7]: 'Australia, GHS 7',
  [DgStandard.NewZealand_Dg2005]: 'New Zealand, Dangerous Goods 2005',
  [DgStandard.Australia_AdgCode]: 'Australia, ADG Code',
}

export const referenceWords = {
  referenceData: 'Reference data',
  collections: 'Collections',
  collection: {
    'unit-types': 'Unit types',
    'package-types': 'Package types',
    'product-groups': 'Product groups',
    'product-attributes': 'Product attributes',
    'service-types': 'Service types',
    'task-types': 'Task types',
    'consumable-types': 'Consumable types',
    'tax-rates': 'Tax rates',
    'cost-centres': 'Cost centres',
    'revenue-accounts': 'Revenue accounts',
    'dg-hazard-classes': 'Hazard classes',
    'shipping-ports': 'Ports',
  },
  activities: 'Activity types',
  new: 'New',
  newOf: (collection: string) => `New ${collection.toLowerCase().replace(/s$/, '')}`,
  editOf: (name: string) => `Edit ${name}`,
  search: 'Search',
  searchHint: 'Name or code',
  active: 'Active',
  inactive: 'Inactive',
  name: 'Name',
  code: 'Code',
  percent: 'Percent',
  percentHelp: '15 is 15 %.',
  accountingCode: 'Accounting code',
  accountingCodeHelp: 'Of the tax rate in the accounting program; its exports need it.',
  country: 'Country',
  standard: 'Standard',
  standardOf: (standard: number) => standards[standard] ?? nameIn(DgStandard, standard),
  categories: 'Categories',
  noCategories: 'This class has no categories.',
  nothingHere: 'Nothing here yet.',
  made: (name: string) => `${name} is created`,
  changed: (name: string) => `${name} is changed`,
  deactivate: 'Deactivate',
  deactivateWhy: (n: number) =>
    `Nothing new can refer to ${n === 1 ? 'it' : 'them'}. What refers to ${n === 1 ? 'it' : 'them'} stays as it is.`,
  deactivated: (n: number) => `${plural(n, 'entry is', 'entries are')} inactive`,
  activate: 'Activate',
  activated: (n: number) => `${plural(n, 'entry is', 'entries are')} active`,
} as const
