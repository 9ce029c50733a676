// How entries of commands describe goods: by batch, five dates and attributes. Spec 2.14.

import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import type { ReportFault } from '../../platform/http/entry-faults.ts'
import { LocalTime, optional, ShortText, type Static, Text, Type, Uuid } from '../../platform/http/schema.ts'
import { localTimeAt, parseLocalDay } from '../../platform/local-time.ts'
import { newId } from '../../platform/new-id.ts'
import type { StockDescription } from '../ledger/stock-identity.ts'

const AttributeInput = Type.Object({
  productAttributeId: optional(Uuid),
  name: optional(ShortText),
  description: optional(Text),
})

/** The fields of an entry that describe goods. Of a date and time only the day is used. */
export const descriptionFields = {
  batch: optional(ShortText),
  bestBeforeDate: optional(LocalTime),
  expiryDate: optional(LocalTime),
  packagingDate: optional(LocalTime),
  productionDate: optional(LocalTime),
  sellByDate: optional(LocalTime),
  attributes: optional(Type.Array(AttributeInput, { maxItems: 100 })),
}

const DescriptionInput = Type.Object(descriptionFields)
/** The description of goods in an entry. An omitted field means "unchanged", null means "none". */
export type DescriptionInput = Static<typeof DescriptionInput>
type AttributeInputs = NonNullable<DescriptionInput['attributes']>

/** The description of goods without a batch, dates or attributes. */
export const emptyDescription: StockDescription = {
  batch: null,
  bestBeforeDate: null,
  expiryDate: null,
  packagingDate: null,
  productionDate: null,
  sellByDate: null,
  attributes: [],
}

/** The ids of the product attributes that entries name; names are in lower case. */
export interface AttributeIds {
  byName: ReadonlyMap<string, string>
  byId: ReadonlySet<string>
}

/** Attributes that were found, and the names that the organisation lacks. */
interface FoundAttributes extends AttributeIds {
  missing: readonly string[]
}

/** Finds the product attributes in lists, by id or by name regardless of case. */
export async function findAttributes(
  db: Db,
  organisationId: string,
  lists: readonly (AttributeInputs | null | undefined)[],
): Promise<FoundAttributes> {
  const names = new Map<string, string>()
  const ids = new Set<string>()
  for (const { name, productAttributeId } of lists.flatMap(list => list ?? [])) {
    if (productAttributeId) ids.add(productAttributeId)
    else if (name?.trim() && !names.has(name.trim().toLowerCase()))
      names.set(name.trim().toLowerCase(), name.trim())
  }
  if (names.size === 0 && ids.size === 0) return { byName: new Map(), byId: new Set(), missing: [] }
  const found = await db.rows<{ id: string; name: string }>(sql`
    select id, lower(name) as name from product_attribute
    where organisation_id = ${organisationId} and (id = any(${[...ids]}) or lower(name)
      in (select lower(name) from unnest(${[...names.values()]}::text[]) as n (name)))`)
  const known = new Set(found.map(({ name }) => name))
  const missing = [...names].filter(([name]) => !known.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    byName: new Map(found.map(({ name, id }) => [name, id])),
    byId: new Set(found.map(({ id }) => id)),
    missing: missing.map(([, name]) => name),
  }
}

/**
 * Finds the product attributes in lists, and creates those whose names the organisation lacks. Call it before
 * the stock is locked, because two commands that create the same name wait for each other.
 */
export async function findOrCreateAttributes(
  tx: Tx,
  organisationId: string,
  lists: readonly (AttributeInputs | null | undefined)[],
): Promise<AttributeIds> {
  const found = await findAttributes(tx, organisationId, lists)
  const { missing } = found
  if (missing.length === 0) return found
  await tx.run(sql`
    insert into product_attribute (organisation_id, id, name)
    select ${organisationId}, id, name
    from unnest(${missing.map(() => newId())}::uuid[], ${missing}::text[]) as n (id, name)
    on conflict (organisation_id, lower(name)) do nothing`)
  return findAttributes(tx, organisationId, lists)
}

/** Whether lists name an attribute that was not found and would have to be created. */
export const lackAttributes = (
  lists: readonly (AttributeInputs | null | undefined)[],
  { byName }: AttributeIds,
): boolean =>
  lists.some(list =>
    list?.some(
      ({ productAttributeId, name }) =>
        !productAttributeId && name?.trim() && !byName.has(name.trim().toLowerCase()),
    ),
  )

/**
 * Combines the description in an entry with defaults: an omitted field is taken from `defaults`; null and
 * the empty text mean that there is none. Dates become days in the given time zone. Faults are reported to
 * `refuse`.
 */
export function resolveDescription(
  input: DescriptionInput,
  defaults: StockDescription,
  { timezoneId, attributeIds }: { timezoneId: string; attributeIds: AttributeIds },
  refuse: ReportFault,
): StockDescription {
  const day = (text: string | null | undefined, defaultDay: string | null) => {
    if (text === undefined) return defaultDay
    return text ? parseLocalDay(text, timezoneId) : null
  }
  return {
    batch: input.batch === undefined ? defaults.batch : input.batch?.trim() || null,
    bestBeforeDate: day(input.bestBeforeDate, defaults.bestBeforeDate),
    expiryDate: day(input.expiryDate, defaults.expiryDate),
    packagingDate: day(input.packagingDate, defaults.packagingDate),
    productionDate: day(input.productionDate, defaults.productionDate),
    sellByDate: day(input.sellByDate, defaults.sellByDate),
    attributes:
      input.attributes === undefined
        ? defaults.attributes
        : resolveAttributes(input.attributes ?? [], attributeIds, refuse),
  }
}

/** Returns the day of an instant, or today, in a warehouse's time zone. Stock is received on such a day. */
export const localDay = (timezoneId: string, instant: string | null): string =>
  localTimeAt(instant === null ? new Date() : new Date(instant), timezoneId).slice(0, 10)

/**
 * The day on which goods are received: the day in an entry, or else the day of the command. Reports a day in
 * the future to `refuse`.
 */
export function receivedDay(
  text: string | null | undefined,
  timezoneId: string,
  occurredUtc: string | null,
  refuse: ReportFault,
): string {
  const day = (text ? parseLocalDay(text, timezoneId) : null) ?? localDay(timezoneId, occurredUtc)
  if (day > localDay(timezoneId, null))
    refuse(`it cannot have been received on ${day}, which is in the future`, 'range')
  return day
}

/**
 * Converts the attributes in an entry to those of stock, sorted by id. Attributes without a name or id are
 * ignored. An unknown or repeated attribute is reported to `refuse`.
 */
export function resolveAttributes(
  attributes: AttributeInputs,
  { byName, byId }: AttributeIds,
  refuse: ReportFault,
): StockDescription['attributes'] {
  const descriptions = new Map<string, string | null>()
  for (const { productAttributeId: givenId, name, description } of attributes) {
    if (!givenId && !name?.trim()) continue
    const id = givenId
      ? byId.has(givenId)
        ? givenId
        : undefined
      : byName.get(name?.trim().toLowerCase() ?? '')
    if (id === undefined)
      refuse(`there is no product attribute with the id ${givenId ?? name}`, 'unknown_reference')
    else if (descriptions.has(id)) refuse(`the attribute ${name?.trim() || id} is listed twice`, 'duplicate')
    else descriptions.set(id, description || null)
  }
  return [...descriptions]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([productAttributeId, description]) => ({ productAttributeId, description }))
}
