// Updates the stock in a location when the location's type or status changes. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { lockWarehouseStock } from './stock-lock.ts'

interface Location {
  organisationId: string
  warehouseId: string
  warehouseLocationId: string
}

/** What of a change of a location matters to the stock in it. */
interface LocationChange {
  type?: number | undefined
  status?: number | undefined
  isPickface?: boolean | undefined
  partnerProductId?: string | null | undefined
}

/** The goods in a location that are not of the product whose pickface it becomes; null if there are none. */
async function findStockOfOthers(
  tx: Tx,
  { organisationId, warehouseLocationId }: Omit<Location, 'warehouseId'>,
  { isPickface, partnerProductId }: LocationChange,
): Promise<string | null> {
  const { others } = await tx.row<{ others: string | null }>(sql`
    select string_agg(stock.quantity || ' of ' || stock.code, ', ' order by stock.code) as others
    from (
      select case when ${partnerProductId === undefined} then l.product_id
          else ${partnerProductId ?? null}::uuid end as product_id,
        coalesce(${isPickface ?? null}, l.is_pickface) as is_pickface
      from warehouse_location l
      where l.organisation_id = ${organisationId} and l.id = ${warehouseLocationId}
    ) after cross join lateral (
      select d.code, trim_scale(sum(p.on_hand_quantity)) as quantity from warehouse_product p
      join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
      where p.organisation_id = ${organisationId} and p.warehouse_location_id = ${warehouseLocationId}
        and not p.is_depleted and p.product_id <> after.product_id
      group by d.id, d.code order by d.code limit 5
    ) stock where after.is_pickface`)
  return others
}

/**
 * Puts the stock of a location into quarantine, or takes it out, according to the location's new type. Locks
 * all stock of the warehouse first. Does nothing if nothing changes that matters to stock.
 * @throws 400 if allocated stock would go into quarantine, or if a location that holds stock would become
 *   Inactive, or one with other goods in it the pickface of a product.
 */
export async function followLocationChange(
  tx: Tx,
  { organisationId, warehouseId, warehouseLocationId }: Location,
  { type, status, isPickface, partnerProductId }: LocationChange,
): Promise<void> {
  const isAboutPickface = isPickface !== undefined || partnerProductId !== undefined
  if (type === undefined && status === undefined && !isAboutPickface) return
  await lockWarehouseStock(tx, organisationId, warehouseId)
  const inLocation = sql`organisation_id = ${organisationId} and warehouse_id = ${warehouseId}
    and warehouse_location_id = ${warehouseLocationId}`
  const found = await tx.row<{ rows: number; allocated: number }>(sql`
    select count(*) as rows, coalesce(sum(allocated_quantity), 0) as allocated from warehouse_product
    where ${inLocation} and not is_depleted`)
  const others = isAboutPickface
    ? await findStockOfOthers(tx, { organisationId, warehouseLocationId }, { isPickface, partnerProductId })
    : null
  const isQuarantine = type === LocationType.Quarantine
  const faults = [
    ...(isQuarantine && found.allocated > 0
      ? [
          faultAt(
            'type',
            `must not be Quarantine: ${found.allocated} in the location are allocated`,
            'allocated',
          ),
        ]
      : []),
    ...(status === WarehouseStatus.Inactive && found.rows > 0
      ? [faultAt('status', 'must not be Inactive: there is stock in the location', 'state')]
      : []),
    ...(others === null
      ? []
      : [
          faultAt(
            partnerProductId ? 'partnerProductId' : 'isPickface',
            `cannot make it the pickface of a product while other goods are in it: ${others}`,
            'state',
          ),
        ]),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  if (type !== undefined)
    await tx.run(sql`
      update warehouse_product set is_quarantined = ${isQuarantine}
      where ${inLocation} and is_quarantined <> ${isQuarantine}`)
}
