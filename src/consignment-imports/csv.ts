// Imports orders from a spreadsheet. Each of them is an import by itself, which is accepted and processed as
// if it had been posted. Spec 2.3, 3; decision 5.

import { createHash } from 'node:crypto'
import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { forbidden, unprocessable, verificationFailed } from '../platform/http/refusal.ts'
import {
  Code,
  IntegerEnum,
  named,
  nullable,
  optional,
  type Static,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { hint } from '../platform/work/hints.ts'
import { acceptFiles, UploadedFile } from '../uploads/uploaded-file.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { ImportUploadResult } from '../vocabulary/imports.ts'
import { PartnerStatus, Relationship } from '../vocabulary/partners.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'
import { type CsvColumnName, csvColumnNames } from './csv-columns.ts'
import { type CsvOrder, type CsvProblem, readOrders, toFault } from './csv-orders.ts'
import { foreseeReasons } from './foresee-reasons.ts'
import type { ImportRequest } from './import-request.ts'
import { storeImports } from './store-import.ts'

const Mapping = Type.Unsafe<Record<string, CsvColumnName | null>>({
  type: 'object',
  maxProperties: 100,
  additionalProperties: { type: ['string', 'null'], enum: [...csvColumnNames, null] },
  description:
    'what columns mean whose heads are no names of fields, by their heads; null leaves a column out',
  examples: [{ 'Order no': 'referenceNumber', SKU: 'productCode', Weight: null }],
})

const Upload = named(
  'ConsignmentImportFile',
  Type.Object({
    consignmentType: IntegerEnum(ConsignmentType),
    clientCode: Code,
    warehouseCode: optional(Code),
    mapping: optional(Mapping),
    dryRun: optional(
      Type.Boolean({ description: 'only tell what would happen, and what the imports would wait for' }),
    ),
    skipFaulty: optional(
      Type.Boolean({ description: 'import what is right; absent: all of it, or nothing' }),
    ),
    file: UploadedFile,
  }),
)
type Upload = Static<typeof Upload>

const UploadedImport = Type.Object({
  rows: Type.Array(Type.Integer(), { description: 'as the spreadsheet numbers them; the head is row 1' }),
  referenceNumber: nullable(Type.String()),
  consignmentImportId: nullable(Uuid),
  result: IntegerEnum(ImportUploadResult),
  messages: Type.Array(Type.String(), {
    description:
      'what is wrong with a faulty one, and in a dry run what an accepted one would wait for; of very ' +
      'many, those of the first imports',
  }),
  details: Type.Array(
    Type.Object({
      row: Type.Integer(),
      column: Type.String({ description: 'the head of the column' }),
      code: Type.String({ description: 'as in ErrorDetails' }),
      message: Type.String(),
    }),
    { description: 'one for each message, in the same order' },
  ),
})
type UploadedImport = Static<typeof UploadedImport>

const Uploaded = named(
  'ConsignmentImportsUploaded',
  Type.Object({
    isDryRun: Type.Boolean(),
    rowCount: Type.Integer({ description: 'the rows of the file, without empty ones' }),
    imports: Type.Array(UploadedImport),
  }),
)

/** So many problems are told; further faulty imports have one each. */
const maxProblems = 2_000

export const importsFromCsv = [
  endpoint({
    post: '/v1/consignment-imports/csv',
    name: 'importConsignmentsCsv',
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    summary: 'Import consignments from a CSV file',
    description:
      'Rows with the same referenceNumber are one import, in any order; each of them is a line, and rows ' +
      'that differ only in their serial are items of one. What a row says of the whole order, such as its ' +
      'address, is told by any of its rows. The heads are names of fields, in any case, or what mapping ' +
      'says; other columns are refused. At most 5,000 rows, with commas, semicolons or tabs. Without ' +
      'skipFaulty any fault refuses all of it (422), and each is told by its row. An order that was ' +
      'uploaded before, as it is, makes no second import.',
    body: Upload,
    files: true,
    refuses: [422],
    response: json(Uploaded),
    async handle({ tx, actor, requestId, body }) {
      const [accepted] = await acceptFiles([['file', body.file]], { badContent: unprocessable })
      const { clientId, ...about } = await findPartners(tx, actor, body)
      const { rowCount, orders } = await readOrders((accepted as NonNullable<typeof accepted>).bytes, {
        ...{ ...about, consignmentType: body.consignmentType, mapping: body.mapping ?? null },
      })
      const problems = orders.flatMap(order => order.problems)
      if (problems.length > 0 && !body.skipFaulty) throw unprocessable(...problems.map(toFault))
      const right = orders.filter(order => order.problems.length === 0)
      const isDryRun = body.dryRun ?? false
      const outcomes = isDryRun
        ? await foresee(tx, { ...actor, requestId }, clientId, right)
        : await importAll(tx, actor, requestId, right)
      return { isDryRun, rowCount, imports: answerOf(orders, outcomes) }
    },
  }),
]

/** The client and the warehouse that the orders are for. Throws 403 or 400 if they cannot be. */
async function findPartners(db: Db, { organisationId, partnerId }: Actor, body: Upload) {
  const { clientCode, warehouseCode = null, consignmentType } = body
  const found = await db.row<{
    client: { id: string; code: string; isActive: boolean } | null
    warehouse: { code: string; isActive: boolean } | null
    warehouseCount: number
  }>(sql`select
    (select json_build_object('id', p.id, 'code', p.code, 'isActive', p.status = ${PartnerStatus.Active})
      from partner p where p.organisation_id = ${organisationId} and lower(p.code) = lower(${clientCode})
        and p.relationship = ${Relationship.Client}) as client,
    (select json_build_object('code', h.code, 'isActive', h.status = ${WarehouseStatus.Active})
      from warehouse h where h.organisation_id = ${organisationId}
        and lower(h.code) = lower(${warehouseCode}::text)) as warehouse,
    (select count(*)::integer from warehouse h where h.organisation_id = ${organisationId}
      and h.status = ${WarehouseStatus.Active}) as warehouse_count`)
  const { client, warehouse, warehouseCount } = found
  if (partnerId !== null && client?.id !== partnerId)
    throw forbidden('A token that belongs to a partner can import for that client only.')
  const faults: Fault[] = []
  const refuse = (path: string, problem: string, code: Fault['code']) =>
    faults.push(faultAt(path, problem, code))
  if (client === null) refuse('clientCode', 'is not the code of a client', 'unknown_reference')
  else if (!client.isActive) refuse('clientCode', 'is the code of an inactive client', 'state')
  if (warehouseCode !== null && warehouse === null)
    refuse('warehouseCode', 'is not the code of a warehouse', 'unknown_reference')
  else if (warehouse?.isActive === false)
    refuse('warehouseCode', 'is the code of an inactive warehouse', 'state')
  else if (warehouse === null && consignmentType !== ConsignmentType.PointToPoint && warehouseCount !== 1)
    refuse('warehouseCode', 'is required: there is not just one active warehouse', 'required')
  if (client === null || faults.length > 0) throw verificationFailed(...faults)
  // The codes as they are stored, so that an order is the same however its upload writes them.
  return {
    clientId: client.id,
    clientCode: client.code,
    ...(warehouse === null ? {} : { warehouseCode: warehouse.code }),
  }
}

type Outcome = Pick<UploadedImport, 'consignmentImportId' | 'result'> & { problems: CsvProblem[] }

/** Sorts the fields of objects in JSON. */
const sortFields = (_name: string, value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The same order has the same key, in whatever file and order of columns, so that it is imported once. */
function keyOf({ request, referenceNumber }: CsvOrder): string {
  const hash = createHash('sha256').update(JSON.stringify(request, sortFields)).digest('base64url')
  return `csv:${hash}:${referenceNumber?.slice(0, 100)}`
}

const known = (consignmentImportId: string): Outcome => ({
  ...{ consignmentImportId, result: ImportUploadResult.Known, problems: [] },
})

/** The imports that earlier uploads made of the same orders, whoever sent them, by key. */
async function earlierImports(
  db: Db,
  organisationId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await db.rows<{ key: string; id: string }>(sql`
    select i.idempotency_key as key, i.id
    from identity_connection c
    join consignment_import i on i.organisation_id = c.organisation_id
      and i.identity_connection_id = c.id and i.idempotency_key = any(${keys})
    where c.organisation_id = ${organisationId}`)
  return new Map(found.map(({ key, id }) => [key, id]))
}

/** What would become of orders without faults. */
async function foresee(
  db: Db,
  actor: Actor & { requestId: string },
  clientId: string,
  orders: readonly CsvOrder[],
): Promise<Map<CsvOrder, Outcome>> {
  const earlier = await earlierImports(db, actor.organisationId, orders.map(keyOf))
  const requests = orders.map(({ request }) => request)
  const reasons = await foreseeReasons(db, actor, clientId, requests)
  return new Map(
    orders.map((order, i) => {
      const id = earlier.get(keyOf(order))
      if (id !== undefined) return [order, known(id)]
      const problems = (reasons[i] ?? []).map(({ path, message }) =>
        order.problemAt(path, 'unknown_reference', message),
      )
      return [order, { consignmentImportId: null, result: ImportUploadResult.Accepted, problems }]
    }),
  )
}

/** Stores the imports of orders without faults. */
async function importAll(
  tx: Tx,
  actor: Actor,
  requestId: string,
  orders: readonly CsvOrder[],
): Promise<Map<CsvOrder, Outcome>> {
  const { organisationId } = actor
  // Two people may upload one file at once, and keys are kept by connection.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`import csv ${organisationId}`}, 0))`)
  const earlier = await earlierImports(tx, organisationId, orders.map(keyOf))
  const fresh = orders.filter(order => !earlier.has(keyOf(order)))
  const ids = await storeImports(
    tx,
    fresh.map(order => {
      const body: ImportRequest = { idempotencyKey: keyOf(order), ...order.request }
      return {
        actor,
        requestId,
        body,
        bodyText: JSON.stringify(body),
        ignoredFields: [],
        hasDownloads: false,
      }
    }),
  )
  if (fresh.length > 0) tx.afterCommit(() => hint('imports'))
  const stored = new Map(fresh.map((order, i) => [order, ids[i] as string]))
  return new Map(
    orders.map((order): [CsvOrder, Outcome] => {
      const id = stored.get(order)
      if (id === undefined) return [order, known(earlier.get(keyOf(order)) as string)]
      return [order, { consignmentImportId: id, result: ImportUploadResult.Accepted, problems: [] }]
    }),
  )
}

function answerOf(orders: readonly CsvOrder[], outcomes: ReadonlyMap<CsvOrder, Outcome>): UploadedImport[] {
  let told = 0
  return orders.map(order => {
    const outcome = outcomes.get(order)
    const problems = outcome?.problems ?? order.problems
    const details = told < maxProblems ? problems : problems.slice(0, 1)
    told += details.length
    return {
      rows: [...order.rows],
      referenceNumber: order.referenceNumber,
      consignmentImportId: outcome?.consignmentImportId ?? null,
      result: outcome?.result ?? ImportUploadResult.Faulty,
      messages: details.map(({ message }) => message),
      details,
    }
  })
}
