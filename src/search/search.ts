// The search for everything: records of every kind that a text may mean, in one request.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import { empty, join, raw, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { named, nullable, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { type EventType, eventTypeNames } from '../vocabulary/events.ts'
import { consignmentSearch } from './find-consignments.ts'
import { locationSearch, productSearch, serialSearch, unitSearch } from './find-goods.ts'
import { importSearch, jobSearch, partnerSearch, scheduleSearch, userSearch } from './find-others.ts'
import { deedKinds, requestSearch } from './find-requests.ts'
import type { SearchKind } from './search-kind.ts'
import { searchedText } from './searched-text.ts'

/** The kinds of records in the order in which they are found. */
const kinds = {
  consignment: consignmentSearch,
  import: importSearch,
  partner: partnerSearch,
  product: productSearch,
  location: locationSearch,
  unit: unitSearch,
  serial: serialSearch,
  job: jobSearch,
  schedule: scheduleSearch,
  user: userSearch,
  request: requestSearch,
} satisfies Record<string, SearchKind>
type KindName = keyof typeof kinds
const kindNames = Object.keys(kinds) as KindName[]

const Found = Type.Object({
  kind: Type.Enum(kindNames),
  id: Uuid,
  parentId: nullable({
    ...Uuid,
    description:
      'What its address begins with: the client of a product, the warehouse of a location, the ' +
      'subscription of a delivery.',
  }),
  title: Type.String({ description: 'Its number, code or name.' }),
  subtitle: Type.String({ description: 'What tells it from others; may be empty.' }),
  status: nullable({ ...Type.Integer(), description: 'As where the record is read; null if it has none.' }),
  of: Type.Optional(
    Type.Enum([...deedKinds], {
      description: 'Only of kind `request`: what the request changed, which is the record with the id.',
    }),
  ),
})
type Found = Static<typeof Found>

export const search = [
  endpoint({
    get: '/v1/search',
    name: 'findRecords',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Search for everything',
    description:
      'Finds at most eight records of each kind that the token may read: consignments by number (`320` ' +
      'finds SSL-000320-OUT), reference, purchase order, container, tracking number, consignee and ' +
      'external id; imports that wait or were discarded; partners, products, locations, logistic units, ' +
      'serials, jobs, schedules and users; and by the id of a request what it did. Texts of consignments, ' +
      'products, locations and units are found by how they begin, in upper or lower case, and those of the ' +
      'newest records by any part. Serials are found whole. A token that belongs to a partner finds only ' +
      "the partner's records.",
    query: Type.Object({
      Q: Type.String({
        ...{ minLength: 2, maxLength: 100, trimmed: true, examples: ['320'] },
        description: 'What people know of it, in upper or lower case.',
      }),
      Kinds: Type.Optional(
        Type.Array(Type.Enum(kindNames), {
          maxItems: kindNames.length,
          description: 'Only these kinds. Default all.',
        }),
      ),
    }),
    response: json(named('SearchResults', Type.Object({ results: Type.Array(Found) }))),
    async handle({ db, actor, query: { Q, Kinds } }) {
      const searched = searchedText(Q)
      const parts = kindsFor(actor, Kinds ?? kindNames).flatMap(kind => {
        const found = kinds[kind].find(actor, searched)
        if (found === null) return []
        const isRequest = kind === 'request'
        return [
          sql`(select ${raw(`'${kind}'`)} as kind, f.id, f.parent_id, f.title, f.subtitle,
            f.status::int as status, ${isRequest ? sql`f.of` : sql`null`}::text as of,
            row_number() over () as place
            from (${found}) f (id, parent_id, title, subtitle, status ${isRequest ? sql`, of` : empty}))`,
        ]
      })
      if (parts.length === 0) return { results: [] }
      const rows = await db.rows<Row>(join(parts, ' union all '))
      const order = ({ kind, place }: Row) => kindNames.indexOf(kind) * 100 + place
      return { results: rows.toSorted((a, b) => order(a) - order(b)).map(toFound) }
    },
  }),
]

/** A row of the statement. `place` is its place among those of its kind. */
type Row = Omit<Found, 'of'> & { of: NonNullable<Found['of']> | null; place: number }

const toFound = ({ place: _, of, ...found }: Row): Found => ({
  ...found,
  // A delivery is told by its event, whose name only we know.
  ...(of === 'delivery' ? { subtitle: eventTypeNames[Number(found.subtitle) as EventType] } : {}),
  ...(of === null ? {} : { of }),
})

/** The kinds among these that the actor may read. */
const kindsFor = (actor: Actor, asked: readonly KindName[]): KindName[] =>
  kindNames.filter(kind => {
    const { scope, partners }: SearchKind = kinds[kind]
    return asked.includes(kind) && hasRequiredScope(actor, scope) && partners.includes(actor.partnerKind)
  })
