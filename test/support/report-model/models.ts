// The model of each report by its name, and the tables as of an earlier instant.

import type { Row } from '../given-reports.ts'
import * as consignments from './consignments.ts'
import * as operations from './operations.ts'
import * as stock from './stock.ts'
import { type Filters, microsOf, sum, type TableName, Tables, tableNames } from './tables.ts'

type Model = (m: stock.StockModel, filters: Filters) => Row[]

/** Computes the expected rows of each report. */
export const models: Readonly<Record<string, Model>> = {
  'stock-on-hand': stock.stockOnHand,
  'stock-balance': stock.stockBalance,
  'stock-age': stock.stockAge,
  'stock-position': stock.stockPosition,
  'stock-summary': stock.stockSummary,
  'consignment-consumables': consignments.consignmentConsumables,
  'consignment-metrics': consignments.consignmentMetrics,
  'consignment-product-detail': consignments.consignmentProductDetail,
  'consignment-product-dispatched': consignments.consignmentProductDispatched,
  'consignment-product-due': consignments.consignmentProductDue,
  'consignment-product-received': consignments.consignmentProductReceived,
  'consignment-tasks': consignments.consignmentTasks,
  'inward-consignment-summary': consignments.inwardConsignmentSummary,
  'outward-consignment-summary': consignments.outwardConsignmentSummary,
  'carrier-charges': operations.carrierCharges,
  'client-charges': operations.clientCharges,
  'cycle-count': operations.cycleCount,
  'freight-margin': operations.freightMargin,
  'location-status': stock.locationStatus,
  'pickface-exception': operations.pickfaceException,
  'pickface-replenishment': operations.pickfaceReplenishment,
  'product-transaction-detail': stock.productTransactionDetail,
  'scheduled-transactions': operations.scheduledTransactions,
  'schedule-summary': operations.scheduleSummary,
}

/** Returns the tables with stock as of an instant, as far as it was recorded by another instant. */
export function tablesAt(tables: Tables, asOf: string, knownAt: string): Tables {
  const lines = tables
    .all('inventory_transaction')
    .filter(
      line =>
        microsOf(line.effective_utc) <= microsOf(asOf) && microsOf(line.recorded_utc) <= microsOf(knownAt),
    )
  const rows = tables.all('warehouse_product').map(row => {
    const own = lines.filter(line => line.warehouse_product_id === row.id)
    const [onHand, allocated] = [sum(own, line => line.quantity), sum(own, line => line.allocated_quantity)]
    return {
      ...row,
      on_hand_quantity: onHand,
      allocated_quantity: allocated,
      on_hand_weight_kg: sum(own, line => line.weight_kg),
      on_hand_volume_m3: sum(own, line => line.volume_m3),
      available_quantity: row.inventory_hold_id === null && !row.is_quarantined ? onHand - allocated : 0,
    }
  })
  return new Tables(
    new Map(
      tableNames.map((name): [TableName, Row[]] => [
        name,
        name === 'warehouse_product' ? rows : tables.all(name),
      ]),
    ),
  )
}
