// One act on many consignments. Each is acted on as its own endpoint does it, in a transaction of its own.
// Decision 4.

import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { requireScope } from '../access/scopes.ts'
import { readyInOrderKind } from '../consignment-status/ready-kind.ts'
import { consignmentStatus, setStatus } from '../consignment-status/status.ts'
import { voidConsignment } from '../consignment-status/void.ts'
import { consignmentPriority } from '../consignments/priority.ts'
import { consignmentRoute } from '../consignments/route.ts'
import { wavePickConsignments } from '../jobs/wave-pick/consignments.ts'
import { consignmentDetailPdf } from '../paper/documents/consignments/detail-pdf.ts'
import { dgDeclarationPdf } from '../paper/documents/consignments/dg-declaration-pdf.ts'
import { dispatchConfirmationPdf } from '../paper/documents/consignments/dispatch-confirmation-pdf.ts'
import { pickingListPdf } from '../paper/documents/consignments/picking-list-pdf.ts'
import { receiptConfirmationPdf } from '../paper/documents/consignments/receipt-confirmation-pdf.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { Refusal, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import {
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  optional,
  PlainDate,
  type Static,
  Text,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { findWarehouse } from '../stock/commands/find-warehouse.ts'
import { BulkResult, ConsignmentPriority, ConsignmentStatus } from '../vocabulary/consignments.ts'
import { PartnerStatus, Relationship } from '../vocabulary/partners.ts'

const { Changed, Unchanged, Refused } = BulkResult

const papers = {
  detail: consignmentDetailPdf,
  'picking-list': pickingListPdf,
  'dg-declaration': dgDeclarationPdf,
  'dispatch-confirmation': dispatchConfirmationPdf,
  'receipt-confirmation': receiptConfirmationPdf,
}
type Paper = keyof typeof papers

const Values = named(
  'BulkValues',
  Type.Object({
    status: optional(IntegerEnum(ConsignmentStatus)),
    inTransitDispatchDateTime: optional(LocalTime),
    closedTransactionDate: optional(PlainDate),
    priority: optional(IntegerEnum(ConsignmentPriority)),
    carrierId: optional({ ...Uuid, description: 'null: no carrier' }),
    carrierReferenceNumber: optional(Text),
    reason: optional(Text),
    jobId: optional(Uuid),
    document: optional(Type.String({ enum: Object.keys(papers) })),
    printerId: optional(Uuid),
  }),
)
type Values = Static<typeof Values>

const BulkAct = named(
  'BulkAct',
  Type.Object({
    consignmentIds: Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }),
    action: Type.String({ enum: ['status', 'priority', 'carrier', 'void', 'job', 'print'] }),
    values: optional(Values),
  }),
)
type BulkAct = Static<typeof BulkAct>
type Action = 'status' | 'priority' | 'carrier' | 'void' | 'job' | 'print'

const BulkResults = named(
  'BulkResults',
  Type.Object({
    results: Type.Array(
      Type.Object({
        consignmentId: Uuid,
        consignmentNumber: nullable(Type.String()),
        result: IntegerEnum(BulkResult),
        messages: Type.Array(Type.String()),
      }),
    ),
  }),
)
type Result = Static<typeof BulkResults>['results'][number]

/** The values that an action cannot do without. A carrier may be null. */
const requiredValues: Record<Action, readonly (keyof Values)[]> = {
  status: ['status'],
  priority: ['priority'],
  carrier: ['carrierId'],
  void: [],
  job: ['jobId'],
  print: ['document', 'printerId'],
}

/** Throws 400 for values that the action lacks, and for an id that is listed twice. */
function requireWhole({ action, values, consignmentIds }: BulkAct): void {
  const given = values ?? {}
  const isMissing = (name: keyof Values) =>
    name === 'carrierId' ? given[name] === undefined : (given[name] ?? null) === null
  const faults: Fault[] = [
    ...requiredValues[action as Action]
      .filter(isMissing)
      .map(name => faultAt(`values.${name}`, `is required for the action ${action}`, 'required')),
    ...consignmentIds.flatMap((id, i) =>
      consignmentIds.indexOf(id) < i ? [faultAt(`consignmentIds[${i}]`, 'is listed twice', 'duplicate')] : [],
    ),
  ]
  if (faults.length > 0) throw validationFailed(...faults)
}

