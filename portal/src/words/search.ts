// The texts of the search.

import { DeliveryStatus, PartnerStatus, ProductStatus, ScheduleStatus } from '../../../client/src/waybill.ts'
import { billingWords } from './billing.ts'
import { consignmentWords, inWords, nameIn } from './consignments.ts'
import { countWords } from './counts.ts'
import { historyWords } from './history.ts'
import { importWords } from './imports.ts'
import { jobWords } from './jobs.ts'
import { peopleWords } from './people.ts'
import { stockWords } from './stock.ts'

const statuses: Readonly<Record<string, (status: number) => string>> = {
  consignment: consignmentWords.status,
  import: importWords.status,
  partner: status => (status === PartnerStatus.Active ? '' : inWords(nameIn(PartnerStatus, status))),
  product: status => (status === ProductStatus.Active ? '' : inWords(nameIn(ProductStatus, status))),
  job: jobWords.status,
  schedule: status => inWords(nameIn(ScheduleStatus, status)),
  delivery: status => inWords(nameIn(DeliveryStatus, status)),
}

/** What people look for on screens that are called something else. */
const contents: Readonly<Record<string, readonly string[]>> = {
  '/rate-cards': ['Minimum spend', 'Prices', 'Storage rates', 'Freight rates'],
  '/billing/set-up': ['Activity types', 'FAF profiles', 'Fuel adjustment', 'Localities'],
  '/billing': ['Billing runs', 'Not billed', 'Unbilled work'],
  '/schedules': ['Bills', 'Invoices', 'Statements', 'Credits', 'Exports to the accounting program'],
  '/charges': ['Ad hoc charges', 'Credits'],
  '/back-tests': ['Test of a rate card'],
  '/imports': ['Orders that wait', 'Unknown codes'],
  '/jobs': ['Waves', 'Picking', 'Runs of carriers'],
  '/inventory': ['Stock', 'Put away', 'Expiry dates', 'Batches'],
  '/units': ['Pallets', 'SSCC'],
  '/holds': ['Quarantine', 'Recalls'],
  '/counts': ['Stocktake', 'Cycle counts'],
  '/replenishment': ['Pick faces'],
  '/printing': ['Printers', 'Bridges', 'Labels'],
  '/partners': ['Clients', 'Carriers', 'Code aliases'],
  '/products': ['Barcodes', 'Stock rules', 'Dangerous goods'],
  '/warehouses': ['Places', 'Zones'],
  '/reference/unit-types': ['Tax rates', 'Revenue accounts', 'Cost centres', 'Service types', 'Ports'],
  '/developers': ['Webhooks', 'Apps', 'API', 'Events'],
  '/settings': ['Organisation', 'Logo', 'Tax number', 'Bank details', 'Payment terms'],
  '/settings/people': ['Users', 'Invitations', 'Roles'],
  '/settings/history': ['Who changed what', 'Audit'],
}

export const searchWords = {
  search: 'Search',
  searchEverything: 'Search everything',
  placeholder: 'A number, a reference, a product, a screen',
  results: 'Results',
  resultsFor: (text: string) => `Results for ${text}`,
  screens: 'Screens',
  kinds: {
    consignment: 'Consignments',
    import: 'Imports',
    partner: 'Partners',
    product: 'Products',
    location: 'Places',
    unit: 'Units',
    serial: 'Serials',
    job: 'Jobs',
    schedule: 'Schedules',
    user: 'People',
    request: 'What the request did',
  },
  deeds: {
    consignment: 'Consignment',
    import: 'Import',
    schedule: 'Schedule',
    job: 'Job',
    history: 'History',
    delivery: 'Delivery',
  },
  /** The status of a record of a kind; empty if it has none, or is as usual. */
  status: (kind: string, status: number | null) => (status === null ? '' : (statuses[kind]?.(status) ?? '')),
  contents,
  billingSetUp: billingWords.setUp,
  people: peopleWords.people,
  history: historyWords.history,
  openingBalances: stockWords.openingBalances,
  newConsignment: consignmentWords.newConsignment,
  uploadOrders: 'Upload orders',
  newWave: jobWords.newWave,
  newCount: countWords.newCount,
  nothing: 'Nothing has this text',
  allResults: 'All results',
} as const
