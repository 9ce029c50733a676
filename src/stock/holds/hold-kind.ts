// How requests to put rows of stock on hold share a transaction. Spec 2.14.

import { sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { collectEntryFaults, type FieldFault, isFieldFault } from '../../platform/http/entry-faults.ts'
import { type CommandKind, Postponed } from '../commands/command-kind.ts'
import { readTakeState, type TakeState } from '../commands/plan-take.ts'
import type { StockRow } from '../commands/read-stock-rows.ts'
import type { StockRequest } from '../commands/stock-command.ts'
import { matchStock, readSelectedStock } from '../commands/stock-selector.ts'
import { TouchedStock } from '../commands/touched-stock.ts'
import { type AllocationLookup, readAllocations } from '../inventory/allocations.ts'
import type { LockTarget } from '../ledger/stock-lock.ts'
import {
  type HoldEntry,
  type HoldRequest,
  type PlannedHold,
  planHold,
  requestsToHold,
  writeHolds,
} from './hold-stock.ts'

type HoldCommand = StockRequest<'/v1/inventory/holds', HoldRequest>

interface FoundForHolds {
  rows: ReadonlyMap<HoldEntry, StockRow | FieldFault>
  allocationsOf: AllocationLookup
  takes: TakeState
  touched: TouchedStock
}

/** Holds of rows; criteria, whole units and releases of allocations need a transaction to themselves. */
export const holdKind: CommandKind<
  HoldCommand,
  Awaited<ReturnType<typeof writeHolds>>[number],
  { organisationId: string; targets: readonly LockTarget[] },
  FoundForHolds,
  PlannedHold
> = {
  mayShare: ({ body: { stock, releaseAllocations } }) =>
    !releaseAllocations && (stock ?? []).length > 0 && !stock?.some(({ logisticUnitId }) => logisticUnitId),
  weigh: ({ body }) => body.stock?.length ?? 1,
  async lockRecords(tx, requests) {
    const [{ actor }] = requests as [HoldCommand]
    const { organisationId } = actor
    const entries = requests.flatMap(({ body }) => body.stock ?? [])
    return { organisationId, targets: (await matchStock(tx, organisationId, entries)).flat() }
  },
  targets: ({ targets }) => sql`select "warehouseId" as warehouse_id, "productId" as product_id
    from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, targets)}`,
  async read(tx, locking, { organisationId }, requests) {
    const entries = requests.flatMap(({ body }) => body.stock ?? [])
    const selected = await readSelectedStock(tx, organisationId, locking, entries)
    const taken = entries.flatMap((part, n) => {
      const row = selected[n]
      return row === undefined || isFieldFault(row) ? [] : [{ row, part }]
    })
    const allocationsOf = await readAllocations(tx, organisationId, [
      ...new Set(taken.map(({ row }) => row.id)),
    ])
    const takes = await readTakeState(tx, organisationId, taken, allocationsOf)
    const rows = new Map(entries.map((entry, n) => [entry, selected[n] as StockRow | FieldFault]))
    return { rows, allocationsOf, takes, touched: new TouchedStock() }
  },
  plan({ rows, touched, ...found }, { body, source, occurredUtc }) {
    const stock = body.stock ?? []
    const rowOf = (n: number) => rows.get(stock[n] as HoldEntry) as StockRow | FieldFault
    // Whether all of a row is allocated depends on what earlier requests have taken.
    const isTouched = stock.some((_, n) => {
      const row = rowOf(n)
      return !isFieldFault(row) && touched.isTaken(row.id)
    })
    if (isTouched || touched.mayMatchAnew(stock)) throw new Postponed()
    const faults = collectEntryFaults('stock')
    const requests = requestsToHold(stock, { rowOf, unitOf: () => undefined }, faults.refuse)
    const plan = planHold({ source, occurredUtc }, body, requests, found, faults)
    for (const { row } of plan.parts) touched.take(row)
    return plan
  },
  write: (tx, locked, _, plans) => writeHolds(tx, locked, plans),
}
