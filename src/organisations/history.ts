// The history of the organisation, its users, apps and printers: who changed what, when and from where.
// Triggers of the database write the entries; see migrations/001-organisations.sql.

import { endpoint } from '../access/endpoint.ts'
import { type Db, empty, sql } from '../platform/database/db.ts'
import { camelCase } from '../platform/database/statement.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { AdministrationSubject } from '../vocabulary/organisations.ts'

const Subject = Type.Unsafe<AdministrationSubject>({
  type: 'string',
  enum: Object.values(AdministrationSubject),
  description: 'What was changed. A signing key is one of the keys that sign access tokens.',
})

const nameOfValue = 'the present name of the record whose id the value is, if it is one'

const Entry = named(
  'OrganisationHistoryEntry',
  Type.Object({
    id: Uuid,
    atUtc: UtcTime,
    subject: Subject,
    subjectId: nullable(Uuid),
    subjectName: nullable({ ...Type.String(), description: 'its present name' }),
    userFullName: nullable({ ...Type.String(), description: 'null for commands of the operator' }),
    appName: nullable(Type.String()),
    address: nullable({ ...Type.String(), description: 'the address that the request came from' }),
    requestId: nullable(Type.String()),
    changes: Type.Array(
      Type.Object({
        field: Type.String(),
        from: Type.Any({ description: 'null if there was no value, and for passwords and secrets' }),
        to: Type.Any(),
        fromName: Type.Optional({ ...Type.String(), description: nameOfValue }),
        toName: Type.Optional({ ...Type.String(), description: nameOfValue }),
      }),
    ),
  }),
)
type Entry = Static<typeof Entry>
type Change = Entry['changes'][number]

/** The names of fields that differ from those of their columns. */
const fieldNames: Record<string, string> = { passwordHash: 'password', secretHash: 'clientSecret' }

/** Converts a stored change to the fields of the API: `disabled_utc` becomes `isDisabled`. */
function changeOf({ field, from, to }: Change): Change {
  if (field === 'disabled_utc') return { field: 'isDisabled', from: from !== null, to: to !== null }
  const name = camelCase(field)
  return { field: fieldNames[name] ?? name, from: from ?? null, to: to ?? null }
}

/** Columns that hold the ids of records that have names. */
const references = ['partner_id', 'warehouse_id', 'printer_bridge_id']

/** The records that fields of the entries lead to, by their ids: what a reader would call them. */
async function namesOf(db: Db, organisationId: string, entries: readonly Entry[]) {
  const isReference = ({ field }: Change) => references.includes(field)
  const values = entries.flatMap(({ changes }) => changes.filter(isReference))
  const ids = [...new Set(values.flatMap(({ from, to }) => [from, to]).filter(id => typeof id === 'string'))]
  if (ids.length === 0) return new Map<unknown, string>()
  const ofThese = sql`where organisation_id = ${organisationId} and id = any(${ids}::uuid[])`
  const rows = await db.rows<{ id: string; name: string }>(sql`select id, name from partner ${ofThese}
    union all select id, name from warehouse ${ofThese}
    union all select id, name from printer_bridge ${ofThese}`)
  return new Map<unknown, string>(rows.map(({ id, name }) => [id, name]))
}

/** The change with the names of the records that it leads from and to. */
function withNames(change: Change, names: ReadonlyMap<unknown, string>): Change {
  const [fromName, toName] = [names.get(change.from), names.get(change.to)]
  return {
    ...changeOf(change),
    ...(fromName !== undefined && { fromName }),
    ...(toName !== undefined && { toName }),
  }
}

/**
 * Whether entry `e` only says that an approval took the next invoice number. It changes no setting, and those
 * who approved are in the history of the schedule; commands of the operator do not set the number.
 */
const isNumberTaken = sql`(e.user_id is null and jsonb_array_length(e.changes) = 1
  and e.changes @> '[{"field": "next_invoice_number"}]')`

export const organisationHistory = [
  endpoint({
    get: '/v1/organisation/history',
    name: 'listOrganisationHistory',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: 'List changes to the organisation, its users, apps and printers, the latest first',
    description:
      'Each entry says which user made the change, with which app and from where, by the names that they ' +
      'had then; commands of the operator ' +
      'have none of these. Records that a change leads from or to have their present names. ' +
      'Passwords and secrets are listed without their values.',
    query: pageQuery({
      Subject: Type.Optional(Subject),
      SubjectId: Type.Optional({ ...Uuid, description: 'The user, app, printer or printer bridge.' }),
    }),
    response: json(pageOf('organisationHistory', Entry)),
    async handle({ db, actor, query: { Subject: subject, SubjectId: subjectId, ...query } }) {
      const page = await readPage<'organisationHistory', Entry>(db, 'organisationHistory', query, {
        columns: sql`e.id, e.at_utc, e.subject, e.subject_id,
          coalesce(s.full_name, t.name, p.name, b.name, case e.subject when 'organisation' then o.name end)
            as subject_name,
          e.user_name as user_full_name, e.app_name, e.address, e.request_id, e.changes`,
        from: sql`administration_entry e
          join organisation o on o.id = e.organisation_id
          left join app_user s on s.organisation_id = e.organisation_id and s.id = e.subject_id
          left join custom_app t on t.organisation_id = e.organisation_id and t.id = e.subject_id
          left join printer p on p.organisation_id = e.organisation_id and p.id = e.subject_id
          left join printer_bridge b on b.organisation_id = e.organisation_id and b.id = e.subject_id
          where e.organisation_id = ${actor.organisationId} and not ${isNumberTaken}
            ${subject === undefined ? empty : sql`and e.subject = ${subject}`}
            ${subjectId === undefined ? empty : sql`and e.subject_id = ${subjectId}`}`,
        order: sql`e.at_utc desc, e.id desc`,
      })
      const names = await namesOf(db, actor.organisationId, page.organisationHistory)
      return {
        ...page,
        organisationHistory: page.organisationHistory.map(entry => ({
          ...entry,
          changes: entry.changes.map(change => withNames(change, names)),
        })),
      }
    },
  }),
]