/** How the endpoint of a single consignment is called: its handler, what its path names, and its body. */
interface Act {
  endpoint: Endpoint
  params(consignmentId: string): Record<string, string>
  body(consignmentId: string): object
  /** carries it out instead of the handler, for as many at once as share a transaction */
  together?: (context: ActContext, consignmentId: string) => Promise<boolean>
}

type ActContext = Parameters<typeof setStatus>[0]

const byMethod = (endpoints: readonly Endpoint[], method: string, isOfPath = (_: string) => true): Endpoint =>
  endpoints.find(one => one.method === method && isOfPath(one.path)) as Endpoint

async function actOf(db: Db, actor: Actor, { action, values }: BulkAct): Promise<Act> {
  const { carrierId, carrierReferenceNumber, reason, jobId, document, printerId, ...rest } = values ?? {}
  const params = (consignmentId: string) => ({ consignmentId })
  switch (action as Action) {
    case 'status': {
      const { priority: _, ...body } = rest
      const status = { ...body, status: body.status as ConsignmentStatus }
      return {
        ...{ endpoint: byMethod(consignmentStatus, 'PUT'), params, body: () => body },
        ...(status.status === ConsignmentStatus.ReadyToPick && {
          together: (context: ActContext, id: string) => setStatus(context, id, status, readyInOrderKind),
        }),
      }
    }
    case 'priority':
      return {
        endpoint: byMethod(consignmentPriority, 'PUT'),
        params,
        body: () => ({ priority: rest.priority }),
      }
    case 'carrier': {
      const carrierCode = await carrierCodeOf(db, actor, carrierId ?? null)
      const reference =
        carrierReferenceNumber === undefined ? {} : { carrierReference: carrierReferenceNumber }
      return {
        endpoint: byMethod(consignmentRoute, 'PUT'),
        params,
        body: () => ({ carrierCode, ...reference }),
      }
    }
    case 'void':
      return { endpoint: byMethod(voidConsignment, 'PUT'), params, body: () => ({ reason }) }
    case 'job':
      return {
        endpoint: byMethod(wavePickConsignments, 'POST', path => path.endsWith('/add')),
        params: () => ({ jobId: jobId as string }),
        body: id => ({ consignmentIds: [id] }),
      }
    case 'print': {
      const printer = { printerId: printerId as string }
      return {
        endpoint: byMethod(papers[document as Paper], 'POST'),
        params,
        body: () => ({ ...printer, printOption: printer }),
      }
    }
  }
}

/** The code of an active carrier. Throws 400 if there is no such carrier. */
async function carrierCodeOf(db: Db, { organisationId }: Actor, id: string | null): Promise<string | null> {
  if (id === null) return null
  const carrier = await db.maybe<{ code: string }>(sql`
    select code from partner where organisation_id = ${organisationId} and id = ${id}
      and relationship = ${Relationship.Carrier} and status = ${PartnerStatus.Active}`)
  if (carrier === undefined)
    throw verificationFailed(
      faultAt('values.carrierId', 'does not refer to an active carrier', 'unknown_reference'),
    )
  return carrier.code
}

/** Calls the handler of an act in a transaction of its own. Returns whether it changed anything. */
async function perform(
  { database, ...context }: ActContext,
  { endpoint: { handle, ownTransactions }, params, body }: Act,
  consignmentId: string,
): Promise<boolean> {
  const call = handle as (context: object) => Promise<unknown>
  const request = { ...context, params: params(consignmentId), body: body(consignmentId) }
  const value = ownTransactions
    ? await call({ ...request, database })
    : await database.atomically(tx => call({ ...request, tx }))
  return value !== false
}

