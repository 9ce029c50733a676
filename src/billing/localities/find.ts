// Finds the localities that an address is in. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { allOptional, named, nullable, Type, Uuid } from '../../platform/http/schema.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'
import { addressFields } from '../../warehouses/address.ts'
import { type Area, areaContains } from '../evaluator/locality.ts'

const FoundLocalities = named(
  'FoundLocalities',
  Type.Object({
    localities: Type.Array(Type.Object({ id: Uuid, code: nullable(Type.String()), name: Type.String() })),
  }),
)

export const findLocalities = [
  endpoint({
    post: '/v1/localities/find',
    name: 'findLocalities',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Find the active localities that an address is in',
    body: named('LocalitySearch', Type.Object({ address: Type.Object(allOptional(addressFields)) })),
    response: json(FoundLocalities),
    oneStatement: true,
    async handle({ tx, actor, body: { address } }) {
      const localities = await tx.rows<{ id: string; code: string | null; name: string; areas: Area[] }>(sql`
        select id, code, name, areas from locality
        where organisation_id = ${actor.organisationId} and status = ${SetUpStatus.Active}
        order by name, id`)
      return { localities: localities.filter(({ areas }) => areas.some(area => areaContains(area, address))) }
    },
  }),
]
