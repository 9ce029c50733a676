// What goes into a new wave: rows of the list of consignments, or records that the address names, and why one
// of them cannot go with the others.

import type { Got, RowOf } from './api.ts'
import { jobWords as words } from './words/jobs.ts'

/** A consignment as the wave shows it. */
export interface Order {
  id: string
  consignmentNumber: string
  referenceNumber: string | null
  clientId: string
  clientName: string
  /** the list names warehouses, and does not identify them */
  warehouseName: string | null
  dueDateTime: string | null
  lineCount: number
  weightKG: number | null
}

export const orderOfRow = (row: RowOf<'/v1/consignments'>): Order => ({
  ...{ id: row.id, consignmentNumber: row.consignmentNumber, referenceNumber: row.referenceNumber },
  ...{ clientId: row.clientId, clientName: row.clientName, warehouseName: row.warehouseName },
  ...{ dueDateTime: row.dueDateTime ?? null, lineCount: row.lineCount ?? 0, weightKG: row.weightKG ?? null },
})

export const orderOfRecord = (record: Got<'/v1/consignments/{consignmentId}'>): Order => ({
  ...{ id: record.id, consignmentNumber: record.consignmentNumber, clientName: record.clientName },
  ...{ clientId: record.clientId, referenceNumber: record.referenceNumber },
  ...{ warehouseName: record.warehouseName, lineCount: record.products.length },
  dueDateTime: record.expectedDispatchDateTime ?? record.expectedDeliveryDateTime,
  weightKG: record.metrics.expectedWeightKG,
})

/**
 * Why an order does not go into a wave with the first one, or why the service refused it, which names it by
 * its number; undefined if nothing is against it.
 */
export function problemOf(order: Order, first: Order, refused: readonly string[]): string | undefined {
  if (order.clientId !== first.clientId) return words.otherClient(first.clientName)
  if (order.warehouseName !== first.warehouseName) return words.otherWarehouse(first.warehouseName ?? '')
  return refused.find(reason => reason.split(/[\s:]/).includes(order.consignmentNumber))
}

/** The lines and the weight of the orders; the weight of those that have one. */
export const totalsOf = (orders: readonly Order[]) => ({
  lines: orders.reduce((sum, { lineCount }) => sum + lineCount, 0),
  weightKG: orders.reduce((sum, { weightKG }) => sum + (weightKG ?? 0), 0),
})
