// Finds consignments by their number as people say it, by what begins with a text, and, among the newest, by
// what has it anywhere.

import type { Actor } from '../access/actor.ts'
import { equalityConditions, ofPartner } from '../consignments/list/filters.ts'
import { join, type Sql, sql } from '../platform/database/db.ts'
import { maxEntries, maxNewest, maxOfKind, type SearchKind } from './search-kind.ts'
import { beginsWith, hasNumber, hasText, inOrderOf, type SearchedText } from './searched-text.ts'

/** Texts that have an index, and whether what was found is said beside it: its reference always is. */
const texts: readonly { text: Sql; found: Sql }[] = [
  { text: sql`t.reference_number`, found: sql`null` },
  { text: sql`t.po_number`, found: sql`t.po_number` },
  { text: sql`t.container_number`, found: sql`t.container_number` },
  { text: sql`t.destination_address ->> 'name'`, found: sql`null` },
]

const allTexts = sql`lower(concat_ws(E'\n', t.consignment_number, t.reference_number, t.po_number,
  t.container_number, t.destination_address ->> 'name'))`

const newest = sql`order by t.number desc limit ${maxOfKind}`

/** Statements for what may be meant: its number, how close it is to the text, and the text that was found. */
function candidates(actor: Actor, searched: SearchedText): Sql[] {
  const { organisationId } = actor
  const { number, id } = searched
  const visible = equalityConditions(ofPartner(actor))
  const ofOrganisation = sql`t.organisation_id = ${organisationId}`
  const numbered =
    number &&
    sql`select t.number, (t.number <> ${number.number})::int, null::text
    from consignment t where ${ofOrganisation} ${visible}
      and ${hasNumber(number, sql`t.number`, sql`t.consignment_number`)}
    order by t.number <> ${number.number}, t.number desc limit ${maxOfKind}`
  const identified =
    id === null
      ? null
      : sql`select t.number, 0, null from consignment t
    where ${ofOrganisation} ${visible} and t.id = ${id}`
  const external = sql`select t.number, 0, null from consignment t
    where ${ofOrganisation} ${visible} and t.external_id = ${searched.text} ${newest}`
  const begun = texts.map(({ text, found }) => {
    const indexed = sql`lower(${text})`
    return sql`select t.number, 2, t.found from (
        select t.number, t.client_id, t.carrier_id, ${found} as found from consignment t
        where ${ofOrganisation} and ${text} is not null and ${beginsWith(indexed, searched)}
        order by ${inOrderOf(indexed)} limit ${maxEntries}) t
      where true ${visible} ${newest}`
  })
  const tracked = sql`select t.number, 2, t.tracking_number from (
      select c.number, c.client_id, c.carrier_id, k.tracking_number from (
        select k.consignment_id, k.tracking_number from consignment_tracking k
        where k.organisation_id = ${organisationId} and k.tracking_number is not null
          and ${beginsWith(sql`lower(k.tracking_number)`, searched)}
        order by ${inOrderOf(sql`lower(k.tracking_number)`)} limit ${maxEntries}) k
      join consignment c on c.organisation_id = ${organisationId} and c.id = k.consignment_id) t
    where true ${visible} ${newest}`
  const recent = sql`select t.number, 3, null from (
      select t.* from consignment t where ${ofOrganisation} order by t.number desc limit ${maxNewest}) t
    where ${hasText(allTexts, searched)} ${visible} ${newest}`
  return [numbered, identified, external, ...begun, tracked, recent].filter(part => part !== null)
}

export const consignmentSearch: SearchKind = {
  scope: 'consignment.read',
  partners: [null, 'client', 'carrier'],
  find: (actor, searched) => sql`
    select c.id, null::uuid as parent_id, c.consignment_number as title,
      concat_ws(', ', p.name, c.reference_number, found.text, c.destination_address ->> 'name') as subtitle,
      c.status
    from (
      select found.number, min(found.distance) as distance, max(found.text) as text
      from (${join(
        candidates(actor, searched).map(part => sql`(${part})`),
        ' union all ',
      )}) found (number, distance, text)
      group by found.number order by 2, 1 desc limit ${maxOfKind}) found
    join consignment c on c.organisation_id = ${actor.organisationId} and c.number = found.number
    join partner p on p.organisation_id = c.organisation_id and p.id = c.client_id
    order by found.distance, found.number desc`,
}
