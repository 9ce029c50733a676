// How requests to receive goods share a transaction. Spec 2.3, 2.14.

import type { LockedConsignment } from '../../consignments/consignment.ts'
import { emit, serviceOrigin } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { collectFaults } from '../../platform/http/entry-faults.ts'
import { Refusal, verificationFailed } from '../../platform/http/refusal.ts'
import {
  LocalTime,
  named,
  optional,
  ShortText,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { parseLocalTime } from '../../platform/local-time.ts'
import { type CommandKind, Postponed } from '../../stock/commands/command-kind.ts'
import { lackAttributes } from '../../stock/commands/goods-description.ts'
import { numberOf } from '../../stock/commands/quantities.ts'
import type { StockRequest } from '../../stock/commands/stock-command.ts'
import { type ConsignmentsOfRequests, consignmentOf, lockConsignmentsOf } from '../lock-consignments.ts'
import {
  type ArrivalPlan,
  outstandingLines,
  outstandingReceipts,
  planArrivals,
  receivedEvent,
  recordReceiveTimes,
  refuseRepeatedSerials,
  sumByLine,
} from './arrival.ts'
import { requireReceivable } from './inwards-consignment.ts'
import { type InwardsLine, readInwardsLines } from './inwards-line.ts'
import {
  type PlannedReceiving,
  planReceiving,
  type ReceiptOutcome,
  type Receiving,
  type ReceivingSnapshot,
  readReceiving,
  receivingTargets,
  writeReceiving,
} from './receive-goods.ts'
import { findReceivingPlaces, type ReceivingFacts, readReceivingFacts } from './receiving-facts.ts'
import { namedLines, RequestedReceipt, receiptFaults, toReceipts } from './requested-receipts.ts'

export const receiveFields = {
  receipts: optional(Type.Array(RequestedReceipt, { minItems: 1, maxItems: 5_000, rule: receiptFaults })),
  all: optional({
    ...Type.Boolean(),
    description: 'receives everything outstanding as announced, instead of `receipts`',
  }),
  warehouseLocationId: optional({
    ...Uuid,
    description: 'where all goods go whose receipt does not name a place',
  }),
  locationName: optional({ ...ShortText, description: 'the same, by its name' }),
  receivedDateTime: optional(LocalTime),
}

export const ReceiveAnswer = named(
  'ConsignmentReceiveResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({
        consignmentProductId: Uuid,
        receivedQuantity: Type.Number({ description: 'received for the line so far' }),
        overQuantity: Type.Number(),
        shortQuantity: Type.Number(),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
  }),
)

type ReceiveRequest = StockRequest<
  '/v1/consignments/:consignmentId/receive',
  Static<ReturnType<typeof Type.Object<typeof receiveFields>>>
>

/** What becomes of a request: what it receives, or why it receives nothing. */
type Prepared = Receiving & { arrival: ArrivalPlan }
interface ReceiveRecords {
  organisationId: string
  prepared: ReadonlyMap<ReceiveRequest, Prepared | Error>
}
interface FoundForReceiving {
  prepared: ReceiveRecords['prepared']
  snapshot: ReceivingSnapshot
}
interface PlannedReceive {
  request: ReceiveRequest
  prepared: Prepared
  planned: PlannedReceiving
}

/** About how many lines are received where a request receives everything. */
const typicalOutstanding = 200
// A request with more than this gains nothing by sharing, and those beside it would wait for it.
const maxSharedWeight = 500

const weigh = ({ body: { receipts } }: ReceiveRequest): number =>
  receipts?.reduce((sum, { serials }) => sum + Math.max(1, serials?.length ?? 0), 0) ?? typicalOutstanding

export const receiveKind: CommandKind<
  ReceiveRequest,
  Static<typeof ReceiveAnswer>,
  ReceiveRecords,
  FoundForReceiving,
  PlannedReceive
