// Reads what receipts are made of: products, attributes, announced serials, and the places that requests
// name.

import type { Tx } from '../../platform/database/db.ts'
import { type Refusal, verificationFailed } from '../../platform/http/refusal.ts'
import {
  type AttributeIds,
  type DescriptionInput,
  findAttributes,
  findOrCreateAttributes,
} from '../../stock/commands/goods-description.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  unknownLocation,
} from '../../stock/commands/location-reference.ts'
import { findProducts, type StockProduct } from '../../stock/commands/stock-products.ts'
import { type AnnouncedSerial, type InwardsLine, readOutstandingSerials } from './inwards-line.ts'
import type { Receipt } from './receipt.ts'

/** What receipts are made of, beside the lines themselves. */
export interface ReceivingFacts {
  products: ReadonlyMap<string, StockProduct>
  attributeIds: AttributeIds
  /** the announced serials of lines that were not received yet, if everything outstanding is received */
  outstandingSerials: ReadonlyMap<string, readonly AnnouncedSerial[]>
}

/** What is received. */
interface WantedFacts {
  /** the lines that goods are received for */
  lines: readonly InwardsLine[]
  /** those of them of which everything that is outstanding is received */
  outstanding: readonly InwardsLine[]
  /** the products and attributes that requests name beside the lines */
  productIds?: readonly string[]
  attributes?: readonly DescriptionInput['attributes'][]
}

/**
 * Reads what receipts are made of. Creates attributes that the organisation lacks, unless requests share the
 * transaction: those of a refused request must not stay. Call it before the stock is locked.
 */
export async function readReceivingFacts(
  tx: Tx,
  organisationId: string,
  { lines, outstanding, productIds = [], attributes = [] }: WantedFacts,
  { isShared = false } = {},
): Promise<ReceivingFacts> {
  const [products, attributeIds, outstandingSerials] = await Promise.all([
    findProducts(tx, organisationId, [...lines.map(({ productId }) => productId), ...productIds]),
    (isShared ? findAttributes : findOrCreateAttributes)(tx, organisationId, [
      ...attributes,
      ...lines.map(line => line.attributes),
    ]),
    outstanding.length === 0
      ? new Map()
      : readOutstandingSerials(
          tx,
          organisationId,
          outstanding.map(({ id }) => id),
        ),
  ])
  return { products, attributeIds, outstandingSerials }
}

/** The place that a request names for all its goods, in its warehouse. */
interface NamedPlace {
  consignment: { warehouseId: string | null }
  body: Receipt['location']
}

/**
 * Finds the places that requests name for all their goods, empty for one that names none. A request gets the
 * refusal instead if its warehouse has no such location.
 */
export async function findReceivingPlaces(
  tx: Tx,
  organisationId: string,
  requests: readonly NamedPlace[],
): Promise<(Receipt['location'] | Refusal)[]> {
  const references = requests.map(({ consignment, body: { warehouseLocationId, locationName } }) => ({
    ...{ warehouseId: consignment.warehouseId as string, warehouseLocationId, locationName },
  }))
  const find = await findLocations(tx, organisationId, references)
  return references.map(reference => {
    if (!hasLocation(reference)) return {}
    const place = find(reference)
    return place === undefined ? refusalOf(reference) : { warehouseLocationId: place.id }
  })
}

function refusalOf(reference: LocationReference): Refusal {
  const [problem, code] = unknownLocation(reference)
  return verificationFailed({
    path: reference.warehouseLocationId ? 'warehouseLocationId' : 'locationName',
    code,
    message: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
  })
}
