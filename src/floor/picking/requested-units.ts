// The logistic units that requested picks put their goods on. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { type FieldFault, isFieldFault } from '../../platform/http/entry-faults.ts'
import type { StockRow } from '../../stock/commands/read-stock-rows.ts'
import type { findProducts } from '../../stock/commands/stock-products.ts'
import {
  type DestinationUnit,
  type ResolvedUnits,
  resolveUnitsOfCommands,
  type UnitRequest,
  type UnitsOfCommand,
} from '../../stock/logistic-units/destination-units.ts'
import type { RequestedPick } from './requested-pick.ts'

/** The units that the picks of a request put goods on, in their order, and the faults of naming them. */
export type RequestedUnits = ResolvedUnits & UnitsOfCommand

/** Resolves the units that the picks of each request put goods on. Call it under the stock lock. */
export async function resolveRequestedUnits<P extends { picks: readonly RequestedPick[] }>(
  tx: Tx,
  organisationId: string,
  pickings: readonly P[],
  rows: ReadonlyMap<RequestedPick, StockRow | FieldFault>,
  products: Awaited<ReturnType<typeof findProducts>>,
): Promise<Map<P, RequestedUnits>> {
  const requests = pickings.map(({ picks }) => picks.map(entry => requestOf(entry, rows, products)))
  const resolved = await resolveUnitsOfCommands(tx, organisationId, requests)
  return new Map(
    pickings.map((picking, i) => {
      const emptied = picking.picks.map(entry => unitOf(rows.get(entry)))
      const own = requests[i] as (typeof requests)[number]
      return [picking, { ...(resolved[i] as ResolvedUnits), requests: own, emptied }]
    }),
  )
}

/** The unit that the goods of a pick are put on; null for none; undefined if they keep theirs. */
export const destinationOf = ({ toLogisticUnit }: RequestedPick, unit: DestinationUnit | undefined) =>
  toLogisticUnit === null ? null : unit

/** The logistic units that goods are taken from and put on. */
export const unitsOfPicks = (picks: readonly RequestedPick[], rows: readonly (StockRow | FieldFault)[]) => ({
  ids: rows.flatMap(row => unitOf(row) ?? []),
  named: picks.flatMap(({ toLogisticUnit: unit }, n) => {
    const row = rows[n]
    return unit && row && !isFieldFault(row) ? [{ partnerId: row.partnerId, unit }] : []
  }),
})

/** The unit that a row is on; null if it is on none. */
const unitOf = (row: StockRow | FieldFault | undefined): string | null =>
  row === undefined || isFieldFault(row) ? null : row.logisticUnitId

function requestOf(
  entry: RequestedPick,
  rows: ReadonlyMap<RequestedPick, StockRow | FieldFault>,
  products: Awaited<ReturnType<typeof findProducts>>,
): UnitRequest | null {
  const { toLogisticUnit } = entry
  const row = rows.get(entry)
  return toLogisticUnit && row && !isFieldFault(row)
    ? {
        unit: toLogisticUnit,
        partnerId: row.partnerId,
        warehouseId: row.warehouseId,
        gs1CompanyPrefix: products.get(row.productId)?.gs1CompanyPrefix ?? null,
      }
    : null
}
