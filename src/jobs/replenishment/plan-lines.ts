// The lines of a new replenishment: which stock to move to which pickface, planned by the service or given by
// the caller. Spec 2.11, 2.14.

import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { collectEntryFaults, type FieldFault, isFieldFault } from '../../platform/http/entry-faults.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { type Static, Type } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { byRotation } from '../../stock/allocation/stock-criteria.ts'
import {
  findLocations,
  hasLocation,
  placementRefusal,
  type StockLocation,
  targetFields,
  targetOf,
  unknownTarget,
} from '../../stock/commands/location-reference.ts'
import { numberOf, quantityFields, toItems } from '../../stock/commands/quantities.ts'
import type { StockRow } from '../../stock/commands/read-stock-rows.ts'
import { findProducts } from '../../stock/commands/stock-products.ts'
import { readSelectedStock, stockFields } from '../../stock/commands/stock-selector.ts'
import { ReplenishmentLineStatus } from '../../vocabulary/jobs.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import type { JobFacts } from '../job.ts'

/** A line given by the caller. */
export const RequestedReplenishmentLine = Type.Object({ ...stockFields, ...quantityFields, ...targetFields })
export type RequestedReplenishmentLine = Static<typeof RequestedReplenishmentLine>

/** A line to store: a quantity of a row of stock, in its stocked unit, that goes to a location. */
export interface PlannedReplenishmentLine {
  productId: string
  warehouseProductId: string
  warehouseLocationId: string
  quantity: number
}

/**
 * Plans the lines that fill the pickfaces of a job's client. A pickface that has less available than its
 * minimum, counting what other replenishments are bringing to it, is filled up to its target, or to its
 * minimum if it has no target. Allocated, held and expired stock does not count, as in the report
 * pickface-replenishment. Pickfaces are filled in walking order, from free stock outside pickfaces in the
 * rotation order of the product. Stock that other replenishments will move is not planned again.
 */
export const planReplenishmentLines = (
  db: Db,
  organisationId: string,
  { warehouseId, clientId }: JobFacts,
): Promise<PlannedReplenishmentLine[]> =>
  db.rows(sql`
    with pickface as (
      select l.id, l.product_id, l.walking_order, l.name,
        coalesce(l.target_quantity, l.min_quantity) - present.quantity - incoming.quantity as lacking
      from warehouse_location l
      join product d on d.organisation_id = l.organisation_id and d.id = l.product_id
        and d.partner_id = ${clientId}
      join warehouse w on w.organisation_id = l.organisation_id and w.id = l.warehouse_id
      cross join lateral (
        select coalesce(sum(p.available_quantity), 0) as quantity from warehouse_product p
        where p.organisation_id = l.organisation_id and p.warehouse_location_id = l.id
          and p.product_id = l.product_id and not p.is_depleted
          and (p.expiry_date is null or p.expiry_date >= (now() at time zone w.timezone_id)::date)
      ) present
      cross join lateral (
        select coalesce(sum(r.quantity - r.moved_quantity), 0) as quantity from replenishment_line r
        where r.organisation_id = l.organisation_id and r.to_warehouse_location_id = l.id
          and r.product_id = l.product_id and r.status = ${ReplenishmentLineStatus.Open}
      ) incoming
      where l.organisation_id = ${organisationId} and l.warehouse_id = ${warehouseId} and l.is_pickface
        and l.status = 1 and present.quantity + incoming.quantity < l.min_quantity
    ), demand as (
      select *, sum(lacking) over (
          partition by product_id order by walking_order nulls last, name
        ) as running_sum
      from pickface
    ), c as (
      select d.id, coalesce(d.rotation_method, k.rotation_method) as method,
        coalesce(d.rotation_method_secondary, k.rotation_method_secondary) as secondary,
        coalesce(d.stock_depletion_method, k.stock_depletion_method) as depletion,
        (now() at time zone w.timezone_id)::date as today
      from product d
      join partner k on k.organisation_id = d.organisation_id and k.id = d.partner_id
      join warehouse w on w.organisation_id = d.organisation_id and w.id = ${warehouseId}
      where d.organisation_id = ${organisationId} and d.id in (select product_id from pickface)
    ), source as (
      select p.id, p.product_id, free.quantity, sum(free.quantity) over (
          partition by p.product_id order by ${byRotation}, l.type, free.quantity,
            l.walking_order nulls last, p.id
        ) as running_sum
      from c
      join warehouse_product p on p.organisation_id = ${organisationId} and p.warehouse_id = ${warehouseId}
        and p.product_id = c.id and not p.is_depleted and p.available_quantity > 0
        and (p.expiry_date is null or p.expiry_date >= c.today)
      join warehouse_location l on l.organisation_id = p.organisation_id
        and l.id = p.warehouse_location_id and l.status = 1 and not l.is_pickface
      cross join lateral (
        select p.available_quantity - coalesce(sum(r.quantity - r.moved_quantity), 0) as quantity
        from replenishment_line r
        where r.organisation_id = p.organisation_id and r.from_warehouse_product_id = p.id
          and r.status = ${ReplenishmentLineStatus.Open}
      ) free
      where free.quantity > 0
    )
    -- Where the running sums of a source and of a pickface overlap, the overlap is the quantity to move.
    select d.product_id, s.id as warehouse_product_id, d.id as warehouse_location_id,
      least(d.running_sum, s.running_sum)
        - greatest(d.running_sum - d.lacking, s.running_sum - s.quantity) as quantity
    from demand d
    join source s on s.product_id = d.product_id
      and s.running_sum - s.quantity < d.running_sum and d.running_sum - d.lacking < s.running_sum
    order by d.walking_order nulls last, d.name, s.running_sum`)

