// The names of the records that rate cards refer to by id, and what can be chosen of each kind. A screen
// reads only the kinds that its card refers to; the form of a charge reads those that it offers.

import { useQueries } from '@tanstack/react-query'
import { get } from './api.ts'
import { type Me, useMe } from './me.ts'
import type { Choice } from './suggestions.ts'
import { rateCardWords as words } from './words/rate-cards.ts'
import type { Content, NameOf, RateCharge } from './words/rate-charges.ts'

const paths = {
  serviceTypes: '/v1/service-types',
  carriers: '/v1/partners',
  warehouses: '/v1/warehouses',
  localities: '/v1/localities',
  products: '/v1/partners/{partnerId}/products',
  productGroups: '/v1/product-groups',
  productAttributes: '/v1/product-attributes',
  hazardClasses: '/v1/dg-hazard-classes',
  taskTypes: '/v1/task-types',
  consumableTypes: '/v1/consumable-types',
  packageTypes: '/v1/package-types',
  zones: '/v1/warehouses/{warehouseId}/zones',
  locations: '/v1/warehouses/{warehouseId}/locations',
  unitTypes: '/v1/unit-types',
  taxRates: '/v1/tax-rates',
  revenueAccounts: '/v1/revenue-accounts',
  costCentres: '/v1/cost-centres',
  activityTypes: '/v1/activity-types',
  fafProfiles: '/v1/faf-profiles',
} as const
export type CollectionName = keyof typeof paths

const keepMs = 60_000
/** The most that the service gives at once. */
const pageSize = 500

interface Named {
  id: string
  name: string
  code?: string | null
}

/** One list of records: which, and where it is read. */
interface Source {
  collection: CollectionName
  path: Readonly<Record<string, string>>
  query: object
  /** the name of the warehouse that they are of, if there are several */
  of?: string | undefined
}

/** Zones and places are those of each warehouse, and products those of the client of the card. */
function sourcesOf(collection: CollectionName, me: Me, partnerId: string | undefined): readonly Source[] {
  const query = { PageSize: pageSize }
  if (collection === 'zones' || collection === 'locations')
    return me.warehouses.map(({ id, name }) => ({
      ...{ collection, path: { warehouseId: id }, query },
      of: me.warehouses.length > 1 ? name : undefined,
    }))
  if (collection === 'products')
    return partnerId === undefined ? [] : [{ collection, path: { partnerId }, query }]
  if (collection === 'carriers') return [{ collection, path: {}, query: { ...query, Relationship: 2 } }]
  return [{ collection, path: {}, query }]
}

// People call these by their codes.
const calledByCode: readonly CollectionName[] = ['carriers', 'products', 'packageTypes']

export interface CardNames {
  nameOf: NameOf
  /** what can be chosen of a kind that was read; of package types, by their codes */
  optionsOf: (collection: CollectionName) => readonly Choice[]
}

/** Reads the names of these kinds. `partnerId` is the client of the card, if it has one. */
export function useCardNames(
  collections: ReadonlySet<CollectionName>,
  partnerId: string | undefined,
): CardNames {
  const me = useMe()
  const sources = [...collections].flatMap(collection => sourcesOf(collection, me, partnerId))
  const lists = useQueries({
    queries: sources.map(({ collection, path, query }) => ({
      queryKey: [paths[collection], { path, query }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        get<Record<string, unknown>>(paths[collection], { path, query }, signal),
      staleTime: keepMs,
    })),
    combine: results => results.map(({ data }) => rowsOf(data)),
  })
  return namesIn(sources, lists)
}

const rowsOf = (data: Record<string, unknown> | undefined): readonly Named[] =>
  (Object.values(data ?? {}).find(Array.isArray) ?? []) as readonly Named[]

function namesIn(sources: readonly Source[], lists: readonly (readonly Named[])[]): CardNames {
  const names = new Map<string, string>()
  const options = new Map<CollectionName, Choice[]>()
  for (const [i, { collection, of }] of sources.entries())
    for (const { id, name, code } of lists[i] ?? []) {
      const isByCode = calledByCode.includes(collection) && code != null
      names.set(id, isByCode ? code : name)
      const text = isByCode ? words.codeAndName(code, name) : name
      const value = collection === 'packageTypes' && code != null ? code : id
      const option = { value, text: of === undefined ? text : words.placeIn(text, of) }
      options.set(collection, [...(options.get(collection) ?? []), option])
    }
  return {
    nameOf: id => names.get(id) ?? (isId(id) ? words.unknownRecord : id),
    optionsOf: collection => options.get(collection) ?? [],
  }
}

/** Codes, such as those of package types, are their own names. */
const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)

const ofSelectors = {
  serviceTypeIds: 'serviceTypes',
  carrierIds: 'carriers',
  warehouseIds: 'warehouses',
  originLocalityIds: 'localities',
  destinationLocalityIds: 'localities',
  productIds: 'products',
  productGroupIds: 'productGroups',
  productAttributes: 'productAttributes',
  dgHazardClassIds: 'hazardClasses',
  taskTypeIds: 'taskTypes',
  consumableTypeIds: 'consumableTypes',
  packageTypeCodes: 'packageTypes',
  zoneIds: 'zones',
  locationIds: 'locations',
} as const

/** The kind of record that a selector chooses from; undefined if it chooses from an enumeration. */
export const collectionOf = (selector: string): CollectionName | undefined =>
  ofSelectors[selector as keyof typeof ofSelectors]

/** The kinds of record that the sentences of these charges name. */
export const collectionsOf = (charges: readonly RateCharge[]): ReadonlySet<CollectionName> =>
  new Set(
    charges.flatMap(({ when, unitTypeId }) => [
      ...Object.entries(when ?? {}).flatMap(([name, values]) =>
        values == null ? [] : (collectionOf(name) ?? []),
      ),
      ...(unitTypeId == null ? [] : (['unitTypes'] as const)),
    ]),
  )

/** All charges of a content. */
export const chargesOf = ({ rates }: Pick<Content, 'rates'>): readonly RateCharge[] =>
  rates.flatMap(({ charges }) => charges)
