// Finds candidate stock for lines in the database: whole rotation groups in their order, and no more of them
// than the lines need. Spec 2.11; decision 4.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'
import type { CandidateClass, StockCandidate } from './allocation.ts'
import type { OutboundLine } from './outbound-lines.ts'
import { criteriaOf, hasNoCriteria, searchByCriteria, searchWithoutCriteria } from './stock-criteria.ts'
import { stockToChooseFrom } from './stock-if-released.ts'

/** A line that needs stock. */
export interface LineToAllocate {
  line: OutboundLine
  /** ten-thousandths */
  quantity: bigint
}

/** The search for the candidates of one class: all lines with the same product and criteria. */
interface ClassSearch {
  /** one of the lines */
  line: OutboundLine
  /** ten-thousandths that all lines need of the product, whatever their criteria */
  demand: bigint
  /** how many rows to read */
  size: number
  found: FoundCandidate[]
}

interface FoundCandidate extends StockCandidate {
  isLocationActive: boolean
}

export interface CandidateOptions {
  /** the least number of rows to read for each class, if there are that many */
  minCandidates?: number | undefined
  /** a consignment whose allocations count as free if they are not picked */
  released?: string | undefined
}

// The number of rows that a search reads first, and the factor by which it grows while they are not enough.
const initialSize = 8
const sizeFactor = 8

/**
 * Finds the candidates for lines. Returns the classes of the lines and a function that maps a line to the
 * index of its class. As classes compete for stock of the same product, each gets enough candidates for all
 * of the product's demand.
 */
export async function findCandidates(
  db: Db,
  organisationId: string,
  wantedLines: readonly LineToAllocate[],
  { minCandidates: size = initialSize, released }: CandidateOptions = {},
): Promise<{ classes: CandidateClass[]; classOf: (line: OutboundLine) => number }> {
  const demands = new Map<string, bigint>()
  for (const { line, quantity } of wantedLines)
    demands.set(productKeyOf(line), (demands.get(productKeyOf(line)) ?? 0n) + quantity)
  const searchesByKey = new Map<string, ClassSearch>()
  const keys = new Map<OutboundLine, string>()
  for (const { line } of wantedLines) {
    const key = hasNoCriteria(line) ? productKeyOf(line) : JSON.stringify(criteriaOf(line))
    keys.set(line, key)
    const demand = demands.get(productKeyOf(line)) as bigint
    if (!searchesByKey.has(key)) searchesByKey.set(key, { line, demand, size, found: [] })
  }
  const classes = [...searchesByKey.values()]
  for (let incomplete = classes; incomplete.length > 0; ) {
    await runSearches(db, organisationId, incomplete, released)
    incomplete = incomplete.filter(
      ({ demand, size, found }) => found.length >= size && availableIn(found) < demand,
    )
    for (const search of incomplete) search.size *= sizeFactor
  }
  const classIndexes = new Map([...searchesByKey.keys()].map((key, n) => [key, n]))
  return {
    classes: classes.map(({ line, found }) => ({
      rotation: line,
      candidates: found.filter(({ isLocationActive }) => isLocationActive),
    })),
    classOf: line => classIndexes.get(keys.get(line) as string) as number,
  }
}

const productKeyOf = ({ warehouseId, productId }: OutboundLine) => `${warehouseId} ${productId}`

const availableIn = (found: readonly FoundCandidate[]) =>
  found.reduce((sum, { available, isLocationActive }) => sum + (isLocationActive ? available : 0n), 0n)

type CandidateRow = Omit<FoundCandidate, 'available'> & { n: number; availableQuantity: number }

/** Runs the searches: one statement for classes with criteria, and one for each rotation for the others. */
async function runSearches(
  db: Db,
  organisationId: string,
  searches: readonly ClassSearch[],
  released: string | undefined,
): Promise<void> {
  const groups = Map.groupBy(searches, ({ line }) =>
    hasNoCriteria(line)
      ? `${line.rotationMethod} ${line.rotationMethodSecondary} ${line.stockDepletionMethod}`
      : 'criteria',
  )
  await Promise.all([...groups.values()].map(group => runSearch(db, organisationId, group, released)))
}

async function runSearch(
  db: Db,
  organisationId: string,
  searches: readonly ClassSearch[],
  released: string | undefined,
): Promise<void> {
  const { line } = searches[0] as ClassSearch
  const query = hasNoCriteria(line) ? searchWithoutCriteria(searches, line) : searchByCriteria(searches)
  const rows = await db.rows<CandidateRow>(sql`
    select c.n, p.id, p.batch, p.best_before_date, p.expiry_date, p.packaging_date, p.production_date,
      p.sell_by_date, p.received_date, p.available_quantity, p.preferences_met,
      l.status = ${WarehouseStatus.Active} as is_location_active,
      p.logistic_unit_id is not null and p.available_quantity = p.on_hand_quantity
        and not exists (
        select from warehouse_product o where o.organisation_id = ${organisationId}
          and o.logistic_unit_id = p.logistic_unit_id and o.id <> p.id and not o.is_depleted
      ) as is_whole_unit,
      case when l.is_pickface and l.product_id = c."productId" then 0 when l.type = ${LocationType.Racking}
        then 1 when l.type = ${LocationType.Bulk} then 2 else 3 end as place_rank, l.walking_order
    from ${query.table}
    cross join lateral (
      select p.*, ${query.preferencesMet} as preferences_met
      from ${stockToChooseFrom(organisationId, released)} p
      where p.organisation_id = ${organisationId} and p.warehouse_id = c."warehouseId"
        and p.product_id = c."productId" and not p.is_depleted and p.available_quantity > 0
        and ${query.isAcceptable}
      order by ${query.order}
      fetch first (c.size) rows with ties
    ) p
    join warehouse_location l on l.organisation_id = ${organisationId} and l.id = p.warehouse_location_id`)
  for (const search of searches) search.found = []
  for (const { n, availableQuantity, ...found } of rows)
    searches[n]?.found.push({ ...found, available: scale(4, availableQuantity) })
}
