// Explains which stock lines would get, and why other stock is excluded. Decision 4.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { numberOf } from '../commands/quantities.ts'
import type { StockDescription } from '../ledger/stock-identity.ts'
import { planAllocation } from './allocate-lines.ts'
import { explainOrder, type OrderingRule } from './allocation.ts'
import type { OutboundLine } from './outbound-lines.ts'
import { candidateOrder, criteriaTable, isAcceptable } from './stock-criteria.ts'
import { type OfferedStock, unavailableReason, unsuitableReason } from './substitution.ts'

/** How many stock rows are listed for each line. */
const maxListedRows = 20

/** A stock row that was considered for a line. */
export interface ExplainedStock extends StockDescription {
  warehouseProductId: string
  warehouseLocationName: string
  logisticUnitNumber: string | null
  receivedDate: string
  availableQuantity: number
  /** the quantity that the line would get from it */
  quantity: number
  /** the rule that puts it before the next row; null if the row is excluded */
  rule: OrderingRule | null
  /** the reason why the row is excluded, else null */
  keptOut: string | null
}

/** A line with the stock that it would get. */
export interface ExplainedLine {
  consignmentProductId: string
  wanted: number
  allocated: number
  short: number
  stock: ExplainedStock[]
}

interface StockView extends OfferedStock {
  id: string
  locationName: string
  logisticUnitNumber: string | null
  receivedDate: string
}

/**
 * Plans an allocation and explains it: for each line the stock that it could get, in order, followed by the
 * excluded stock. Quantities are in the product's stocked unit.
 */
export async function explainLines(
  db: Db,
  organisationId: string,
  consignmentId: string,
): Promise<ExplainedLine[]> {
  const plan = await planAllocation(db, organisationId, [{ consignmentId }], { minCandidates: maxListedRows })
  const considered = plan.wantedLines.map(({ line, quantity }) => {
    const candidateClass = plan.classes[plan.classOf(line)]
    const ordered = candidateClass === undefined ? [] : explainOrder(candidateClass, quantity, line)
    return { line, quantity, ordered: ordered.slice(0, maxListedRows) }
  })
  const excluded = await findExcludedStock(
    db,
    organisationId,
    considered.map(({ line }) => line),
  )
  const views = await readStockViews(db, organisationId, [
    ...considered.flatMap(({ ordered }) => ordered.map(({ candidate }) => candidate.id)),
    ...excluded.map(({ id }) => id),
    ...plan.choices.map(({ stockId }) => stockId),
  ])
  return considered.map(({ line, quantity, ordered }, n): ExplainedLine => {
    const choices = plan.choices.filter(({ consignmentProductId }) => consignmentProductId === line.id)
    const quantityFrom = (id: string) =>
      choices.filter(({ stockId }) => stockId === id).reduce((sum, choice) => sum + choice.quantity, 0n)
    const explainRow = (id: string, rule: OrderingRule | null, keptOut: string | null): ExplainedStock[] => {
      const stock = views.get(id)
      return stock === undefined ? [] : [toExplainedStock(stock, quantityFrom(id), rule, keptOut)]
    }
    const rules = new Map(ordered.map(({ candidate, rule }) => [candidate.id, rule]))
    // Requested serials are taken from whatever row they are in.
    const idsOfSerials = [...new Set(choices.map(({ stockId }) => stockId))].filter(id => !rules.has(id))
    const keptOut = excluded.filter(row => row.n === n && !idsOfSerials.includes(row.id))
    const allocated = choices.reduce((sum, choice) => sum + choice.quantity, 0n)
    return {
      consignmentProductId: line.id,
      wanted: numberOf(quantity),
      allocated: numberOf(allocated),
      short: numberOf(quantity - allocated),
      stock: [
        ...idsOfSerials.flatMap(id => explainRow(id, 'Preference', null)),
        ...[...rules].flatMap(([id, rule]) => explainRow(id, rule, null)),
        ...keptOut.flatMap(({ id }) => explainRow(id, null, exclusionReason(line, views.get(id)))),
      ].slice(0, maxListedRows),
    }
  })
}

const exclusionReason = (line: OutboundLine, stock: StockView | undefined): string =>
  (stock && (unavailableReason(stock) ?? unsuitableReason(line, stock))) ?? 'is not considered'

const toExplainedStock = (
  { id, locationName, isLocationActive: _, isQuarantined: __, available, ...stock }: StockView,
  quantity: bigint,
  rule: OrderingRule | null,
  keptOut: string | null,
): ExplainedStock => ({
  warehouseProductId: id,
  warehouseLocationName: locationName,
  ...stock,
  availableQuantity: numberOf(available),
  quantity: numberOf(quantity),
  rule,
  keptOut,
})

/** Finds stock of the lines' products that the lines may not have, in rotation order. */
const findExcludedStock = (
  db: Db,
  organisationId: string,
  lines: readonly OutboundLine[],
): Promise<{ n: number; id: string }[]> =>
  db.rows(sql`
    select c.n, p.id from ${criteriaTable(lines.map(line => ({ line, size: maxListedRows })))}
    cross join lateral (
      select p.id from warehouse_product p
      join warehouse_location l
        on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      where p.organisation_id = ${organisationId} and p.warehouse_id = c."warehouseId"
        and p.product_id = c."productId" and not p.is_depleted
        and (p.available_quantity <= 0 or l.status <> 1 or (${isAcceptable}) is not true)
      order by ${candidateOrder}, p.id limit c.size
    ) p`)

async function readStockViews(db: Db, organisationId: string, ids: readonly string[]) {
  const rows = await db.rows<Omit<StockView, 'available'> & { availableQuantity: number }>(sql`
    select p.id, l.name as location_name, l.status = ${WarehouseStatus.Active} as is_location_active,
      u.logistic_unit_number, p.logistic_unit_id, p.inventory_hold_id, p.is_quarantined, p.batch,
      p.best_before_date, p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date,
      p.received_date, p.attributes, p.available_quantity
    from warehouse_product p
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where p.organisation_id = ${organisationId} and p.id = any(${ids})`)
  return new Map(
    rows.map(({ availableQuantity, ...row }): [string, StockView] => [
      row.id,
      { ...row, available: scale(4, availableQuantity) },
    ]),
  )
}
