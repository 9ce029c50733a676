// Consignment imports: they are accepted at once and processed later. Imports that wait for reconciliation
// can be listed, reconciled or discarded. Spec 2.3, 3, 4.2; decision 5.

import { endpoint } from '../access/endpoint.ts'
import { ImportStatusField, reasonKinds, WaitingReason } from '../events/import-reason.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import { accepted, done, json } from '../platform/http/endpoint.ts'
import { contains, pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { conflict, forbidden, notFound } from '../platform/http/refusal.ts'
import { Code, named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { hint } from '../platform/work/hints.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { requireWaiting } from '../waiting-imports/require-waiting.ts'
import { amendImport } from './amend-import.ts'
import { deleteDownloads } from './downloads/stored-downloads.ts'
import { fileFaults, hasFilesToFetch } from './import-files.ts'
import { ConsignmentId, ImportRequest } from './import-request.ts'
import { Replacement } from './replacements.ts'
import { storeImport } from './store-import.ts'
import { visibleImports } from './visible-imports.ts'

const summary = {
  id: Uuid,
  status: ImportStatusField,
  reasons: Type.Array(WaitingReason),
  receivedUtc: UtcTime,
}
const ConsignmentImport = named(
  'ConsignmentImport',
  Type.Object({
    ...summary,
    clientCode: Type.String(),
    referenceNumber: nullable(Type.String()),
    externalId: nullable(Type.String()),
  }),
)
const ConsignmentImportDetail = named(
  'ConsignmentImportDetail',
  Type.Object({
    ...summary,
    request: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'the request as it was received; null from 90 days after its consignment was created',
        },
      ),
    ),
    ignoredFields: Type.Array(Type.String(), {
      description:
        'the fields of the request that were not known when it was received, by path, at most 20; of a ' +
        'field that several entries of a list have, only the first is named',
    }),
    replacements: Type.Array(Replacement),
    discarded: nullable(
      Type.Object({
        atUtc: UtcTime,
        userFullName: nullable(Type.String()),
        appName: nullable(Type.String()),
        requestId: nullable(Type.String()),
      }),
    ),
  }),
)

