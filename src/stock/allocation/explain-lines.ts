// Explains which stock lines would get, and why other stock is excluded. Decision 4.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { numberOf } from '../commands/quantities.ts'
import type { StockDescription } from '../ledger/stock-identity.ts'
import { type AllocationPlan, planAllocation } from './allocate-lines.ts'
import { explainOrder, type OrderingRule, type StockChoice } from './allocation.ts'
import { type OutboundLine, readOutboundLines, shortageOf } from './outbound-lines.ts'
import type { RotationRules } from './rotation.ts'
import { candidateOrder, criteriaTable, isAcceptable } from './stock-criteria.ts'
import { stockToChooseFrom } from './stock-if-released.ts'
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
  /** the quantity that the line has of it, not picked */
  allocatedQuantity: number
  /** the rule that puts it before the next row; null if the row is excluded */
  rule: OrderingRule | null
  /** the reason why the row is excluded, else null */
  keptOut: string | null
}

/** A line with the stock that it would get. */
export interface ExplainedLine extends RotationRules {
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
 * excluded stock. Quantities are in the product's stocked unit. With `includeAllocated` it plans as if what
 * the consignment has allocated, but not picked, were free.
 */
export async function explainLines(
  db: Db,
  organisationId: string,
  consignmentId: string,
  { includeAllocated = false }: { includeAllocated?: boolean } = {},
): Promise<ExplainedLine[]> {
  const released = includeAllocated ? consignmentId : undefined
  const plan = await planLines(db, organisationId, consignmentId, released)
  const ownOf = await readUnpicked(db, organisationId, consignmentId)
  const considered = plan.wantedLines.map(({ line, quantity }) => {
    const candidateClass = plan.classes[plan.classOf(line)]
    const ordered = candidateClass === undefined ? [] : explainOrder(candidateClass, quantity, line)
    return { line, quantity, ordered: ordered.slice(0, maxListedRows) }
  })
  const excluded = await findExcludedStock(
    db,
    organisationId,
    considered.map(({ line }) => line),
    released,
  )
  const views = await readStockViews(db, organisationId, released, [
    ...(includeAllocated ? considered.flatMap(({ line }) => [...ownOf(line).keys()]) : []),
    ...considered.flatMap(({ ordered }) => ordered.map(({ candidate }) => candidate.id)),
    ...excluded.map(({ id }) => id),
    ...plan.choices.map(({ stockId }) => stockId),
  ])
  return considered.map(({ line, quantity, ordered }, n): ExplainedLine => {
    const choices = plan.choices.filter(({ consignmentProductId }) => consignmentProductId === line.id)
    const own = ownOf(line)
    const rules = new Map(ordered.map(({ candidate, rule }) => [candidate.id, rule]))
    const explainRow = (id: string, rule: OrderingRule | null, keptOut: string | null): ExplainedStock[] => {
      const stock = views.get(id)
      const chosen = choices.filter(({ stockId }) => stockId === id)
      const figures = { quantity: sumOf(chosen), allocated: own.get(id) ?? 0n }
      return stock === undefined ? [] : [toExplainedStock(stock, figures, rule, keptOut)]
    }
    // Requested serials are taken from whatever row they are in.
    const idsOfSerials = [...new Set(choices.map(({ stockId }) => stockId))].filter(id => !rules.has(id))
    const keptOut = excluded.filter(row => row.n === n && !idsOfSerials.includes(row.id))
    // What a person chose may be far from the first, or against the rules.
    const known = new Set([...idsOfSerials, ...rules.keys(), ...keptOut.map(({ id }) => id)])
    const idsByHand = includeAllocated ? [...own.keys()].filter(id => !known.has(id)) : []
    const { rotationMethod, rotationMethodSecondary, stockDepletionMethod } = line
    return {
      ...{ consignmentProductId: line.id, rotationMethod, rotationMethodSecondary, stockDepletionMethod },
      wanted: numberOf(quantity),
      allocated: numberOf(sumOf(choices)),
      short: numberOf(quantity - sumOf(choices)),
      stock: [
        ...idsByHand.flatMap(id => explainRow(id, null, null)),
        ...idsOfSerials.flatMap(id => explainRow(id, 'Preference', null)),
        ...[...rules].flatMap(([id, rule]) => explainRow(id, rule, null)),
        ...keptOut.flatMap(({ id }) => explainRow(id, null, exclusionReason(line, views.get(id)))),
      ].slice(0, maxListedRows),
    }
  })
}

/** Plans what the lines of a consignment lack, and what they have unpicked if it counts as released. */
async function planLines(
  db: Db,
  organisationId: string,
  consignmentId: string,
  released: string | undefined,
): Promise<AllocationPlan> {
  const lines = await readOutboundLines(db, organisationId, [consignmentId])
  const quantities = new Map(
    lines.map(line => [line.id, shortageOf(line) + (released === undefined ? 0n : line.allocated)]),
  )
  const options = { minCandidates: maxListedRows, released, lines: Promise.resolve(lines) }
  return planAllocation(db, organisationId, [{ consignmentId, quantities }], options)
}

const sumOf = (choices: readonly StockChoice[]) => choices.reduce((sum, { quantity }) => sum + quantity, 0n)

/** Reads what each line of a consignment has of each row of stock, not picked, in ten-thousandths. */
async function readUnpicked(
  db: Db,
  organisationId: string,
  consignmentId: string,
): Promise<(line: OutboundLine) => ReadonlyMap<string, bigint>> {
  const rows = await db.rows<{ lineId: string; stockId: string; quantity: number }>(sql`
    select a.consignment_product_id as line_id, a.warehouse_product_id as stock_id,
      sum(a.quantity) as quantity
    from inventory_allocation a
    where a.organisation_id = ${organisationId} and a.consignment_id = ${consignmentId} and not a.is_picked
    group by 1, 2`)
  const byLine = Map.groupBy(rows, ({ lineId }) => lineId)
  return ({ id }) =>
    new Map((byLine.get(id) ?? []).map(({ stockId, quantity }) => [stockId, scale(4, quantity)]))
}

const exclusionReason = (line: OutboundLine, stock: StockView | undefined): string =>
  (stock && (unavailableReason(stock) ?? unsuitableReason(line, stock))) ?? 'is not considered'

const toExplainedStock = (
  { id, locationName, isLocationActive: _, isQuarantined: __, available, ...stock }: StockView,
  { quantity, allocated }: { quantity: bigint; allocated: bigint },
  rule: OrderingRule | null,
  keptOut: string | null,
): ExplainedStock => ({
  warehouseProductId: id,
  warehouseLocationName: locationName,
  ...stock,
  availableQuantity: numberOf(available),
  quantity: numberOf(quantity),
  allocatedQuantity: numberOf(allocated),
  rule,
  keptOut,
})

/** Finds stock of the lines' products that the lines may not have, in rotation order. */
const findExcludedStock = (
  db: Db,
  organisationId: string,
  lines: readonly OutboundLine[],
  released: string | undefined,
): Promise<{ n: number; id: string }[]> =>
  db.rows(sql`
    select c.n, p.id from ${criteriaTable(lines.map(line => ({ line, size: maxListedRows })))}
    cross join lateral (
      select p.id from ${stockToChooseFrom(organisationId, released)} p
      join warehouse_location l
        on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      where p.organisation_id = ${organisationId} and p.warehouse_id = c."warehouseId"
        and p.product_id = c."productId" and not p.is_depleted
        and (p.available_quantity <= 0 or l.status <> 1 or (${isAcceptable}) is not true)
      order by ${candidateOrder}, p.id limit c.size
    ) p`)

async function readStockViews(
  db: Db,
  organisationId: string,
  released: string | undefined,
  ids: readonly string[],
) {
  const rows = await db.rows<Omit<StockView, 'available'> & { availableQuantity: number }>(sql`
    select p.id, l.name as location_name, l.status = ${WarehouseStatus.Active} as is_location_active,
      u.logistic_unit_number, p.logistic_unit_id, p.inventory_hold_id, p.is_quarantined, p.batch,
      p.best_before_date, p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date,
      p.received_date, p.attributes, p.available_quantity
    from ${stockToChooseFrom(organisationId, released)} p
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
