// The stock that lines may have, as the database finds it: whole rotation groups, from the one that goes
// first, and no more of them than the lines need. Spec 2.11; open-points 4.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { LocationType, WarehouseStatus } from '../../warehouses/enumerations.ts'
import type { Candidate, CandidateClass } from './allocation.ts'
import type { OutwardLine } from './outward-lines.ts'
import { criteriaOf, hasNoCriteria, searchByCriteria, searchWithoutCriteria } from './stock-criteria.ts'

/** A line with how much is wanted for it, in ten-thousandths. */
export interface WantedLine {
  line: OutwardLine
  quantity: bigint
}

/** Lines that ask for the same in the same words. */
interface Asking {
  line: OutwardLine
  /** what all lines together want of the product, whatever they ask of it */
  demand: bigint
  size: number
  found: Found[]
}

interface Found extends Candidate {
  isLocationActive: boolean
}

// So many rows are asked for first, and so many times as many while they are not enough.
const firstSize = 8
const growth = 8

/**
 * Finds the candidates for lines. Returns the classes that the lines fall into, and which of them is a
 * line's. What one class takes may be missing in another of the same product, so each gets enough for all.
 */
export async function findCandidates(
  db: Db,
  organisationId: string,
  wanted: readonly WantedLine[],
  size = firstSize,
): Promise<{ classes: CandidateClass[]; classOf: (line: OutwardLine) => number }> {
  const demands = new Map<string, bigint>()
  for (const { line, quantity } of wanted)
    demands.set(placeOf(line), (demands.get(placeOf(line)) ?? 0n) + quantity)
  const asking = new Map<string, Asking>()
  const keys = new Map<OutwardLine, string>()
  for (const { line } of wanted) {
    const key = hasNoCriteria(line) ? placeOf(line) : JSON.stringify(criteriaOf(line))
    keys.set(line, key)
    const demand = demands.get(placeOf(line)) as bigint
    if (!asking.has(key)) asking.set(key, { line, demand, size, found: [] })
  }
  const classes = [...asking.values()]
  for (let open = classes; open.length > 0; ) {
    await find(db, organisationId, open)
    open = open.filter(({ demand, size, found }) => found.length >= size && availableIn(found) < demand)
    for (const one of open) one.size *= growth
  }
  const numbers = new Map([...asking.keys()].map((key, n) => [key, n]))
  return {
    classes: classes.map(({ line, found }) => ({
      rotation: line,
      candidates: found.filter(({ isLocationActive }) => isLocationActive),
    })),
    classOf: line => numbers.get(keys.get(line) as string) as number,
  }
}

const placeOf = ({ warehouseId, productId }: OutwardLine) => `${warehouseId} ${productId}`

const availableIn = (found: readonly Found[]) =>
  found.reduce((sum, { available, isLocationActive }) => sum + (isLocationActive ? available : 0n), 0n)

type Row = Omit<Found, 'available'> & { n: number; availableQuantity: number }

/** Asks for lines together that one statement can serve: those that ask nothing, in the order of an index. */
async function find(db: Db, organisationId: string, asking: readonly Asking[]): Promise<void> {
  const alike = Map.groupBy(asking, ({ line }) =>
    hasNoCriteria(line)
      ? `${line.rotationMethod} ${line.rotationMethodSecondary} ${line.stockDepletionMethod}`
      : 'asked',
  )
  await Promise.all([...alike.values()].map(some => findAlike(db, organisationId, some)))
}

async function findAlike(db: Db, organisationId: string, asking: readonly Asking[]): Promise<void> {
  const { line } = asking[0] as Asking
  const of = hasNoCriteria(line) ? searchWithoutCriteria(asking, line) : searchByCriteria(asking)
  const rows = await db.rows<Row>(sql`
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
    from ${of.table}
    cross join lateral (
      select p.*, ${of.preferencesMet} as preferences_met
      from warehouse_product p
      where p.organisation_id = ${organisationId} and p.warehouse_id = c."warehouseId"
        and p.product_id = c."productId" and not p.is_depleted and p.available_quantity > 0
        and ${of.isAllowed}
      order by ${of.order}
      fetch first (c.size) rows with ties
    ) p
    join warehouse_location l on l.organisation_id = ${organisationId} and l.id = p.warehouse_location_id`)
  for (const one of asking) one.found = []
  for (const { n, availableQuantity, ...found } of rows)
    asking[n]?.found.push({ ...found, available: scale(4, availableQuantity) })
}
