// Every report, in the order of the specification. A report is one file and one line here. Spec 4.16.

import { carrierCharges } from './carrier-charges.ts'
import { clientCharges } from './client-charges.ts'
import { consignmentConsumables } from './consignment-consumables.ts'
import { consignmentMetrics } from './consignment-metrics.ts'
import { consignmentProductDetail } from './consignment-product-detail.ts'
import { consignmentProductDispatched } from './consignment-product-dispatched.ts'
import { consignmentProductDue } from './consignment-product-due.ts'
import { consignmentProductReceived } from './consignment-product-received.ts'
import { consignmentTasks } from './consignment-tasks.ts'
import { cycleCount } from './cycle-count.ts'
import { freightMargin } from './freight-margin.ts'
import { inwardConsignmentSummary } from './inward-consignment-summary.ts'
import { locationStatus } from './location-status.ts'
import { outwardConsignmentSummary } from './outward-consignment-summary.ts'
import { pickfaceException } from './pickface-exception.ts'
import { pickfaceReplenishment } from './pickface-replenishment.ts'
import { productTransactionDetail } from './product-transaction-detail.ts'
import type { Report } from './report.ts'
import { scheduleSummary } from './schedule-summary.ts'
import { scheduledTransactions } from './scheduled-transactions.ts'
import { stockAge } from './stock-age.ts'
import { stockBalance } from './stock-balance.ts'
import { stockOnHand } from './stock-on-hand.ts'
import { stockPosition } from './stock-position.ts'
import { stockSummary } from './stock-summary.ts'
import { unbilledWorkReport } from './unbilled-work.ts'

export const allReports: readonly Report[] = [
  // stock
  stockOnHand,
  stockBalance,
  stockAge,
  stockPosition,
  stockSummary,
  // consignments
  consignmentConsumables,
  consignmentMetrics,
  consignmentProductDetail,
  consignmentProductDispatched,
  consignmentProductDue,
  consignmentProductReceived,
  consignmentTasks,
  inwardConsignmentSummary,
  outwardConsignmentSummary,
  // operations
  carrierCharges,
  clientCharges,
  cycleCount,
  freightMargin,
  locationStatus,
  pickfaceException,
  pickfaceReplenishment,
  productTransactionDetail,
  scheduledTransactions,
  scheduleSummary,
  // not in the specification
  unbilledWorkReport,
]
