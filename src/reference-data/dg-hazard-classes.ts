// Hazard classes of dangerous goods and their categories, the same for every organisation. Spec 2.16, 4.15.

import { endpoint } from '../access/endpoint.ts'
import { empty, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { IntegerEnum, named, Type, Uuid } from '../platform/http/schema.ts'
import { DgStandard } from '../vocabulary/reference-data.ts'

/** A hazard class. */
export const DgHazardClass = named(
  'DgHazardClass',
  Type.Object({ id: Uuid, name: Type.String(), dgStandard: IntegerEnum(DgStandard) }),
)

/** A category of a hazard class. */
export const DgHazardCategory = named('DgHazardCategory', Type.Object({ id: Uuid, name: Type.String() }))

export const dgHazardClasses = [
  endpoint({
    get: '/v1/dg-hazard-classes',
    name: 'listDgHazardClasses',
    partners: 'all',
    scope: 'any',
    summary: 'List hazard classes',
    query: pageQuery({ SearchText: searchIn('name'), DgStandard: Type.Optional(IntegerEnum(DgStandard)) }),
    response: json(pageOf('dgHazardClasses', DgHazardClass)),
    handle: ({ db, query }) =>
      readPage(db, 'dgHazardClasses', query, {
        columns: sql`id, name, dg_standard`,
        from: sql`dg_hazard_class where true
          ${query.SearchText ? sql`and lower(name) like containing(${query.SearchText})` : empty}
          ${query.DgStandard === undefined ? empty : sql`and dg_standard = ${query.DgStandard}`}`,
        order: sql`dg_standard, ordinal, id`,
      }),
  }),
]
