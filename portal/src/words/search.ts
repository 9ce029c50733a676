// The texts of the search.

import { DeliveryStatus, PartnerStatus, ProductStatus, ScheduleStatus } from '../../../client/src/waybill.ts'
import { consignmentWords, inWords, nameIn } from './consignments.ts'
import { countWords } from './counts.ts'
import { importWords } from './imports.ts'
import { jobWords } from './jobs.ts'

const statuses: Readonly<Record<string, (status: number) => string>> = {
  consignment: consignmentWords.status,
  import: importWords.status,
  partner: status => (status === PartnerStatus.Active ? '' : inWords(nameIn(PartnerStatus, status))),
  product: status => (status === ProductStatus.Active ? '' : inWords(nameIn(ProductStatus, status))),
  job: jobWords.status,
  schedule: status => inWords(nameIn(ScheduleStatus, status)),
  delivery: status => inWords(nameIn(DeliveryStatus, status)),
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
  newConsignment: consignmentWords.newConsignment,
  uploadOrders: 'Upload orders',
  newWave: jobWords.newWave,
  newCount: countWords.newCount,
  nothing: 'Nothing has this text',
  allResults: 'All results',
} as const
