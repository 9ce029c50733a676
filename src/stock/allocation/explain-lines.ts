// Why lines would be given the stock that they would be given, and not other stock. Open-points 4.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { WarehouseStatus } from '../../warehouses/enumerations.ts'
import { numberOf } from '../inventory/quantities.ts'
import type { StockDescription } from '../ledger/stock-row.ts'
import { planAllocation } from './allocate-lines.ts'
import { explainOrder, type OrderingRule } from './allocation.ts'
import type { OutwardLine } from './outward-lines.ts'
import { candidateOrder, criteriaTable, isAcceptable } from './stock-criteria.ts'
import { type OfferedStock, unavailableReason, unsuitableReason } from './substitution.ts'

/** So many rows of stock are told for each line. */
const maxExplained = 20

/** A row of stock that was looked at for a line. */
export interface ExplainedStock extends StockDescription {
  warehouseProductId: string
  warehouseLocationName: string
  logisticUnitNumber: string | null
  receivedDate: string
  availableQuantity: number
  /** what the line would be given of it */
  quantity: number
  /** by what it goes before the next one; null where it is kept out */
  rule: OrderingRule | null
  /** why it is kept out */
  keptOut: string | null
}

/** A line with what it would be given. */
export interface ExplainedLine {
  consignmentProductId: string
  wanted: number
  allocated: number
  short: number
  stock: ExplainedStock[]
}

interface Shown extends OfferedStock {
  id: string
  locationName: string
  logisticUnitNumber: string | null
  receivedDate: string
}

/**
 * Plans an allocation and explains it: for each line the stock that could be given to it, in its order, and
 * then what was kept out. Quantities are in the product's stocked unit.
 */
export async function explainLines(
  db: Db,
  organisationId: string,
  consignmentId: string,
): Promise<ExplainedLine[]> {
  const plan = await planAllocation(db, organisationId, [{ consignmentId }], { minCandidates: maxExplained })
  const considered = plan.wanted.map(({ line, quantity }) => {
    const of = plan.classes[plan.classOf(line)]
    const ordered = of === undefined ? [] : explainOrder(of, quantity, line)
    return { line, quantity, ordered: ordered.slice(0, maxExplained) }
  })
  const refused = await findRefused(
    db,
    organisationId,
    considered.map(({ line }) => line),
  )
  const shown = await readShown(db, organisationId, [
    ...considered.flatMap(({ ordered }) => ordered.map(({ candidate }) => candidate.id)),
    ...refused.map(({ id }) => id),
    ...plan.choices.map(({ stockId }) => stockId),
  ])
  return considered.map(({ line, quantity, ordered }, n): ExplainedLine => {
    const choices = plan.choices.filter(({ consignmentProductId }) => consignmentProductId === line.id)
    const given = (id: string) =>
      choices.filter(({ stockId }) => stockId === id).reduce((sum, choice) => sum + choice.quantity, 0n)
    const told = (id: string, rule: OrderingRule | null, keptOut: string | null): ExplainedStock[] => {
      const stock = shown.get(id)
      return stock === undefined ? [] : [asExplained(stock, given(id), rule, keptOut)]
    }
    const rules = new Map(ordered.map(({ candidate, rule }) => [candidate.id, rule]))
    // Serials are taken by name from wherever they lie.
    const byName = [...new Set(choices.map(({ stockId }) => stockId))].filter(id => !rules.has(id))
    const keptOut = refused.filter(row => row.n === n && !byName.includes(row.id))
    const allocated = choices.reduce((sum, choice) => sum + choice.quantity, 0n)
    return {
      consignmentProductId: line.id,
      wanted: numberOf(quantity),
      allocated: numberOf(allocated),
      short: numberOf(quantity - allocated),
      stock: [
        ...byName.flatMap(id => told(id, 'Preference', null)),
        ...[...rules].flatMap(([id, rule]) => told(id, rule, null)),
        ...keptOut.flatMap(({ id }) => told(id, null, whyNot(line, shown.get(id)))),
      ].slice(0, maxExplained),
    }
  })
}

const whyNot = (line: OutwardLine, stock: Shown | undefined): string =>
  (stock && (unavailableReason(stock) ?? unsuitableReason(line, stock))) ?? 'is not looked at'

const asExplained = (
  { id, locationName, isLocationActive: _, isQuarantined: __, available, ...stock }: Shown,
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

/** The stock of the products of lines that they may not have, in the order of rotation. */
const findRefused = (
  db: Db,
  organisationId: string,
  lines: readonly OutwardLine[],
): Promise<{ n: number; id: string }[]> =>
  db.rows(sql`
    select c.n, p.id from ${criteriaTable(lines.map(line => ({ line, size: maxExplained })))}
    cross join lateral (
      select p.id from warehouse_product p
      join warehouse_location l
        on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      where p.organisation_id = ${organisationId} and p.warehouse_id = c."warehouseId"
        and p.product_id = c."productId" and not p.is_depleted
        and (p.available_quantity <= 0 or l.status <> 1 or (${isAcceptable}) is not true)
      order by ${candidateOrder}, p.id limit c.size
    ) p`)

async function readShown(db: Db, organisationId: string, ids: readonly string[]) {
  const rows = await db.rows<Omit<Shown, 'available'> & { availableQuantity: number }>(sql`
    select p.id, l.name as location_name, l.status = ${WarehouseStatus.Active} as is_location_active,
      u.logistic_unit_number, p.logistic_unit_id, p.inventory_hold_id, p.is_quarantined, p.batch,
      p.best_before_date, p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date,
      p.received_date, p.attributes, p.available_quantity
    from warehouse_product p
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where p.organisation_id = ${organisationId} and p.id = any(${ids})`)
  return new Map(
    rows.map(({ availableQuantity, ...row }): [string, Shown] => [
      row.id,
      { ...row, available: scale(4, availableQuantity) },
    ]),
  )
}
