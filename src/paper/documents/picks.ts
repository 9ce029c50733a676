// The rows of picking lists, for the list of a consignment and the list of a wave pick.

import { sql } from '../../platform/database/db.ts'
import { Type } from '../../platform/http/schema.ts'
import { RotationMethod, SerialTrackingMode } from '../../vocabulary/partners.ts'
import { type Cell, type Column, type Field, formatSum, type Row } from './document-content.ts'
import { type DocumentProduct, describePacks, hazardLines } from './document-products.ts'
import { formatDate, formatFigure, formatNonZero } from './format.ts'
import type { PickPosition } from './pick-order.ts'
import { words } from './words.ts'

/** Stock to pick from one location. */
export interface PickLine extends PickPosition {
  productId: string
  batch: string | null
  bestBeforeDate: string | null
  expiryDate: string | null
  packagingDate: string | null
  productionDate: string | null
  sellByDate: string | null
  receivedDate: string | null
  unitNumber: string | null
  ssccNumber: string | null
  quantity: number
  serials: string[]
  weightKG: number | null
  logisticUnitId: string | null
  isPicked: boolean
}

/**
 * The fields of a `PickLine` for json_build_object: stock `p` of product `d` in location `l` on logistic unit
 * `u`, with the quantity, serials and is_picked of `g`.
 */
export const pickJsonFields = sql`'productId', d.id, 'productCode', d.code, 'productName', d.name,
  'locationName', l.name, 'walkingOrder', l.walking_order, 'batch', p.batch,
  'bestBeforeDate', p.best_before_date, 'expiryDate', p.expiry_date, 'packagingDate', p.packaging_date,
  'productionDate', p.production_date, 'sellByDate', p.sell_by_date, 'receivedDate', p.received_date,
  'unitNumber', coalesce(u.reference_number, u.logistic_unit_number), 'ssccNumber', u.sscc_number,
  'quantity', trim_scale(g.quantity), 'serials', g.serials, 'isPicked', g.is_picked,
  'logisticUnitId', p.logistic_unit_id,
  'weightKG', trim_scale(round(p.on_hand_weight_kg * g.quantity / nullif(p.on_hand_quantity, 0), 3))`

/** The joins that `pickJsonFields` needs; they begin at `g`. */
export const pickTables = sql`
  join warehouse_product p on p.organisation_id = g.organisation_id and p.id = g.warehouse_product_id
  join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
  join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
  left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id`

const rotationDates: Partial<
  Record<number, readonly [label: string, of: (pick: PickLine) => string | null]>
> = {
  [RotationMethod.ExpiryAscending]: [words.dates.expiry, pick => pick.expiryDate],
  [RotationMethod.ProductionDateAscending]: [words.dates.production, pick => pick.productionDate],
  [RotationMethod.BestBeforeDateAscending]: [words.dates.bestBefore, pick => pick.bestBeforeDate],
  [RotationMethod.SellByDateAscending]: [words.dates.sellBy, pick => pick.sellByDate],
  [RotationMethod.PackagingDateAscending]: [words.dates.packaging, pick => pick.packagingDate],
  [RotationMethod.ReceivedDateAscending]: [words.dates.received, pick => pick.receivedDate],
}

/** The date that the rotation method goes by; without one, the expiry, best before or sell by date. */
function dateCell(pick: PickLine, method: number): Cell {
  // Rotation methods come in pairs of ascending (even) and descending (odd).
  const [label, rotationDateOf] = rotationDates[method - (method % 2)] ?? [null, null]
  const found =
    rotationDateOf !== null && rotationDateOf(pick) !== null
      ? ([label, rotationDateOf(pick)] as const)
      : ([
          [words.dates.expiry, pick.expiryDate],
          [words.dates.bestBefore, pick.bestBeforeDate],
          [words.dates.sellBy, pick.sellByDate],
        ].find(([, date]) => date !== null) ?? null)
  return found === null ? null : { text: formatDate(found[1]), small: [found[0]] }
}

/** The cell of a product, with what the picker has to know about it. */
export const productCell = (
  product: DocumentProduct | undefined,
  code: string,
  name: string | null,
): Cell => ({
  text: code,
  bold: true,
  small: [
    name,
    product?.serialTrackingMode === SerialTrackingMode.ReleaseCapture && words.serialsToCapture,
    product?.pickInstructions,
  ],
  alerts: hazardLines(product),
})

/** The columns of the rows of `pickRow`. */
export const pickColumns: readonly Column[] = [
  { label: words.columns.location, width: 22 },
  { label: words.columns.product, width: '1fr' },
  { label: words.columns.batch, width: 18 },
  { label: words.columns.date, width: 19 },
  { label: words.columns.pallet, width: 29 },
  { label: words.columns.quantity, width: 26, align: 'right' },
  { label: words.columns.short, width: 12, isAlwaysShown: true, align: 'right' },
  { label: words.columns.tick, width: 8, isAlwaysShown: true, align: 'right' },
]

/** Whether rows have the codes of their location and product to scan, as an option. */
export const WithCodesOption = {
  ...Type.Boolean(),
  description: 'Add Code 128 barcodes of location and product to each row. Default: false.',
}

/**
 * A row for a pick, with a line to write a short quantity on and a box to tick; `more` are lines below the
 * quantity.
 */
export const pickRow = (
  pick: PickLine,
  product: DocumentProduct | undefined,
  { more = [], withCodes = false }: { more?: readonly string[]; withCodes?: boolean } = {},
): Row => ({
  cells: [
    { text: pick.locationName, bold: true },
    productCell(product, pick.productCode, pick.productName),
    pick.batch,
    dateCell(pick, product?.rotationMethod ?? RotationMethod.None),
    pick.unitNumber === null ? null : { text: pick.unitNumber, small: [pick.ssccNumber] },
    {
      text: formatFigure(pick.quantity),
      bold: true,
      small: [describePacks(product, pick.quantity), ...more],
    },
    { text: '', box: 'line' },
    { text: '', box: pick.isPicked ? 'ticked' : 'empty' },
  ],
  serials: pick.serials,
  codes: withCodes ? [pick.locationName, pick.productCode] : [],
})

/** The cells of the total below rows of `pickRow`. */
export const pickTotals = (picks: readonly PickLine[]): Cell[] => [
  words.total,
  ...[null, null, null, null],
  formatSum(picks, ({ quantity }) => quantity),
  ...[null, null],
]

/** How much there is to pick: rows, pallets that goods are on, and their weight. */
export const pickSummary = (picks: readonly PickLine[]): Field[] => {
  const weight = formatSum(picks, ({ weightKG }) => weightKG || null)
  return [
    [words.fields.lines, formatNonZero(picks.length)],
    [words.fields.palletsToPick, formatNonZero(countPallets(picks))],
    [words.fields.weight, weight === null ? null : `${weight} kg`],
  ]
}

/** Counts the logistic units that goods are on. */
export const countPallets = (goods: readonly { logisticUnitId: string | null }[]): number =>
  new Set(goods.flatMap(({ logisticUnitId }) => logisticUnitId ?? [])).size
