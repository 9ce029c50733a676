// Consignment lines that need stock: their criteria, their quantities, and the rules of their product. Spec
// 2.3, 2.11.

import { type Db, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { snakeCase } from '../../platform/database/write.ts'
import { scale } from '../../platform/decimal.ts'
import { FullPalletAllocation } from '../../vocabulary/organisations.ts'
import type { SerialTrackingMode, Substitution } from '../../vocabulary/partners.ts'
import { requestedAttributes } from '../commands/requested-attributes.ts'
import { type DescriptionField, descriptionFieldNames } from '../ledger/stock-identity.ts'
import type { RotationRules } from './rotation.ts'
import { dateFieldNames, type StockCriteria } from './substitution.ts'

/** A consignment line with its criteria and current quantities, in ten-thousandths. */
export interface OutboundLine extends StockCriteria, RotationRules {
  id: string
  consignmentId: string
  consignmentNumber: string
  /** the running number of its consignment, and its own position there */
  number: number
  ordinal: number
  priority: number
  expectedDispatchDateTime: string | null
  warehouseId: string
  clientId: string
  productId: string
  productCode: string
  serialTrackingMode: (typeof SerialTrackingMode)[keyof typeof SerialTrackingMode]
  productSubstitution: Substitution
  serialSubstitution: Substitution
  namesSerials: boolean
  /** whether whole pallets go first among stock of equal rotation */
  isFullPalletFirst: boolean
  expected: bigint
  allocated: bigint
  picked: bigint
  dispatched: bigint
}

/** The most lines that one transaction allocates, as it locks the stock of their products until it ends. */
export const maxLinesPerTransaction = 2_000

/** Returns how much a line still lacks, in ten-thousandths. */
export function shortageOf({ expected, allocated, picked, dispatched }: OutboundLine): bigint {
  const short = expected - allocated - picked - dispatched
  return short > 0n ? short : 0n
}

// Setting names use `expiry` for `expiryDate`; the other fields keep their names.
const settingNameOf = (field: DescriptionField) => snakeCase(field === 'expiryDate' ? 'expiry' : field)

/** Settings of a product `d`, which default to those of its client `k`. */
const settingsWithDefaults = (fields: readonly DescriptionField[], ending: string) =>
  join(
    fields.map(
      field =>
        sql`${raw(`'${field}', coalesce(d.${settingNameOf(field)}_${ending},
        k.product_${settingNameOf(field)}_${ending})`)}`,
    ),
  )

const criteriaColumns = sql`l.batch, l.best_before_date::date, l.expiry_date::date, l.packaging_date::date,
  l.production_date::date, l.sell_by_date::date, l.critical_stock_status,
  ${requestedAttributes} as attributes,
  nullif(concat_ws(' ', nullif(l.logistic_unit_sscc_number, ''),
    nullif(l.logistic_unit_reference_number, '')), '') as unit_name,
  case when l.logistic_unit_sscc_number <> '' then (
    select u.id from logistic_unit u
    where u.organisation_id = l.organisation_id and u.sscc_number = l.logistic_unit_sscc_number
      and (coalesce(l.logistic_unit_reference_number, '') = ''
        or lower(u.reference_number) = lower(l.logistic_unit_reference_number))
  ) when l.logistic_unit_reference_number <> '' then (
    select u.id from logistic_unit u
    where u.organisation_id = l.organisation_id and u.partner_id = c.client_id
      and lower(u.reference_number) = lower(l.logistic_unit_reference_number)
  ) end as logistic_unit_id`

/** The rules that all lines of a product `d` of the client `k` share. */
const ruleColumns = sql`d.id as product_id, d.code as product_code, d.serial_tracking_mode,
  jsonb_build_object(${settingsWithDefaults(descriptionFieldNames, 'substitution')}) as substitutions,
  jsonb_build_object(${settingsWithDefaults(dateFieldNames, 'critical_threshold_days')}) as critical_days,
  coalesce(d.rotation_method, k.rotation_method) as rotation_method,
  coalesce(d.rotation_method_secondary, k.rotation_method_secondary) as rotation_method_secondary,
  coalesce(d.stock_depletion_method, k.stock_depletion_method) as stock_depletion_method,
  k.product_substitution,
  coalesce(d.serial_substitution, k.product_serial_substitution) as serial_substitution,
  o.is_full_pallet_first and o.full_pallet_allocation = ${FullPalletAllocation.WholeUnit}
    as is_full_pallet_first`

type ProductRules = RotationRules &
  Pick<
    OutboundLine,
    | 'productId'
    | 'productCode'
    | 'serialTrackingMode'
    | 'substitutions'
    | 'criticalDays'
    | 'productSubstitution'
    | 'serialSubstitution'
    | 'isFullPalletFirst'
  >
type LineRow = Omit<OutboundLine, 'expected' | 'allocated' | 'picked' | 'dispatched' | keyof ProductRules> & {
  productId: string
} & Record<'expectedQuantity' | 'allocatedQuantity' | 'pickedQuantity' | 'dispatchedQuantity', number>

/**
 * Reads the lines of consignments, sorted by ordinal. Leaves out lines without a product and consignments
 * without a warehouse. Their quantities change with the stock, so call it under the stock lock.
 */
export async function readOutboundLines(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
): Promise<OutboundLine[]> {
  const [rows, products] = await Promise.all([
    db.rows<LineRow>(sql`
      select l.id, l.consignment_id, c.consignment_number, c.number, l.ordinal, c.priority,
        c.expected_dispatch_date_time, c.warehouse_id, c.client_id, l.product_id, exists (
          select from consignment_product_item i where i.organisation_id = l.organisation_id
            and i.consignment_product_id = l.id and i.serial <> ''
        ) as names_serials,
        l.expected_quantity, l.allocated_quantity, l.picked_quantity, l.dispatched_quantity,
        (now() at time zone w.timezone_id)::date as today, ${criteriaColumns}
      from consignment c
      join consignment_product l on l.organisation_id = c.organisation_id and l.consignment_id = c.id
      join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
      where c.organisation_id = ${organisationId} and c.id = any(${consignmentIds})
        and l.product_id is not null
      order by l.ordinal`),
    db.rows<ProductRules>(sql`
      select ${ruleColumns}
      from product d
      join partner k on k.organisation_id = d.organisation_id and k.id = d.partner_id
      join organisation o on o.id = d.organisation_id
      where d.organisation_id = ${organisationId} and d.id = any(array(
        select product_id from consignment_product
        where organisation_id = ${organisationId} and consignment_id = any(${consignmentIds})))`),
  ])
  const rulesOf = new Map(products.map(product => [product.productId, product]))
  return rows.flatMap(line => {
    const rules = rulesOf.get(line.productId)
    // The product was added to the consignment between the two queries.
    if (rules === undefined) return []
    // Assigning is much faster than copying, which would dominate the cost of a line.
    return Object.assign(line, rules, {
      batch: line.batch || null,
      expected: scale(4, line.expectedQuantity),
      allocated: scale(4, line.allocatedQuantity),
      picked: scale(4, line.pickedQuantity),
      dispatched: scale(4, line.dispatchedQuantity),
    })
  })
}

/**
 * A query of the products of consignments in their warehouses, which must be locked before stock is chosen
 * for them.
 */
export const lockTargetsOfConsignments = (
  organisationId: string,
  consignmentIds: readonly string[],
): Sql => sql`
  select c.warehouse_id, l.product_id from consignment c
  join consignment_product l on l.organisation_id = c.organisation_id and l.consignment_id = c.id
  where c.organisation_id = ${organisationId} and c.id = any(${consignmentIds})
    and c.warehouse_id is not null and l.product_id is not null`

/**
 * Returns the first of the consignments that one transaction may allocate together: as many as have
 * `maxLinesPerTransaction` lines in total, and at least one.
 */
export async function takeFirstBatch<Consignment extends { id: string }>(
  db: Db,
  organisationId: string,
  consignments: readonly Consignment[],
): Promise<Consignment[]> {
  const counts = await db.rows<{ id: string; count: number }>(sql`
    select consignment_id as id, count(*) as count from consignment_product
    where organisation_id = ${organisationId} and consignment_id = any(${consignments.map(({ id }) => id)})
    group by consignment_id`)
  const countOf = new Map(counts.map(({ id, count }) => [id, count]))
  let lines = 0
  const end = consignments.findIndex(({ id }, n) => {
    lines += countOf.get(id) ?? 0
    return n > 0 && lines > maxLinesPerTransaction
  })
  return consignments.slice(0, end < 0 ? undefined : end)
}
