// How an entry of a command describes goods: batch, the five dates and attributes. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { ReportFault } from '../../platform/http/entry-faults.ts'
import { LocalTime, optional, ShortText, type Static, Text, Type, Uuid } from '../../platform/http/schema.ts'
import { localTimeAt, parseLocalTime } from '../../platform/local-time.ts'
import { newId } from '../../platform/new-id.ts'
import type { StockDescription } from '../ledger/stock-row.ts'

const GivenAttribute = Type.Object({
  productAttributeId: optional(Uuid),
  name: optional(ShortText),
  description: optional(Text),
})

/** The fields of an entry that describe goods. Of a date and time the day counts. */
export const descriptionFields = {
  batch: optional(ShortText),
  bestBeforeDate: optional(LocalTime),
  expiryDate: optional(LocalTime),
  packagingDate: optional(LocalTime),
  productionDate: optional(LocalTime),
  sellByDate: optional(LocalTime),
  attributes: optional(Type.Array(GivenAttribute, { maxItems: 100 })),
}

const Given = Type.Object(descriptionFields)
export type DescriptionInput = Static<typeof Given>
type GivenAttributes = NonNullable<DescriptionInput['attributes']>

/** Goods of which nothing is known. */
export const emptyDescription: StockDescription = {
  batch: null,
  bestBeforeDate: null,
  expiryDate: null,
  packagingDate: null,
  productionDate: null,
  sellByDate: null,
  attributes: [],
}

/** The ids of the attributes that entries name. */
export interface AttributeIds {
  byName: ReadonlyMap<string, string>
  byId: ReadonlySet<string>
}

/**
 * Finds the attributes that lists name, by id or by name without regard to case, and adds the names that the
 * organisation lacks. Call it before the stock is locked: two commands that add one name wait for each other.
 */
export async function findAttributes(
  tx: Tx,
  organisationId: string,
  lists: readonly (GivenAttributes | null | undefined)[],
): Promise<AttributeIds> {
  const names = new Map<string, string>()
  const ids = new Set<string>()
  for (const { name, productAttributeId } of lists.flatMap(list => list ?? [])) {
    if (productAttributeId) ids.add(productAttributeId.toLowerCase())
    else if (name?.trim() && !names.has(name.trim().toLowerCase()))
      names.set(name.trim().toLowerCase(), name.trim())
  }
  if (names.size === 0 && ids.size === 0) return { byName: new Map(), byId: new Set() }
  const find = () =>
    tx.rows<{ id: string; name: string }>(sql`
      select id, lower(name) as name from product_attribute
      where organisation_id = ${organisationId} and (id = any(${[...ids]}) or lower(name)
        in (select lower(name) from unnest(${[...names.values()]}::text[]) as n (name)))`)
  let found = await find()
  const known = new Set(found.map(({ name }) => name))
  const lacking = [...names].filter(([name]) => !known.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (lacking.length > 0) {
    await tx.run(sql`
      insert into product_attribute (organisation_id, id, name)
      select ${organisationId}, id, name
      from unnest(${lacking.map(() => newId())}::uuid[], ${lacking.map(([, name]) => name)}::text[])
        as n (id, name)
      on conflict (organisation_id, lower(name)) do nothing`)
    found = await find()
  }
  return {
    byName: new Map(found.map(({ name, id }) => [name, id])),
    byId: new Set(found.map(({ id }) => id)),
  }
}

/**
 * What an entry says of goods: a field that it leaves out is as `otherwise` has it, null and the empty text
 * say that there is none. Dates are days of the zone's wall clock. `refuse` is told the faults, as ends of
 * sentences.
 */
export function resolveDescription(
  given: DescriptionInput,
  otherwise: StockDescription,
  { timezoneId, attributeIds }: { timezoneId: string; attributeIds: AttributeIds },
  refuse: ReportFault,
): StockDescription {
  const day = (text: string | null | undefined, other: string | null) =>
    text === undefined ? other : text ? (parseLocalTime(text, timezoneId)?.slice(0, 10) ?? null) : null
  return {
    batch: given.batch === undefined ? otherwise.batch : given.batch?.trim() || null,
    bestBeforeDate: day(given.bestBeforeDate, otherwise.bestBeforeDate),
    expiryDate: day(given.expiryDate, otherwise.expiryDate),
    packagingDate: day(given.packagingDate, otherwise.packagingDate),
    productionDate: day(given.productionDate, otherwise.productionDate),
    sellByDate: day(given.sellByDate, otherwise.sellByDate),
    attributes:
      given.attributes === undefined
        ? otherwise.attributes
        : resolveAttributes(given.attributes ?? [], attributeIds, refuse),
  }
}

/** The day of an instant, or of now, on the clock of a warehouse: what stock is received on. */
export const localDay = (timezoneId: string, instant: string | null): string =>
  localTimeAt(instant === null ? new Date() : new Date(instant), timezoneId).slice(0, 10)

/**
 * Attributes as stock has them: in the order of their ids, each once. One without a name or id says nothing.
 */
export function resolveAttributes(
  given: GivenAttributes,
  { byName, byId }: AttributeIds,
  refuse: ReportFault,
): StockDescription['attributes'] {
  const found = new Map<string, string | null>()
  for (const { productAttributeId, name, description } of given) {
    if (!productAttributeId && !name?.trim()) continue
    const asked = productAttributeId?.toLowerCase()
    const id = asked ? (byId.has(asked) ? asked : undefined) : byName.get(name?.trim().toLowerCase() ?? '')
    if (id === undefined)
      refuse(`there is no product attribute with the id ${asked ?? name}`, 'unknown_reference')
    else if (found.has(id)) refuse(`the attribute ${name?.trim() || id} is given twice`, 'duplicate')
    else found.set(id, description || null)
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([productAttributeId, description]) => ({ productAttributeId, description }))
}
