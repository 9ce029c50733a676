// The categories of a hazard class. Spec 2.16, 4.15.

import { endpoint } from '../access/endpoint.ts'
import { empty, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { notFound } from '../platform/http/refusal.ts'
import { DgHazardCategory } from './dg-hazard-classes.ts'

export const dgHazardCategories = [
  endpoint({
    get: '/v1/dg-hazard-classes/:dgHazardClassId/dg-hazard-categories',
    name: 'listDgHazardCategories',
    partners: 'all',
    scope: 'any',
    summary: 'List the categories of a hazard class',
    query: pageQuery({ SearchText: searchIn('code and name') }),
    response: json(pageOf('dgHazardCategories', DgHazardCategory)),
    async handle({ db, params, query }) {
      const hazardClass = await db.maybe(
        sql`select 1 from dg_hazard_class where id = ${params.dgHazardClassId}`,
      )
      if (hazardClass === undefined) throw notFound('Hazard class')
      return readPage(db, 'dgHazardCategories', query, {
        columns: sql`id, name`,
        from: sql`dg_hazard_category where dg_hazard_class_id = ${params.dgHazardClassId}
          ${
            query.SearchText
              ? sql`and lower(code || E'\n' || name) like containing(${query.SearchText})`
              : empty
          }`,
        order: sql`ordinal, id`,
      })
    },
  }),
]