> = {
  mayShare: request => weigh(request) <= maxSharedWeight,
  weigh,
  async lockRecords(tx, requests, isShared) {
    const [first] = requests as [ReceiveRequest]
    const { organisationId } = first.actor
    const consignments = await lockConsignmentsOf(tx, requests, isShared, requireReceivable)
    return { organisationId, prepared: await prepare(tx, organisationId, requests, consignments, isShared) }
  },
  targets({ prepared }) {
    const targets = receivingTargets(valid(prepared.values()))
    return sql`select "warehouseId" as warehouse_id, "productId" as product_id
      from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, targets)}`
  },
  async read(tx, _, { organisationId, prepared }, requests) {
    const own = valid(requests.flatMap(request => prepared.get(request) ?? []))
    return { prepared, snapshot: await readReceiving(tx, organisationId, own) }
  },
  plan({ prepared, snapshot }, request) {
    const own = prepared.get(request) as Prepared | Error
    if (own instanceof Error) throw own
    return { request, prepared: own, planned: planReceiving(snapshot, own) }
  },
  async write(tx, locked, _, plans) {
    const { organisationId } = locked
    const received = await writeReceiving(
      tx,
      locked,
      plans.map(({ planned }) => planned),
    )
    await recordReceiveTimes(
      tx,
      organisationId,
      plans.map(({ prepared }) => prepared.arrival),
    )
    await emit(
      tx,
      serviceOrigin(organisationId),
      plans.map(({ request: { source, requestId }, planned: { arrival, receipts } }) => ({
        ...receivedEvent(arrival.consignment, receipts),
        origin: { organisationId, connectionId: source.connectionId, userId: source.userId, requestId },
      })),
    )
    return received.map(({ received: goods, ...movement }) => ({
      ...movement,
      consignmentProducts: lineTotals(goods),
    }))
  },
}

const valid = (prepared: Iterable<Prepared | Error>): Prepared[] =>
  [...prepared].flatMap(one => (one instanceof Error ? [] : [one]))

/** Returns what `work` returns, or the refusal or `Postponed` that it throws. */
function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal || error instanceof Postponed) return error
    throw error
  }
}

/** A request with its consignment, for which goods may be received. */
interface ReadyRequest {
  request: ReceiveRequest
  consignment: LockedConsignment
  arrival: ArrivalPlan
}

/** Reads the lines, products and places of requests, and makes their receipts. */
async function prepare(
  tx: Tx,
  organisationId: string,
  requests: readonly ReceiveRequest[],
  consignments: ConsignmentsOfRequests<ReceiveRequest, LockedConsignment>,
  isShared: boolean,
): Promise<Map<ReceiveRequest, Prepared | Error>> {
  const prepared = new Map<ReceiveRequest, Prepared | Error>()
  const open = requests.flatMap(request => {
    const arriving = attempt(() => toArrivalRequest(request, consignmentOf(consignments, request)))
    if (!(arriving instanceof Error)) return [{ request, ...arriving }]
    prepared.set(request, arriving)
    return []
  })
  if (open.length === 0) return prepared
  const arrivals = await planArrivals(tx, organisationId, open)
  const ready = open.flatMap(({ request, consignment }, n): ReadyRequest[] => {
    const arrival = arrivals[n] as ArrivalPlan | Refusal
    if (!(arrival instanceof Error)) return [{ request, consignment, arrival }]
    prepared.set(request, arrival)
    return []
  })
  const lines = Map.groupBy(
    await readInwardsLines(tx, organisationId, [...new Set(ready.map(({ consignment: { id } }) => id))]),
    ({ consignmentId }) => consignmentId,
  )
  const places = await findReceivingPlaces(
    tx,
    organisationId,
    ready.map(({ request: { body }, consignment }) => ({ body, consignment })),
  )
  const facts = await readFacts(tx, organisationId, ready, lines, isShared)
  for (const [n, one] of ready.entries()) {
    const place = places[n] as Receiving['receipts'][number]['location'] | Refusal
    const own = lines.get(one.consignment.id) ?? []
    prepared.set(
      one.request,
      place instanceof Refusal ? place : attempt(() => toReceiving(one, own, facts, place, isShared)),
    )
  }
  return prepared
}

