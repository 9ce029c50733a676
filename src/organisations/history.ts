// Who changed what of the organisation, its people, apps and printers, when and from where. Findings of
// operation; the entries are written by the database itself, see migrations/001-organisations.sql.

import { empty, sql } from '../platform/database/db.ts'
import { camelCase } from '../platform/database/statement.ts'
import { endpoint, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { AdministrationSubject } from './enumerations.ts'

const Subject = Type.Unsafe<AdministrationSubject>({
  type: 'string',
  enum: Object.values(AdministrationSubject),
  description: 'What was changed; a signing key is one of those that sign access tokens.',
})

const Entry = named(
  'OrganisationHistoryEntry',
  Type.Object({
    id: Uuid,
    atUtc: UtcTime,
    subject: Subject,
    subjectId: nullable(Uuid),
    subjectName: nullable({ ...Type.String(), description: 'what it is called now' }),
    userFullName: nullable({ ...Type.String(), description: 'null: a command of the operator' }),
    appName: nullable(Type.String()),
    address: nullable({ ...Type.String(), description: 'from where it was asked' }),
    requestId: nullable(Type.String()),
    changes: Type.Array(
      Type.Object({
        field: Type.String(),
        from: Type.Any({ description: 'null where there was nothing, and for passwords and secrets' }),
        to: Type.Any(),
      }),
    ),
  }),
)
type Entry = Static<typeof Entry>

/** Fields whose column is called otherwise. */
const fieldNames: Record<string, string> = { passwordHash: 'password', secretHash: 'clientSecret' }

/** A change as the API tells it: `disabled_utc` becomes `isDisabled`. */
function changeOf({ field, from, to }: Entry['changes'][number]): Entry['changes'][number] {
  if (field === 'disabled_utc') return { field: 'isDisabled', from: from !== null, to: to !== null }
  const name = camelCase(field)
  return { field: fieldNames[name] ?? name, from: from ?? null, to: to ?? null }
}

export const organisationHistory = [
  endpoint({
    get: '/v1/organisation/history',
    name: 'listOrganisationHistory',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: 'List what was changed of the organisation, its users, apps and printers, the latest first',
    description:
      'By whom, by which app and from where; commands of the operator have none of them. Passwords and ' +
      'secrets are told without their values.',
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
          u.full_name as user_full_name, a.name as app_name, e.address, e.request_id, e.changes`,
        from: sql`administration_entry e
          join organisation o on o.id = e.organisation_id
          left join app_user s on s.organisation_id = e.organisation_id and s.id = e.subject_id
          left join custom_app t on t.organisation_id = e.organisation_id and t.id = e.subject_id
          left join printer p on p.organisation_id = e.organisation_id and p.id = e.subject_id
          left join printer_bridge b on b.organisation_id = e.organisation_id and b.id = e.subject_id
          left join app_user u on u.organisation_id = e.organisation_id and u.id = e.user_id
          left join identity_connection i on i.organisation_id = e.organisation_id
            and i.id = e.identity_connection_id
          left join custom_app a on a.organisation_id = i.organisation_id and a.id = i.custom_app_id
          where e.organisation_id = ${actor.organisationId}
            ${subject === undefined ? empty : sql`and e.subject = ${subject}`}
            ${subjectId === undefined ? empty : sql`and e.subject_id = ${subjectId}`}`,
        order: sql`e.at_utc desc, e.id desc`,
      })
      return {
        ...page,
        organisationHistory: page.organisationHistory.map(entry => ({
          ...entry,
          changes: entry.changes.map(changeOf),
        })),
      }
    },
  }),
]
