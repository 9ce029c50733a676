// What storage reads of products and locations: as it is now, and as runs kept it.

import { type Db, sql } from '../../platform/database/db.ts'
import { idTable } from '../../platform/database/table-of.ts'
import { productFacts } from '../charges/charge-inputs.ts'
import { factsOf, type StoredProductFacts } from '../charges/charge-subject.ts'
import { textItems } from '../rate-cards/array-columns.ts'
import type { StockHistory, StorageFacts, StoredLocation, StoredProduct } from './stock-history.ts'

/** What is kept of a product; the free hours are its client's where it has none. */
interface FrozenProduct extends StoredProductFacts {
  freeStorageHours: string
}

/** Facts as they are kept, by the ids of products and locations. */
export interface FrozenFacts {
  products: ReadonlyMap<string, FrozenProduct>
  locations: ReadonlyMap<string, StoredLocation>
}

/** What is made of each text, once of all that are alike. */
function madeOnce<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return text => {
    const one = made.get(text) ?? make(text)
    made.set(text, one)
    return one
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
 * The facts of every product and location of a history, as they are now. Those that are alike are one object,
 * for thousands of products and locations are.
 */
export async function readCurrentFacts(
  db: Db,
  organisationId: string,
  { positions }: Pick<StockHistory, 'positions'>,
): Promise<FrozenFacts> {
  // The very texts of the positions are the keys, which are found much faster than others like them.
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
  const [product, location] = [madeOnce(productOf), madeOnce(locationOf)]
  const ofLocations = locations.facts?.split(',') ?? []
  return {
    products: new Map(products.map(({ id, facts }) => [productIds.get(id) as string, product(facts)])),
    locations: new Map(
      textItems(locations.ids).map((id, n) => [
        locationIds.get(id) as string,
        location(ofLocations[n] as string),
      ]),
    ),
  }
}

/** The facts that were kept under some ids. */
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

/** The earliest known facts of each product and location, where facts of several times are in order. */
export function firstKnown(inOrder: readonly FrozenFacts[]): FrozenFacts {
  const latestFirst = inOrder.toReversed()
  return {
    products: new Map(latestFirst.flatMap(({ products }) => [...products])),
    locations: new Map(latestFirst.flatMap(({ locations }) => [...locations])),
  }
}

/**
 * What was known of goods by runs in order, by the numbers of the runs: what a run knew, of goods that it did
 * not know what the next that did knew, else what is known now.
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

/** Facts as charges look at them. */
export function storageFactsOf({ products, locations }: FrozenFacts): StorageFacts {
  const prepared = new Map<FrozenProduct, StoredProduct>()
  const preparedOf = (facts: FrozenProduct): StoredProduct => {
    const one = prepared.get(facts) ?? { ...factsOf(facts), freeStorageHours: facts.freeStorageHours }
    prepared.set(facts, one)
    return one
  }
  return { products: new Map(Array.from(products, ([id, facts]) => [id, preparedOf(facts)])), locations }
}
