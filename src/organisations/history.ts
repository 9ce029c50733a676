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

const nameOfValue = 'what the record was called then whose id the value is, if it is one'

const Entry = named(
  'OrganisationHistoryEntry',
  Type.Object({
    id: Uuid,
    atUtc: UtcTime,
    subject: Subject,
    subjectId: nullable(Uuid),
    subjectName: nullable({ ...Type.String(), description: 'what it was called then' }),
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

/**
 * What the records were called that fields of the entries lead to, by the id of the entry and of the record.
 * A name that was changed before former ones were kept is that of today.
 */
async function namesOf(db: Db, organisationId: string, entries: readonly Entry[]) {
  const links = entries.flatMap(({ id, changes }) =>
    changes
      .filter(({ field }) => references.includes(field))
      .flatMap(({ from, to }) => [from, to].filter(value => typeof value === 'string'))
      .map(recordId => ({ id, recordId })),
  )
  if (links.length === 0) return new Map<string, string>()
  const ofThis = sql`where r.organisation_id = e.organisation_id and r.id = l.record_id`
  const rows = await db.rows<{ id: string; recordId: string; name: string }>(sql`
    select e.id, l.record_id,
      coalesce(former_record_at(e.organisation_id, l.record_id, e.at_utc) ->> 'name', r.name) as name
    from unnest(${links.map(({ id }) => id)}::uuid[], ${links.map(({ recordId }) => recordId)}::uuid[])
        as l (id, record_id)
      join administration_entry e on e.organisation_id = ${organisationId} and e.id = l.id
      cross join lateral (
        select r.name from partner r ${ofThis}
        union all select r.name from warehouse r ${ofThis}
        union all select r.name from printer_bridge r ${ofThis}) r`)
  return new Map(rows.map(({ id, recordId, name }) => [`${id} ${recordId}`, name]))
}

/** The change of an entry with the names of the records that it leads from and to. */
function withNames(change: Change, id: string, names: ReadonlyMap<string, string>): Change {
  const [fromName, toName] = [change.from, change.to].map(recordId => names.get(`${id} ${recordId}`))
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
      'had then; commands of the operator have none of these. What was changed, and the records that a ' +
      'change leads from or to, are named as they were then. Passwords and secrets are listed ' +
      'without their values.',
    query: pageQuery({
      Subject: Type.Optional(Subject),
      SubjectId: Type.Optional({ ...Uuid, description: 'The user, app, printer or printer bridge.' }),
    }),
    response: json(pageOf('organisationHistory', Entry)),
    async handle({ db, actor, query: { Subject: subject, SubjectId: subjectId, ...query } }) {
      const page = await readPage<'organisationHistory', Entry>(db, 'organisationHistory', query, {
        columns: sql`e.id, e.at_utc, e.subject, e.subject_id,
          coalesce(f.former ->> 'full_name', f.former ->> 'name', s.full_name, t.name, p.name, b.name,
            case e.subject when 'organisation' then o.name end) as subject_name,
          e.user_name as user_full_name, e.app_name, e.address, e.request_id, e.changes`,
        from: sql`administration_entry e
          join organisation o on o.id = e.organisation_id
          left join app_user s on s.organisation_id = e.organisation_id and s.id = e.subject_id
          left join custom_app t on t.organisation_id = e.organisation_id and t.id = e.subject_id
          left join printer p on p.organisation_id = e.organisation_id and p.id = e.subject_id
          left join printer_bridge b on b.organisation_id = e.organisation_id and b.id = e.subject_id
          cross join lateral (select former_record_at(e.organisation_id, e.subject_id, e.at_utc)) f (former)
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
          changes: entry.changes.map(change => withNames(change, entry.id, names)),
        })),
      }
    },
  }),
]
