// Shipping ports by UN/LOCODE, the same for every organisation. Spec 2.16, 4.15.

import { endpoint } from '../access/endpoint.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
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
 * The condition and the order of a search for ports, with or without diacritics. First comes the port with
 * this code, then the ports of the country with this code, then the others by name. If the search text can
 * use the trigram index, the order is by an expression: otherwise the planner might walk the index by name,
 * and a rare text would make it visit every port.
 */
function search(searchText = ''): { where: Sql; order: Sql } {
  const text = plainText(searchText.trim())
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
      'First comes the port whose code is the SearchText, then the ports of the country whose code it is, ' +
      'then the others by name. The ports that ship with the service come from the open npm package ' +
      'sea-ports (MIT licence); more can be imported from the UN/LOCODE code list.',
    query: pageQuery({
      SearchText: searchIn('name, other names, code and country, with or without diacritics'),
    }),
    response: json(pageOf('shippingPorts', ShippingPort)),
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
    response: json(ShippingPort),
    async handle({ db, params }) {
      const port = await db.maybe<Static<typeof ShippingPort>>(sql`
        select id, code, name, country from shipping_port where id = ${params.shippingPortId}`)
      if (port === undefined) throw notFound('Shipping port')
      return port
    },
  }),
]