/** Checks the lines given by the caller. Throws 400 with a message for every fault of every line. */
export async function resolveRequestedLines(
  db: Db,
  organisationId: string,
  job: JobFacts,
  requested: readonly RequestedReplenishmentLine[],
): Promise<PlannedReplenishmentLine[]> {
  const { refuse, throwIfAny } = collectEntryFaults('lines')
  // Nothing is moved yet, so nothing is locked. What is free is checked when the goods are moved.
  const rows = await readSelectedStock(db, organisationId, { covers: () => true }, requested)
  const targets = requested.map(entry => targetOf(job.warehouseId, entry))
  const location = await findLocations(db, organisationId, targets)
  const products = await findProducts(
    db,
    organisationId,
    rows.flatMap(row => (isFieldFault(row) ? [] : [row.productId])),
  )
  const lines = requested.flatMap(({ quantity, unitTypeId }, n): PlannedReplenishmentLine[] => {
    const [row, requestedTarget] = [rows[n] as StockRow | FieldFault, targets[n] as (typeof targets)[number]]
    const target = location(requestedTarget)
    if (isFieldFault(row)) refuse(n, ...row)
    if (!hasLocation(requestedTarget))
      refuse(n, 'say where to, by toWarehouseLocationId or toLocationName', 'required')
    else if (target === undefined) refuse(n, ...unknownTarget)
    if (isFieldFault(row) || target === undefined) return []
    const refusal = refusalOfLine(job, row, target)
    if (refusal !== null) refuse(n, ...refusal)
    const product = products.get(row.productId) ?? { code: row.productCode, chain: [] }
    const items = toItems(product, { quantity, unitTypeId }, (...fault) => refuse(n, ...fault))
    if (items === undefined) return []
    return [
      {
        productId: row.productId,
        warehouseProductId: row.id,
        warehouseLocationId: target.id,
        quantity: numberOf(items),
      },
    ]
  })
  throwIfAny()
  return lines
}

function refusalOfLine(job: JobFacts, row: StockRow, target: StockLocation): FieldFault | null {
  if (row.warehouseId !== job.warehouseId) return ['the stock is in another warehouse', 'not_here']
  if (row.partnerId !== job.clientId) return ['the stock is another client’s', 'wrong_client']
  if (row.warehouseLocationId === target.id) return [`the stock is already in ${target.name}`, 'wrong_place']
  if (row.inventoryHoldId !== null)
    return [`the stock in ${row.locationName} is on hold: release it first`, 'held']
  if (row.isQuarantined)
    return [`the stock in ${row.locationName} is in quarantine: move it out first`, 'held']
  const refusal = refusalOfTarget(target, row.productId)
  return refusal === null ? null : [`${target.name} ${refusal}`, 'wrong_place']
}

/** Why goods of a product cannot be moved to a location, as the end of a sentence; null if they can. */
export const refusalOfTarget = (target: StockLocation, productId: string): string | null =>
  target.type === LocationType.Quarantine ? 'is in quarantine' : placementRefusal(target, productId)

/** Stores the lines of a job in their order. Throws 400 if there are none. */
export async function storeReplenishmentLines(
  tx: Tx,
  organisationId: string,
  job: JobFacts,
  lines: readonly PlannedReplenishmentLine[],
): Promise<void> {
  if (lines.length === 0)
    throw verificationFailed(
      'No pickface of the client is below its minimum and could be filled from elsewhere in the warehouse.',
    )
  const rows = lines.map((line, n) => ({ ...line, id: newId(), n }))
  await tx.run(sql`
    insert into replenishment_line (organisation_id, id, job_id, ordinal, product_id,
      from_warehouse_product_id, to_warehouse_location_id, quantity)
    select ${organisationId}, id, ${job.id}, n, "productId", "warehouseProductId", "warehouseLocationId",
      quantity
    from json_to_recordset(${JSON.stringify(rows)}) as g (id uuid, n integer, "productId" uuid,
      "warehouseProductId" uuid, "warehouseLocationId" uuid, quantity numeric)`)
}