const reasons = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('kind', r.kind, 'code', r.code, 'message', r.message, 'path',
    r.path) order by r.ordinal), '[]')
  from consignment_import_reason r where r.organisation_id = i.organisation_id
    and r.consignment_import_id = i.id)`

const searchText = sql`import_search_text(i.client_code, i.reference_number, i.external_id,
  i.idempotency_key)`

/** The filters by what an import waits for. */
const causeFilters = {
  Kind: Type.Optional(
    Type.Enum([...reasonKinds], {
      type: 'string',
      description: 'Those that wait for a reason of this kind.',
    }),
  ),
  Code: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Those that wait for this code, in upper or lower case.' }),
  ),
}
interface MoreFilters {
  Kind?: string
  Code?: string
  ClientCode?: string
  ReceivedFrom?: string
  ReceivedTo?: string
}

/** The conditions of the filters by reason, client and time. An end of a period does not belong to it. */
const moreConditions = ({ Kind, Code: code, ClientCode, ReceivedFrom, ReceivedTo }: MoreFilters): Sql => sql`
  ${
    Kind === undefined && code === undefined
      ? empty
      : sql`and exists (select from consignment_import_reason r
          where r.organisation_id = i.organisation_id and r.consignment_import_id = i.id
            ${Kind === undefined ? empty : sql`and r.kind = ${Kind}`}
            ${code === undefined ? empty : sql`and lower(r.code) = lower(${code})`})`
  }
  ${ClientCode === undefined ? empty : sql`and lower(i.client_code) = lower(${ClientCode})`}
  ${ReceivedFrom === undefined ? empty : sql`and i.received_utc >= ${parseInstant(ReceivedFrom)}`}
  ${ReceivedTo === undefined ? empty : sql`and i.received_utc < ${parseInstant(ReceivedTo)}`}`

export const consignmentImports = [
  endpoint({
    post: '/v1/consignment-imports',
    name: 'importConsignment',
    partners: 'clients',
    scope: 'consignment',
    summary: 'Import a consignment',
    description:
      'Checks the structure of the request and stores it. The consignment is created in the background, ' +
      'with the id of the response. If a code does not resolve, the import waits for reconciliation. An ' +
      'idempotencyKey is permanently tied to the first import that is accepted with it: another one gets ' +
      '409, which names that import in its message and, by its address, in the header Location. So an ' +
      'import that may have been stored (503 with the header Outcome: unknown) can be sent again: 409 then ' +
      'says that it was.',
    body: ImportRequest,
    bodyFaults: fileFaults,
    files: true,
    oneStatement: true,
    response: accepted(ConsignmentId),
    refuses: [409],
    async handle({ tx, actor, requestId, body, bodyText, ignoredFields }) {
      const hasDownloads = hasFilesToFetch(body.notes)
      const accepted = { actor, requestId, body, bodyText, ignoredFields, hasDownloads }
      const { id, stored } = storeImport(tx, accepted)
      const storedId = await stored
      if (storedId === null)
        throw forbidden('A token that belongs to a partner can import for that client only.')
      if (storedId !== id)
        throw conflict(
          {
            path: 'idempotencyKey',
            code: 'conflict',
            message: `The idempotencyKey was used before, by the import ${storedId}.`,
          },
          { location: `/v1/consignment-imports/${storedId}` },
        )
      tx.afterCommit(() => hint(hasDownloads ? 'import-downloads' : 'imports'))
      return { consignmentId: id }
    },
  }),
  endpoint({
    get: '/v1/consignment-imports',
    name: 'listConsignmentImports',
    partners: 'clients',
    scope: 'consignment.read',
    extension: true,
    summary: 'List imports',
    description: 'Newest first.',
    query: pageQuery({
      SearchText: searchIn('client code, reference number, external id and idempotency key'),
      Status: Type.Optional(ImportStatusField),
      ...causeFilters,
      ClientCode: Type.Optional({ ...Code, description: 'Those that name this client.' }),
      ReceivedFrom: Type.Optional({ ...UtcTime, description: 'Received at this instant or later.' }),
      ReceivedTo: Type.Optional({ ...UtcTime, description: 'Received before this instant.' }),
    }),
    response: json(pageOf('consignmentImports', ConsignmentImport)),
    handle: ({ db, actor, query: { SearchText: text, Status: status, ...query } }) =>
      readPage(db, 'consignmentImports', query, {
        columns: sql`i.id, i.status, ${reasons} as reasons, i.received_utc, i.client_code,
            i.reference_number, i.external_id`,
        // Pending imports always have a due time. Saying so lets the query use the index of the queue.
        from: sql`consignment_import i where ${visibleImports(actor)}
          ${status === undefined ? empty : sql`and i.status = ${status}`}
          ${status === ImportStatus.Pending ? sql`and i.due_utc is not null` : empty}
          ${text ? sql`and ${contains(searchText, text)}` : empty} ${moreConditions(query)}`,
        order: sql`i.id desc`,
      }),
  }),
  endpoint({
    get: '/v1/consignment-imports/:consignmentImportId',
    name: 'getConsignmentImport',
    partners: 'clients',
    scope: 'consignment.read',
    extension: true,
    summary: 'Read an import, with the reasons why it waits',
    response: json(ConsignmentImportDetail),
    async handle({ db, actor, params }) {
      type Detail = Static<typeof ConsignmentImportDetail>
      type Discarded = { [Name in keyof NonNullable<Detail['discarded']>]: string | null }
      const found = await db.maybe<Omit<Detail, 'discarded'> & Discarded>(sql`
        select i.id, i.status, ${reasons} as reasons, i.received_utc, i.request,
          coalesce(i.ignored_fields, '{}') as ignored_fields, coalesce(i.replacements, '[]') as replacements,
          i.discarded_utc as at_utc, i.discarded_user_name as user_full_name,
          i.discarded_app_name as app_name, i.discarded_request_id as request_id
        from consignment_import i
        where ${visibleImports(actor)} and i.id = ${params.consignmentImportId}`)
      if (found === undefined) throw notFound('Import')
      const { atUtc, userFullName, appName, requestId, ...rest } = found
      return { ...rest, discarded: atUtc === null ? null : { atUtc, userFullName, appName, requestId } }
    },
  }),
  endpoint({
    delete: '/v1/consignment-imports/:consignmentImportId',
    name: 'discardConsignmentImport',
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    summary: 'Discard an import that waits for reconciliation',
    response: done,
    refuses: [409],
    async handle({ tx, actor, requestId, params }) {
      const found = await tx.maybe<{ status: number }>(sql`
        select i.status from consignment_import i where ${visibleImports(actor)}
          and i.id = ${params.consignmentImportId} for update`)
      if (found === undefined) throw notFound('Import')
      requireWaiting(found.status)
      await tx.run(sql`update consignment_import set status = ${ImportStatus.Discarded}, due_utc = null,
          discarded_user_name = user_name(${actor.organisationId}, ${actor.userId}),
          discarded_app_name = app_name(${actor.organisationId}, ${actor.connectionId}),
          discarded_request_id = ${requestId}, discarded_utc = now()
        where organisation_id = ${actor.organisationId} and id = ${params.consignmentImportId}`)
      await deleteDownloads(tx, actor.organisationId, [params.consignmentImportId])
    },
  }),
  amendImport,
]
