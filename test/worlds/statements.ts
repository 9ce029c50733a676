// Everything that the service says and that is compared with the notebook. A new statement is a file in
// `statements/` and a line here.

import { allocationPreviews } from './statements/allocation-previews.ts'
import { allocations } from './statements/allocations.ts'
import { asOf } from './statements/as-of.ts'
import { attention } from './statements/attention.ts'
import { billingSetUp } from './statements/billing-set-up.ts'
import { books, unbilledWork } from './statements/books.ts'
import { charges } from './statements/charges.ts'
import { consignmentDetail } from './statements/consignment-detail.ts'
import { consignmentList } from './statements/consignment-list.ts'
import { consignmentReports } from './statements/consignment-reports.ts'
import { dangerousGoods } from './statements/dangerous-goods.ts'
import { events } from './statements/events.ts'
import { explanations } from './statements/explanations.ts'
import { extras } from './statements/extras.ts'
import { history } from './statements/history.ts'
import { holds } from './statements/holds.ts'
import { inventory } from './statements/inventory.ts'
import { printedLabels } from './statements/labels.ts'
import { moneyReports } from './statements/money-reports.ts'
import { notes } from './statements/notes.ts'
import { papers } from './statements/papers.ts'
import { pickfaces } from './statements/pickfaces.ts'
import { printJobs } from './statements/prints.ts'
import { productInformation } from './statements/product-information.ts'
import { proofs } from './statements/proofs.ts'
import { putAway } from './statements/put-away.ts'
import { records } from './statements/records.ts'
import { reports } from './statements/reports.ts'
import { runs } from './statements/runs.ts'
import { scans } from './statements/scans.ts'
import { schedules } from './statements/schedules.ts'
import { search } from './statements/search.ts'
import { serials } from './statements/serials.ts'
import { shortages } from './statements/shortages.ts'
import { stockCounts } from './statements/stock-counts.ts'
import { stockReports } from './statements/stock-reports.ts'
import { stockRows } from './statements/stock-rows.ts'
import { storage } from './statements/storage.ts'
import { tables } from './statements/tables.ts'
import { tracking } from './statements/tracking.ts'
import { units } from './statements/units.ts'
import { zones } from './statements/zones.ts'
import type { World } from './world.ts'

/** Compares one thing that the service says with the notebook, and fails if they differ. */
export type Statement = (world: World) => Promise<void>

/** Compared after every deed. */
export const afterEveryDeed: readonly Statement[] = [inventory]

/** Compared now and then, and at the end of a history. */
export const afterSomeDeeds: readonly Statement[] = [consignmentDetail, allocations, shortages, charges]

/** Compared at the end of a history, for they tell of all of it. */
export const atTheEnd: readonly Statement[] = [
  consignmentList,
  productInformation,
  stockRows,
  serials,
  holds,
  events,
  history,
  asOf,
  reports,
  stockReports,
  stockCounts,
  pickfaces,
  consignmentReports,
  moneyReports,
  units,
  scans,
  tables,
  papers,
  printedLabels,
  dangerousGoods,
  storage,
  books,
  explanations,
  runs,
  billingSetUp,
  schedules,
  proofs,
  unbilledWork,
  zones,
  notes,
  extras,
  printJobs,
  attention,
  putAway,
  allocationPreviews,
  records,
  search,
  tracking,
]
