// Finds goods and where they are: products, locations, logistic units and serials.

import type { Actor } from '../access/actor.ts'
import { empty, join, type Sql, sql } from '../platform/database/db.ts'
import { isIndexable } from '../platform/http/paging.ts'
import { maxEntries, maxOfKind, type SearchKind } from './search-kind.ts'
import { beginsWith, hasNumber, hasTrigrams, inOrderOf, type SearchedText } from './searched-text.ts'

/** How many records that have a text somewhere are read before the best are chosen. */
const maxContaining = 200

const ofPartner = ({ partnerId }: Actor, column: Sql): Sql =>
  partnerId === null ? empty : sql`and ${column} = ${partnerId}`

/** The ids that several statements of ids find, closest first: `id` and `distance`. */
const nearest = (parts: readonly (Sql | null)[]): Sql => sql`(
  select m.id, min(m.distance) as distance
  from (${join(
    parts.filter(part => part !== null).map(part => sql`(${part})`),
    ' union all ',
  )}) m (id, distance)
  group by m.id order by 2, 1 desc limit ${maxOfKind}) found`

/** The ids of the records of `table` whose text begins so. */
const begun = (actor: Actor, searched: SearchedText, table: Sql, text: Sql, ofOwner: Sql): Sql => {
  const indexed = sql`lower(${text})`
  return sql`select t.id, (${indexed} <> lower(${searched.text}))::int from (
      select t.* from ${table} t
      where t.organisation_id = ${actor.organisationId} and ${text} is not null
        and ${beginsWith(indexed, searched)}
      order by ${inOrderOf(indexed)} limit ${maxEntries}) t
    where true ${ofOwner} order by 2, ${text}, t.id limit ${maxOfKind}`
}

function foundProducts(actor: Actor, searched: SearchedText): Sql {
  const { organisationId } = actor
  const ofClient = ofPartner(actor, sql`t.partner_id`)
  const scanned = (column: Sql) => sql`select t.id, 0 from product t
    where t.organisation_id = ${organisationId} and ${column} = ${searched.text} ${ofClient}
    limit ${maxOfKind}`
  const containing = sql`select t.id, 2 from (
      select t.* from product t
      where t.organisation_id = ${organisationId} and ${hasTrigrams(sql`t.search_text`, searched)}
      ${ofClient} limit ${maxContaining}) t
    order by t.name, t.id limit ${maxOfKind}`
  return nearest([
    ...[sql`t.code`, sql`t.name`].map(text => begun(actor, searched, sql`product`, text, ofClient)),
    ...[sql`t.barcode`, sql`t.gtin`].map(scanned),
    isIndexable(searched.text) ? containing : null,
  ])
}

export const productSearch: SearchKind = {
  scope: 'partner.read',
  partners: [null, 'client'],
  find: (actor, searched) => sql`
    select d.id, d.partner_id as parent_id, d.code as title, concat_ws(', ', d.name, p.name) as subtitle,
      d.status
    from ${foundProducts(actor, searched)}
    join product d on d.organisation_id = ${actor.organisationId} and d.id = found.id
    join partner p on p.organisation_id = d.organisation_id and p.id = d.partner_id
    order by found.distance, d.code, d.id`,
}

export const locationSearch: SearchKind = {
  scope: 'warehouse.read',
  partners: [null, 'client'],
  find: (actor, searched) => sql`
    select l.id, l.warehouse_id as parent_id, l.name as title, concat_ws(', ', w.name, z.name) as subtitle,
      l.status
    from ${nearest([begun(actor, searched, sql`warehouse_location`, sql`t.name`, empty)])}
    join warehouse_location l on l.organisation_id = ${actor.organisationId} and l.id = found.id
    join warehouse w on w.organisation_id = l.organisation_id and w.id = l.warehouse_id
    left join warehouse_zone z on z.organisation_id = l.organisation_id and z.id = l.warehouse_zone_id
    order by found.distance, l.name, l.id`,
}

/** The digits of an SSCC, as in a barcode or as people write them. */
const ssccOf = (text: string): string =>
  /^(?:\]C1)?(?:\(00\)|00)?([0-9]{18})$/.exec(text.replaceAll(' ', ''))?.[1] ?? text

function foundUnits(actor: Actor, searched: SearchedText): Sql {
  const { organisationId } = actor
  const { number } = searched
  const ofClient = ofPartner(actor, sql`t.partner_id`)
  return nearest([
    number &&
      sql`select t.id, (t.number <> ${number.number})::int from logistic_unit t
      where t.organisation_id = ${organisationId} ${ofClient}
        and ${hasNumber(number, sql`t.number`, sql`t.logistic_unit_number`)}
      order by t.number <> ${number.number}, t.number desc limit ${maxOfKind}`,
    sql`select t.id, 0 from logistic_unit t
      where t.organisation_id = ${organisationId} ${ofClient} and t.sscc_number = ${ssccOf(searched.text)}`,
    begun(actor, searched, sql`logistic_unit`, sql`t.reference_number`, ofClient),
  ])
}

export const unitSearch: SearchKind = {
  scope: 'inventory.read',
  partners: [null, 'client'],
  find: (actor, searched) => sql`
    select u.id, null::uuid as parent_id, u.logistic_unit_number as title,
      concat_ws(', ', l.name, p.name, u.reference_number, u.sscc_number) as subtitle, null::smallint as status
    from ${foundUnits(actor, searched)}
    join logistic_unit u on u.organisation_id = ${actor.organisationId} and u.id = found.id
    join warehouse_location l on l.organisation_id = u.organisation_id and l.id = u.warehouse_location_id
    join partner p on p.organisation_id = u.organisation_id and p.id = u.partner_id
    order by found.distance, u.number desc`,
}

/** Serials as they are written, or in capitals or small letters: what is scanned or pasted is whole. */
export const serialSearch: SearchKind = {
  scope: 'inventory.read',
  partners: [null, 'client'],
  find: (actor, { text }) => sql`
    select i.id, null::uuid as parent_id, i.serial as title,
      concat_ws(', ', d.code, d.name, l.name) as subtitle, null::smallint as status
    from warehouse_product_item i
    join product d on d.organisation_id = i.organisation_id and d.id = i.product_id
    left join warehouse_product s on s.organisation_id = i.organisation_id and s.id = i.warehouse_product_id
    left join warehouse_location l on l.organisation_id = s.organisation_id
      and l.id = s.warehouse_location_id
    where i.organisation_id = ${actor.organisationId} ${ofPartner(actor, sql`d.partner_id`)}
      and i.serial = any(${[...new Set([text, text.toUpperCase(), text.toLowerCase()])]})
    order by i.warehouse_product_id is null, d.code, i.id limit ${maxOfKind}`,
}