/** Throws the refusal of a request that receives nothing, whatever is in stock. */
function toArrivalRequest({ body, source, occurredUtc }: ReceiveRequest, consignment: LockedConsignment) {
  const { receipts, all, receivedDateTime } = body
  if ((receipts ?? null) === null ? !all : all)
    throw verificationFailed({
      path: null,
      code: 'invalid',
      message: 'The body must have either receipts or all: true.',
    })
  const at = receivedDateTime ? parseLocalTime(receivedDateTime, consignment.timezoneId) : null
  return { consignment, source, occurredUtc, receivedDateTime: at }
}

/** Reads what the receipts of all requests are made of. */
function readFacts(
  tx: Tx,
  organisationId: string,
  ready: readonly ReadyRequest[],
  lines: ReadonlyMap<string, readonly InwardsLine[]>,
  isShared: boolean,
): Promise<ReceivingFacts> {
  const wanted = ready.map(({ request: { body }, consignment: { id } }) => {
    const own = lines.get(id) ?? []
    return body.receipts
      ? { lines: namedLines(own, body.receipts), outstanding: [] }
      : { lines: outstandingLines(own), outstanding: outstandingLines(own) }
  })
  const receipts = ready.flatMap(({ request: { body } }) => body.receipts ?? [])
  const facts = {
    lines: wanted.flatMap(one => one.lines),
    outstanding: wanted.flatMap(({ outstanding }) => outstanding),
    productIds: receipts.flatMap(({ partnerProductId }) => partnerProductId ?? []),
    attributes: receipts.map(({ attributes }) => attributes),
  }
  return readReceivingFacts(tx, organisationId, facts, { isShared })
}

/**
 * Makes the receipts of a request. Throws 400 if nothing is outstanding, and `Postponed` if attributes have
 * to be created, which only a request with a transaction of its own does.
 */
function toReceiving(
  { request: { body }, arrival }: ReadyRequest,
  lines: readonly InwardsLine[],
  facts: ReceivingFacts,
  place: Receiving['receipts'][number]['location'],
  isShared: boolean,
): Prepared {
  const { receipts: requested } = body
  const faults = collectFaults(requested ? 'paths' : 'words')
  const attributes = [
    ...(requested ?? []).map(receipt => receipt.attributes),
    ...(requested ? namedLines(lines, requested) : outstandingLines(lines)).map(line => line.attributes),
  ]
  if (isShared && lackAttributes(attributes, facts.attributeIds)) throw new Postponed({ isAlone: true })
  const receipts = requested
    ? toReceipts(arrival, { receipts: requested, place }, lines, facts, faults)
    : outstandingReceipts(
        arrival,
        lines,
        facts,
        ({ ordinal, productCode }) => `Line ${ordinal + 1} (${productCode})`,
        place,
      )
  if (!requested && receipts.length === 0)
    throw verificationFailed('Nothing of the consignment is outstanding.')
  refuseRepeatedSerials(receipts, faults)
  const dependsOnLines = !requested || receipts.some(({ line }) => line.isNew)
  return { arrival, receipts, faults, dependsOnLines }
}

/** The totals of each line for which anything was received. */
function lineTotals(
  received: readonly ReceiptOutcome[],
): Static<typeof ReceiveAnswer>['consignmentProducts'] {
  const rows = new Map<InwardsLine, Set<string>>()
  for (const { receipt, warehouseProductId } of received)
    rows.set(receipt.line, (rows.get(receipt.line) ?? new Set()).add(warehouseProductId))
  return sumByLine(received.map(({ receipt }) => receipt)).map(({ line, quantity }) => {
    const total = line.received + quantity
    const over = total - line.expected
    return {
      consignmentProductId: line.id,
      receivedQuantity: numberOf(total),
      overQuantity: numberOf(over > 0n ? over : 0n),
      shortQuantity: numberOf(over < 0n ? -over : 0n),
      warehouseProductIds: [...(rows.get(line) ?? [])],
    }
  })
}
