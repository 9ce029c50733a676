// Allocates stock that a request selects for a line, within the rules of substitution or overriding them.
// Decision 4.

import { type Db, sql, type Tx } from '../platform/database/db.ts'
import { scale, smaller } from '../platform/decimal.ts'
import { collectFaults, type FieldFault, type ReportFault } from '../platform/http/entry-faults.ts'
import { optional, ShortText, type Static, Type } from '../platform/http/schema.ts'
import type { AllocationRequest } from '../stock/allocation/allocate-lines.ts'
import type { OutboundLine } from '../stock/allocation/outbound-lines.ts'
import { type OfferedStock, unavailableReason, unsuitableReason } from '../stock/allocation/substitution.ts'
import { partFields } from '../stock/commands/plan-take.ts'
import { numberOf } from '../stock/commands/quantities.ts'
import { stockFields } from '../stock/commands/stock-selector.ts'
import { type AllocationChange, oneItem, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import type { LockedStock } from '../stock/ledger/stock-lock.ts'
import { SerialTrackingMode, Substitution } from '../vocabulary/partners.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'

/** Selected stock: a row, or certain serials in it. */
export const StockSelection = Type.Object({
  ...stockFields,
  ...partFields,
  serials: optional(Type.Array(ShortText, { maxItems: 1_000 })),
})
export type StockSelection = Static<typeof StockSelection>

/** A line with the stock selected for it, each part by the id of its row. */
export interface LineSelection {
  requested: { stock?: StockSelection[]; isOverride?: boolean | null }
  line: OutboundLine
  /** requested quantity, in ten-thousandths */
  quantity: bigint
}

interface Row extends OfferedStock {
  id: string
  partnerId: string
  productId: string
  warehouseId: string
  productCode: string
  locationName: string
  serialTrackingMode: number
}

interface Item {
  id: string
  serial: string
  warehouseProductId: string
  isFree: boolean
}

/**
 * Allocates the selected stock to lines of a consignment, and returns when that counts as happened; null if
 * nothing is selected. Lines without a selection stay as they are. Throws 400, with a sentence for each
 * fault, if some of the stock cannot be allocated; then nothing is.
 */
export async function allocateSelection(
  tx: Tx,
  locked: LockedStock,
  request: AllocationRequest & { movementId: string },
  lines: readonly LineSelection[],
): Promise<string | null> {
  const selections = lines.flatMap(({ requested }) => requested.stock ?? [])
  if (selections.length === 0) return null
  const [rows, items] = await Promise.all([
    readRows(tx, locked.organisationId, selections),
    readItems(tx, locked.organisationId, selections),
  ])
  const faults = collectFaults()
  const moves = lines.flatMap(({ requested, line, quantity }, i) => {
    let wanted = quantity
    return (requested.stock ?? []).flatMap((part, k): StockMove[] => {
      const row = rows.get(part.warehouseProductId ?? '')
      const serials = part.serials ?? []
      const selectedItems = items.filter(
        ({ serial, warehouseProductId }) => warehouseProductId === row?.id && serials.includes(serial),
      )
      const taken = quantityOf(part, row, wanted)
      const refuse: ReportFault = (...problem) => faults.add(`lines[${i}].stock[${k}]`, ...problem)
      if (row === undefined || row.partnerId !== line.clientId || row.warehouseId !== line.warehouseId) {
        refuse('there is no such stock in the warehouse', 'unknown_reference')
        return []
      }
      const fault =
        substitutionFault(line, row, Boolean(requested.isOverride), selectedItems.length > 0) ??
        quantityFault(row, taken, requested.isOverride ? taken : wanted, part, selectedItems)
      if (fault !== null) {
        refuse(...fault)
        return []
      }
      wanted -= taken
      row.available -= taken
      for (const item of selectedItems) item.isFree = false
      return [moveOf(request, line, row, taken, selectedItems, Boolean(requested.isOverride))]
    })
  })
  faults.throwIfAny()
  const [posted] = await post(tx, locked, request.source, moves)
  return posted?.effectiveUtc ?? null
}

function quantityOf({ quantity, serials }: StockSelection, row: Row | undefined, wanted: bigint): bigint {
  if (quantity != null) return scale(4, quantity)
  if (serials?.length) return BigInt(serials.length) * oneItem
  return smaller(wanted, row?.available ?? 0n)
}

/** Why a line may not have stock of a row in any quantity; null if it may. */
function substitutionFault(
  line: OutboundLine,
  row: Row,
  isOverride: boolean,
  hasSerial: boolean,
): FieldFault | null {
  const place = `${row.productCode} in ${row.locationName}`
  const state = unavailableReason(row)
  if (state !== null) return [`${place} ${state}`, 'held']
  if (row.productId !== line.productId && line.productSubstitution !== Substitution.Allowed)
    return [`${place} may not be sent for ${line.productCode}`, 'not_permitted']
  const refusal = isOverride ? null : unsuitableReason(line, row, hasSerial)
  return refusal === null ? null : [`${place} ${refusal}`, 'not_permitted']
}

/** Why this quantity of a row cannot be allocated, or not with these serials; null if it can. */
function quantityFault(
  row: Row,
  taken: bigint,
  wanted: bigint,
  { serials }: StockSelection,
  selectedItems: readonly Item[],
): FieldFault | null {
  const place = `${row.productCode} in ${row.locationName}`
  if (taken <= 0n) return ['nothing is short of the line', 'insufficient_stock']
  if (taken > wanted)
    return [`${numberOf(taken)} exceeds the ${numberOf(wanted)} requested`, 'insufficient_stock']
  if (taken > row.available)
    return [
      `only ${numberOf(row.available)} of ${numberOf(taken)} are free of ${place}`,
      'insufficient_stock',
    ]
  if (!serials?.length) return null
  if (row.serialTrackingMode !== SerialTrackingMode.FullCapture)
    return [`${place} is kept without serials`, 'serial_not_taken']
  if (BigInt(serials.length) * oneItem !== taken)
    return [
      (serials.length === 1 ? '1 serial is' : `${serials.length} serials are`) +
        ` named for ${numberOf(taken)}`,
      'serial_required',
    ]
  const free = new Set(selectedItems.filter(({ isFree }) => isFree).map(({ serial }) => serial))
  const missing = serials.filter((serial, i) => !free.has(serial) || serials.indexOf(serial) < i)
  return missing.length === 0 ? null : [`${missing.join(', ')} cannot be had of ${place}`, 'serial_unknown']
}

function moveOf(
  { consignmentId, movementId, occurredUtc }: AllocationRequest & { movementId: string },
  { id: consignmentProductId }: OutboundLine,
  row: Row,
  quantity: bigint,
  items: readonly Item[],
  isOverride: boolean,
): StockMove {
  const allocation = { at: 'to', consignmentId, consignmentProductId, isPicked: false, isOverride } as const
  const allocations: AllocationChange[] =
    items.length > 0
      ? items.map(({ id }) => ({ ...allocation, itemId: id, quantity: oneItem }))
      : [{ ...allocation, quantity }]
  return {
    movementId,
    type: TransactionType.Allocation,
    from: null,
    to: row.id,
    quantity: 0n,
    occurredUtc: occurredUtc ?? null,
    consignmentId,
    consignmentProductId,
    allocations,
  }
}

const idsOf = (selections: readonly StockSelection[]) =>
  selections.flatMap(({ warehouseProductId }) => warehouseProductId ?? [])

async function readRows(db: Db, organisationId: string, selections: readonly StockSelection[]) {
  const rows = await db.rows<Omit<Row, 'available'> & { availableQuantity: number }>(sql`
    select p.id, p.partner_id, p.product_id, p.warehouse_id, d.code as product_code, l.name as location_name,
      d.serial_tracking_mode, p.logistic_unit_id, p.inventory_hold_id, p.is_quarantined,
      l.status = ${WarehouseStatus.Active} as is_location_active, p.batch, p.best_before_date,
      p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date, p.attributes, p.available_quantity
    from warehouse_product p
    join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    where p.organisation_id = ${organisationId}
      and p.id = any(${idsOf(selections)})`)
  return new Map(
    rows.map(({ availableQuantity, ...row }): [string, Row] => [
      row.id,
      { ...row, available: scale(4, availableQuantity) },
    ]),
  )
}

const readItems = (db: Db, organisationId: string, selections: readonly StockSelection[]): Promise<Item[]> =>
  db.rows(sql`
    select i.id, i.serial, i.warehouse_product_id, not exists (
      select from inventory_allocation a
      where a.organisation_id = i.organisation_id and a.warehouse_product_item_id = i.id
    ) as is_free
    from warehouse_product_item i
    where i.organisation_id = ${organisationId}
      and i.warehouse_product_id = any(${idsOf(selections)})
      and i.serial = any(${selections.flatMap(({ serials }) => serials ?? [])})`)
