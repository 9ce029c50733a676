// The facts of products and locations that storage charges depend on: as they are now, and as runs froze
// them.

import { type Db, sql } from '../../platform/database/db.ts'
import { idTable } from '../../platform/database/table-of.ts'
import { factsOf, type StoredProductFacts } from '../charges/billable-consignment.ts'
import { productFacts } from '../charges/read-billable-consignments.ts'
import { textItems } from '../evaluator/array-columns.ts'
import type { StockHistory, StorageFacts, StorageProduct, StoredLocation } from './stock-history.ts'

/** The frozen facts of a product; the free hours are its client's if it has none of its own. */
interface FrozenProduct extends StoredProductFacts {
  freeStorageHours: string
}

/** Facts as they are stored with a run, by the ids of products and locations. */
export interface FrozenFacts {
  products: ReadonlyMap<string, FrozenProduct>
  locations: ReadonlyMap<string, StoredLocation>
}

/** Returns a function that makes an object from a text, once for all equal texts. */
function memoise<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return text => {
    const result = made.get(text) ?? make(text)
    made.set(text, result)
    return result
  }
}

const productOf = (text: string): FrozenProduct => {
  const [freeStorageHours = ''] = text.split(' ', 1)
  return { ...(JSON.parse(text.slice(freeStorageHours.length)) as StoredProductFacts), freeStorageHours }
}

const locationOf = (text: string): StoredLocation => {
  const [zoneId = '', type] = text.split(' ')
  return { zoneId: zoneId === 'NULL' ? null : zoneId, type: Number(type) }
}

/**
 * Reads the current facts of every product and location of a history. Equal facts are one object, because
 * thousands of products and locations have equal facts.
 */
export async function readCurrentFacts(
  db: Db,
  organisationId: string,
  { positions }: Pick<StockHistory, 'positions'>,
): Promise<FrozenFacts> {
  // The keys are the string objects of the positions, which maps find much faster than equal copies.
  const productIds = new Map(positions.map(({ productId }) => [productId, productId]))
  const locationIds = new Map(positions.map(({ locationId }) => [locationId, locationId]))
  const [products, locations] = await Promise.all([
    db.rows<{ id: string; facts: string }>(sql`
      select p.id,
        concat_ws(' ', coalesce(p.free_storage_hours, k.free_storage_hours), (${productFacts})) as facts
      from ${idTable(productIds.keys())} one
      join product p on p.organisation_id = ${organisationId} and p.id = one.id
      join partner k on k.organisation_id = p.organisation_id and k.id = p.partner_id`),
    db.row<{ ids: string | null; facts: string | null }>(sql`
      select array_agg(l.id)::text as ids,
        string_agg(concat_ws(' ', coalesce(l.warehouse_zone_id::text, 'NULL'), l.type), ',') as facts
      from ${idTable(locationIds.keys())} one
      join warehouse_location l on l.organisation_id = ${organisationId} and l.id = one.id`),
  ])
  const [product, location] = [memoise(productOf), memoise(locationOf)]
  const locationFacts = locations.facts?.split(',') ?? []
  return {
    products: new Map(products.map(({ id, facts }) => [productIds.get(id) as string, product(facts)])),
    locations: new Map(
      textItems(locations.ids).map((id, n) => [
        locationIds.get(id) as string,
        location(locationFacts[n] as string),
      ]),
    ),
  }
}

/** Reads frozen facts by their ids. */
export async function readFrozenFacts(
  db: Db,
  organisationId: string,
  ids: { products: readonly string[]; locations: readonly string[] },
): Promise<FrozenFacts> {
  const [products, locations] = await Promise.all([
    db.rows<{ id: string; facts: FrozenProduct }>(sql`
      select id, facts from product_facts
      where organisation_id = ${organisationId} and id = any(${[...new Set(ids.products)]})`),
    db.rows<{ id: string; facts: StoredLocation }>(sql`
      select id, facts from location_facts
      where organisation_id = ${organisationId} and id = any(${[...new Set(ids.locations)]})`),
  ])
  return {
    products: new Map(products.map(({ id, facts }) => [id, facts])),
    locations: new Map(locations.map(({ id, facts }) => [id, facts])),
  }
}

/** The earliest known facts of each product and location, from facts in chronological order. */
export function firstKnown(inOrder: readonly FrozenFacts[]): FrozenFacts {
  const latestFirst = inOrder.toReversed()
  return {
    products: new Map(latestFirst.flatMap(({ products }) => [...products])),
    locations: new Map(latestFirst.flatMap(({ locations }) => [...locations])),
  }
}

/**
 * The facts to use for each of some runs, by their numbers: the facts that the run froze or, for goods that
 * it did not know, those of the next run that did, or else the current facts. The runs must be in order.
 */
export function factsByRun(
  runs: readonly { number: number; frozenFacts: FrozenFacts }[],
  now: FrozenFacts,
): Map<number, FrozenFacts> {
  const found = new Map<number, FrozenFacts>()
  let later = now
  for (const { number, frozenFacts } of runs.toReversed()) {
    later = firstKnown([frozenFacts, later])
    found.set(number, later)
  }
  return found
}

/** Converts stored facts to those that charges look at. */
export function storageFactsOf({ products, locations }: FrozenFacts): StorageFacts {
  const prepared = new Map<FrozenProduct, StorageProduct>()
  const preparedOf = (facts: FrozenProduct): StorageProduct => {
    const product = prepared.get(facts) ?? { ...factsOf(facts), freeStorageHours: facts.freeStorageHours }
    prepared.set(facts, product)
    return product
  }
  return { products: new Map(Array.from(products, ([id, facts]) => [id, preparedOf(facts)])), locations }
}
