// Shipping ports by UN/LOCODE, the same for every organisation. Spec 2.16, 4.15.

import { empty, type Sql, sql } from '../platform/database/db.ts'
import { endpoint, json } from '../platform/http/endpoint.ts'
import { contains, isIndexable, pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { notFound } from '../platform/http/refusal.ts'
import { named, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { plainText } from './plain-text.ts'

/** A shipping port; `code` is its UN/LOCODE. */
export const ShippingPort = named(
  'ShippingPort',
  Type.Object({ id: Uuid, code: Type.String(), name: Type.String(), country: Type.String() }),
)

/**
 * The ports that have a text in them, with or without its diacritics, and the order in which to find them:
 * the port of this code, the ports of the country of this code, then by name. Each port has its plain forms
 * and its other names among what is searched. What the index finds is sorted afterwards: along the names, a
 * rare text would be looked for in all of them.
 */
function search(given = ''): { where: Sql; order: Sql } {
  const text = plainText(given.trim())
  if (text === '') return { where: empty, order: sql`name, id` }
  const code = text.toUpperCase()
  const name = isIndexable(text) ? sql`name || ''` : sql`name`
  return {
    where: sql`where ${contains(sql`search_text`, text)}`,
    order: sql`code = ${code} desc, left(code, 2) = ${code} desc, ${name}, id`,
  }
}

export const shippingPorts = [
  endpoint({
    get: '/v1/shipping-ports',
    name: 'listShippingPorts',
    partners: 'all',
    scope: 'any',
    summary: 'List shipping ports',
    description:
      'First the port whose code is the SearchText, then those of the country whose code it is, then by ' +
      'name. The ports that ship with the service come from the open npm package sea-ports (MIT ' +
      'licence); more can be imported from the UN/LOCODE code list.',
    query: pageQuery({
      SearchText: searchIn('name, other names, code and country, with or without diacritics'),
    }),
    answer: json(pageOf('shippingPorts', ShippingPort)),
    handle({ db, query }) {
      const { where, order } = search(query.SearchText)
      return readPage(db, 'shippingPorts', query, {
        columns: sql`id, code, name, country`,
        from: sql`shipping_port ${where}`,
        order,
      })
    },
  }),
  endpoint({
    get: '/v1/shipping-ports/:shippingPortId',
    name: 'getShippingPort',
    partners: 'all',
    scope: 'any',
    summary: 'Read a shipping port',
    answer: json(ShippingPort),
    async handle({ db, params }) {
      const port = await db.maybe<Static<typeof ShippingPort>>(sql`
        select id, code, name, country from shipping_port where id = ${params.shippingPortId}`)
      if (port === undefined) throw notFound('Shipping port')
      return port
    },
  }),
]
