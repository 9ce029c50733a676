// The serials that lines request by name, and which of them are in stock that the line may have. Spec 2.3,
// 2.12.

import { type Db, empty, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { SerialTrackingMode, Substitution } from '../../vocabulary/partners.ts'
import { WarehouseStatus } from '../../vocabulary/warehouses.ts'
import type { AllocationDemand } from './allocation.ts'
import type { OutboundLine } from './outbound-lines.ts'
import { stockToChooseFrom } from './stock-if-released.ts'
import { type OfferedStock, unavailableReason, unsuitableReason } from './substitution.ts'

type SerialsOfLine = Pick<AllocationDemand, 'serials' | 'requiredSerials'>

interface RequestedSerial extends Omit<OfferedStock, 'available' | 'isLocationActive'> {
  lineId: string
  itemId: string
  stockId: string
  /** whether it is allocated to the line already, or has been dispatched with it */
  isWithLine: boolean
  /** whether it is in stock and not allocated by name */
  isFree: boolean
  availableQuantity: number
  locationStatus: number
}

/**
 * Finds the serials that lines request. Only products whose serials are captured when received
 * (FullCapture) have any. What `released`, a consignment, has allocated and not picked counts as free.
 */
export async function findRequestedSerials(
  db: Db,
  organisationId: string,
  lines: readonly OutboundLine[],
  released?: string,
): Promise<(line: OutboundLine) => SerialsOfLine> {
  const linesWithSerials = lines.filter(
    line => line.namesSerials && line.serialTrackingMode === SerialTrackingMode.FullCapture,
  )
  const found = new Map<string, RequestedSerial[]>(linesWithSerials.map(({ id }) => [id, []]))
  if (linesWithSerials.length > 0)
    for (const serial of await readRequestedSerials(db, organisationId, linesWithSerials, released))
      found.get(serial.lineId)?.push(serial)
  return line => {
    const requested = found.get(line.id) ?? []
    const isRequired = line.serialSubstitution === Substitution.NotAllowed
    return {
      serials: requested.flatMap(serial => {
        const stock = toOfferedStock(serial)
        const isRefused = unavailableReason(stock) ?? unsuitableReason(line, stock, true)
        const { itemId, stockId } = serial
        return serial.isFree && isRefused === null ? [{ itemId, stockId, available: stock.available }] : []
      }),
      requiredSerials: isRequired ? requested.filter(({ isWithLine: isHad }) => !isHad).length : 0,
    }
  }
}

const toOfferedStock = ({ availableQuantity, locationStatus, ...stock }: RequestedSerial): OfferedStock => ({
  ...stock,
  available: scale(4, availableQuantity),
  isLocationActive: locationStatus === WarehouseStatus.Active,
})

const readRequestedSerials = (
  db: Db,
  organisationId: string,
  lines: readonly OutboundLine[],
  released: string | undefined,
): Promise<RequestedSerial[]> =>
  db.rows(sql`
    select n.consignment_product_id as line_id, i.id as item_id, p.id as stock_id,
      coalesce(a.consignment_product_id = n.consignment_product_id
        or i.consignment_product_id = n.consignment_product_id, false) as is_with_line,
      p.id is not null and a.id is null as is_free,
      coalesce(p.available_quantity, 0) as available_quantity, p.logistic_unit_id, p.inventory_hold_id,
      coalesce(p.is_quarantined, false) as is_quarantined, p.batch, p.best_before_date, p.expiry_date,
      p.packaging_date, p.production_date, p.sell_by_date, coalesce(p.attributes, '[]') as attributes,
      l.status as location_status
    from json_to_recordset(${JSON.stringify(
      lines.map(({ id, productId, warehouseId }) => ({ id, productId, warehouseId })),
    )}) as g (id uuid, "productId" uuid, "warehouseId" uuid)
    join consignment_product_item n on n.organisation_id = ${organisationId}
      and n.consignment_product_id = g.id and n.serial <> ''
    left join warehouse_product_item i on i.organisation_id = n.organisation_id
      and i.product_id = g."productId" and i.serial = n.serial
    left join ${stockToChooseFrom(organisationId, released)} p on p.organisation_id = i.organisation_id
      and p.id = i.warehouse_product_id and p.warehouse_id = g."warehouseId"
    left join warehouse_location l on l.organisation_id = p.organisation_id
      and l.id = p.warehouse_location_id
    left join inventory_allocation a on a.organisation_id = i.organisation_id
      and a.warehouse_product_item_id = i.id
      ${released === undefined ? empty : sql`and (a.is_picked or a.consignment_id <> ${released})`}
    order by n.consignment_product_id, n.ordinal`)