/** How many that share a transaction are asked for at once: as many as a door lets in together. */
const togetherAtOnce = 64

/**
 * What becomes of each consignment, in the given order: whether it was changed, or the refusal. A rehearsal
 * is one transaction, in which each sees what those before it did. Ends early when the client has left.
 */
async function* outcomesOf(
  context: ActContext,
  act: Act,
  consignmentIds: readonly string[],
): AsyncGenerator<[id: string, outcome: boolean | Refusal]> {
  const { database, actor, signal } = context
  const { together } = act
  const isOne = together === undefined || database !== database.original
  const size = isOne ? 1 : togetherAtOnce
  const one = isOne ? (id: string) => perform(context, act, id) : (id: string) => together(context, id)
  for (let i = 0; i < consignmentIds.length && !signal.aborted; i += size) {
    const ids = consignmentIds.slice(i, i + size)
    // Once the warehouses are known, all come to their doors in the given order.
    const known = isOne ? [] : ids.map(id => findWarehouse(database, actor.organisationId, clueOf(id)))
    await Promise.all(known)
    const settled = await Promise.allSettled(ids.map(one))
    for (const [n, outcome] of settled.entries()) {
      if (outcome.status === 'fulfilled') yield [ids[n] as string, outcome.value]
      else if (outcome.reason instanceof Refusal && outcome.reason.status < 500)
        yield [ids[n] as string, outcome.reason]
      else throw outcome.reason
    }
  }
}

const clueOf = (id: string) => ({ table: 'consignment', id }) as const

export const bulkConsignments = [
  endpoint({
    post: '/v1/consignments/bulk',
    name: 'updateConsignments',
    canBeRehearsed: true,
    partners: 'none',
    scope: ['consignment', 'job', 'print'],
    extension: true,
    summary: 'Do the same with many consignments',
    description:
      'Each consignment is changed or refused independently of the others, in the given order, as its own ' +
      'endpoint does it; the token needs the scope of that endpoint. `values` are those of the action: ' +
      '`status` (with inTransitDispatchDateTime, closedTransactionDate), `priority` (priority), `carrier` ' +
      '(carrierId, carrierReferenceNumber), `void` (reason), `job` (jobId of a wave pick), `print` ' +
      '(document, printerId). If the request is interrupted, `status`, `priority`, `carrier` and `void` ' +
      'can be sent again: what is done is Unchanged. `job` refuses what is in the job already, and `print` ' +
      'prints again.',
    body: BulkAct,
    response: json(BulkResults),
    ownTransactions: true,
    async handle({ database, actor, body, requestId, signal }) {
      requireWhole(body)
      const act = await actOf(database.db, actor, body)
      requireScope(actor, act.endpoint.access.scope)
      const { consignmentIds } = body
      const known = await database.db.rows<{ id: string; consignmentNumber: string }>(sql`
        select id, consignment_number from consignment
        where organisation_id = ${actor.organisationId} and id = any(${consignmentIds})`)
      const numbers = new Map(known.map(({ id, consignmentNumber }) => [id, consignmentNumber]))
      const told = new Map<string, Omit<Result, 'consignmentId' | 'consignmentNumber'>>()
      const context = { database, actor, requestId, signal }
      const found = consignmentIds.filter(id => numbers.has(id))
      for await (const [id, outcome] of outcomesOf(context, act, found)) {
        const isRefused = outcome instanceof Refusal
        const result = isRefused ? Refused : outcome ? Changed : Unchanged
        told.set(id, { result, messages: isRefused ? [...outcome.messages] : [] })
      }
      const unknown = { result: Refused, messages: ['Consignment not found.'] }
      const results = consignmentIds.flatMap((id): Result[] => {
        const outcome = numbers.has(id) ? told.get(id) : unknown
        // Nobody reads what would be done for a client that has left; it sends the request again.
        if (outcome === undefined) return []
        return [{ consignmentId: id, consignmentNumber: numbers.get(id) ?? null, ...outcome }]
      })
      return { results }
    },
  }),
]
