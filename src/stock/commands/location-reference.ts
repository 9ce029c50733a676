// How commands name locations, by id or by name, and whether goods may be put there. Spec 2.14.

import type { Db } from '../../platform/database/db.ts'
import { sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import type { FieldFault } from '../../platform/http/entry-faults.ts'
import { optional, ShortText, type Static, type Type, Uuid } from '../../platform/http/schema.ts'
import { type LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'

/** The fields by which an entry of a command names the location of its goods. */
export const locationFields = { warehouseLocationId: optional(Uuid), locationName: optional(ShortText) }
/** The fields by which an entry names the location to which its goods go. */
export const targetFields = { toWarehouseLocationId: optional(Uuid), toLocationName: optional(ShortText) }

/** A location in a warehouse, by id or by name. */
export interface LocationReference {
  warehouseId: string
  warehouseLocationId?: string | null | undefined
  locationName?: string | null | undefined
}

/** What commands need to know of a location. */
export interface StockLocation {
  id: string
  warehouseId: string
  name: string
  type: (typeof LocationType)[keyof typeof LocationType]
  status: (typeof WarehouseStatus)[keyof typeof WarehouseStatus]
  isPickface: boolean
  /** the product whose pick face it is */
  productId: string | null
  walkingOrder: number | null
}

export const targetOf = (
  warehouseId: string,
  entry: Static<ReturnType<typeof Type.Object<typeof targetFields>>>,
): LocationReference => ({
  warehouseId,
  warehouseLocationId: entry.toWarehouseLocationId,
  locationName: entry.toLocationName,
})

/** Whether a reference names a location at all. */
export const hasLocation = ({ warehouseLocationId, locationName }: LocationReference): boolean =>
  Boolean(warehouseLocationId || locationName)

/** A location's id or name in a warehouse. */
type LocationKey = Record<'warehouseId' | 'name', string>

/**
 * Finds locations in one query. Returns a function that gives the location of a reference, or undefined if
 * the warehouse has none with that id or name.
 */
export async function findLocations(
  db: Db,
  organisationId: string,
  references: readonly LocationReference[],
): Promise<(reference: LocationReference) => StockLocation | undefined> {
  // The maps remove duplicates, because many entries of a command name the same few locations.
  const [ids, names] = [new Map<string, LocationKey>(), new Map<string, LocationKey>()]
  for (const { warehouseId, warehouseLocationId, locationName } of references) {
    const name = warehouseLocationId || locationName
    if (name) (warehouseLocationId ? ids : names).set(`${warehouseId} ${name}`, { warehouseId, name })
  }
  if (ids.size + names.size === 0) return () => undefined
  const columns = sql`l.id, l.warehouse_id, l.name, l.type, l.status, l.is_pickface, l.product_id,
    l.walking_order`
  const found = await db.rows<StockLocation>(sql`
    select ${columns}
    from ${tableOf('g', { warehouseId: 'uuid', name: 'uuid' }, [...ids.values()])}
    join warehouse_location l on l.organisation_id = ${organisationId} and l.id = g.name
      and l.warehouse_id = g."warehouseId"
    union
    select ${columns}
    from ${tableOf('g', { warehouseId: 'uuid', name: 'text' }, [...names.values()])}
    join warehouse_location l on l.organisation_id = ${organisationId}
      and l.warehouse_id = g."warehouseId" and lower(l.name) = lower(g.name)`)
  const byId = new Map(found.map(location => [`${location.warehouseId} ${location.id}`, location]))
  const byName = new Map(
    found.map(location => [`${location.warehouseId} ${location.name.toLowerCase()}`, location]),
  )
  return ({ warehouseId, warehouseLocationId, locationName }) =>
    warehouseLocationId
      ? byId.get(`${warehouseId} ${warehouseLocationId}`)
      : byName.get(`${warehouseId} ${locationName?.toLowerCase()}`)
}

/** The problem of a reference that does not refer to a location of its warehouse. */
export const unknownLocation = ({ warehouseLocationId, locationName }: LocationReference): FieldFault => [
  `there is no location ${warehouseLocationId || locationName} in that warehouse`,
  'unknown_reference',
]

/** The problem of a target location that the warehouse does not have. */
export const unknownTarget: FieldFault = [
  'the warehouse has no location of that id or name',
  'unknown_reference',
]

/** Returns why nothing can be in a location, as the end of a sentence, or null if goods can be in it. */
export const inactiveRefusal = ({ status }: StockLocation): string | null =>
  status === WarehouseStatus.Inactive ? 'is Inactive' : null

/**
 * Returns why a product cannot be put into a location, as the end of a sentence that begins with the
 * location's name, or null if it can.
 */
export function placementRefusal(location: StockLocation, productId: string): string | null {
  const refusal = inactiveRefusal(location)
  if (refusal !== null) return refusal
  if (location.isPickface && location.productId !== null && location.productId !== productId)
    return 'is the pickface of another product'
  return null
}
