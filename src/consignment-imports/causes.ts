// What keeps imports waiting, each cause once however many imports have it, with the records that a wrong
// code was probably meant to name. Decision 5.

import { endpoint } from '../access/endpoint.ts'
import { importCodeKinds, reasonKinds } from '../events/import-reason.ts'
import { type Sql, sql } from '../platform/database/db.ts'
import { editDistance } from '../platform/edit-distance.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { named, nullable, type Static, Type, UtcTime } from '../platform/http/schema.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { recordsOfAnyKind } from '../waiting-imports/code-records.ts'
import { visibleImports } from './visible-imports.ts'

const ImportCause = named(
  'ImportCause',
  Type.Object({
    kind: Type.Enum([...reasonKinds]),
    code: nullable(Type.String({ description: 'as the oldest of the imports has it' })),
    clientCode: Type.String({ description: 'the client that the imports name' }),
    n: Type.Integer({ description: 'the number of imports that wait for this reason' }),
    oldestUtc: UtcTime,
    message: Type.String({ description: 'the reason of the oldest of the imports' }),
    nearest: Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), {
      description: 'at most three active records with a similar code, the nearest first',
    }),
  }),
)
type ImportCause = Static<typeof ImportCause>

const maxNearest = 3
/** Of so many records with similar codes, the nearest are chosen. */
const maxCandidates = 50

/** The waiting imports that the caller may see, by cause: kind and code of the reason, and client. */
const causesOf = (imports: Sql): Sql => sql`
  select r.kind, lower(r.code) as lower_code, lower(i.client_code) as lower_client_code,
    (array_agg(r.code order by i.received_utc, i.id))[1] as code,
    (array_agg(i.client_code order by i.received_utc, i.id))[1] as client_code,
    (array_agg(r.message order by i.received_utc, i.id))[1] as message,
    count(distinct i.id) as n, min(i.received_utc) as oldest_utc
  from consignment_import i
  join consignment_import_reason r on r.organisation_id = i.organisation_id
    and r.consignment_import_id = i.id
  where ${imports} and i.status = ${ImportStatus.PendingReconciliation}
  group by 1, 2, 3`

// Digits and the letters that people take for them.
const [letters, digits] = ['oilsbz', '011582']

/** A code in which letters that look like digits are digits. */
const looksOf = (code: string) =>
  [...code.toLowerCase()].map(letter => digits[letters.indexOf(letter)] ?? letter).join('')

/** Records with a similar code, as JSON. Trigrams find them; their order is decided later. */
const candidates = (organisationId: string): Sql => {
  const owner = {
    organisation: sql`${organisationId}`,
    client: sql`(select p.id from partner p where p.organisation_id = ${organisationId}
      and lower(p.code) = c.lower_client_code)`,
  }
  const looks = (code: Sql) => sql`translate(lower(${code}), ${letters}, ${digits})`
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('code', n.code, 'name', n.name)), '[]')
    from (
      select k.code, k.name
      from (${recordsOfAnyKind(sql`c.kind`, owner, sql`lower(code) % c.lower_code`)}) k
      order by ${looks(sql`k.code`)} = ${looks(sql`c.lower_code`)} desc,
        similarity(lower(k.code), c.lower_code) desc, k.code
      limit ${maxCandidates}
    ) n)`
}

const isCodeKind = (kind: string) => importCodeKinds.some(name => name === kind)

/** The candidates that differ least from the code. More than half of a code is no misspelling. */
function nearestTo({ kind, code, nearest }: ImportCause): ImportCause['nearest'] {
  if (code === null || !isCodeKind(kind)) return []
  const wrong = looksOf(code)
  return nearest
    .map(record => ({ record, distance: editDistance(wrong, looksOf(record.code)) }))
    .filter(({ distance }) => distance <= Math.max(1, wrong.length / 2))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxNearest)
    .map(({ record }) => record)
}

export const importCauses = [
  endpoint({
    get: '/v1/consignment-imports/causes',
    name: 'listImportCauses',
    partners: 'clients',
    scope: 'consignment.read',
    extension: true,
    summary: 'List what imports wait for',
    description:
      'Each reason once, with the number of imports that wait for it and, for a code, the records that it ' +
      'was probably meant to name. First the reason that most imports have. To replace a code in all of ' +
      'them: POST /v1/consignment-imports/reconcile-many.',
    query: pageQuery({}),
    response: json(pageOf('causes', ImportCause)),
    async handle({ db, actor, query }) {
      const page = await readPage<'causes', ImportCause>(db, 'causes', query, {
        columns: sql`c.kind, c.code, c.client_code, c.n, c.oldest_utc, c.message,
          ${candidates(actor.organisationId)} as nearest`,
        from: sql`(${causesOf(visibleImports(actor))}) c`,
        order: sql`c.n desc, c.oldest_utc, c.kind, c.lower_code, c.lower_client_code`,
      })
      return { ...page, causes: page.causes.map(cause => ({ ...cause, nearest: nearestTo(cause) })) }
    },
  }),
]
