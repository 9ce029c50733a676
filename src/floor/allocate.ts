// Allocates stock to a consignment, by the rules of rotation or as the request selects it. Decision 4.

import { lockConsignment } from '../consignments/consignment.ts'
import { emit, serviceOrigin } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { scale, smaller } from '../platform/decimal.ts'
import { collectEntryFaults } from '../platform/http/entry-faults.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { optional, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { allocateLines, linesAfter, postPlan } from '../stock/allocation/allocate-lines.ts'
import {
  lockTargetsOfConsignments,
  type OutboundLine,
  readOutboundLines,
  shortageOf,
} from '../stock/allocation/outbound-lines.ts'
import { releaseLines } from '../stock/allocation/release-lines.ts'
import { convertToItems, productOfRowOrLine } from '../stock/commands/convert-to-items.ts'
import { partFields } from '../stock/commands/plan-take.ts'
import { numberOf } from '../stock/commands/quantities.ts'
import { type StockCommandContext, type StockRequest, stockCommand } from '../stock/commands/stock-command.ts'
import { matchStock, resolveRowIds, selectorFaults } from '../stock/commands/stock-selector.ts'
import { type LockedStock, lockQueriedStock } from '../stock/ledger/stock-lock.ts'
import { allocationKind } from './allocation-kind.ts'
import {
  AllocationResponse,
  allocationRefusal,
  raiseAllocationEvents,
  toAllocationResponse,
} from './allocation-response.ts'
import { lineChangeEvents } from './picking/outwards-consignment.ts'
import { allocateSelection, StockSelection } from './stock-selection.ts'

const path = '/v1/consignments/:consignmentId/allocate'

const selectionFaults = (value: unknown) =>
  (Array.isArray(value) ? value : []).flatMap((entry, k) => selectorFaults(`[${k}]`, entry))

const { serials: _, ...allocatedFields } = partFields
const AllocatedLine = Type.Object({
  consignmentProductId: Uuid,
  ...allocatedFields,
  stock: Type.Optional(Type.Array(StockSelection, { minItems: 1, maxItems: 1_000, rule: selectionFaults })),
  isOverride: optional(Type.Boolean()),
  isReplacement: optional({
    ...Type.Boolean(),
    description:
      'Selected stock, with its quantities, replaces what the line has and is not picked: as much as ' +
      'exceeds its shortage is released, the latest allocation first.',
  }),
})
const body = { lines: Type.Optional(Type.Array(AllocatedLine, { minItems: 1, maxItems: 1_000 })) }
type RequestedLine = Static<typeof AllocatedLine>

type Body = Static<ReturnType<typeof Type.Object<typeof body>>>

/** Allocation of all that is short, by the rules; what selects lines or stock runs alone. */
const allocateKind = allocationKind<StockRequest<typeof path, Body>, AllocationResponse>({
  mayShare: ({ body }) => body.lines === undefined,
  check(consignment) {
    const refusal = allocationRefusal(consignment)
    if (refusal !== null) throw verificationFailed(refusal)
  },
  async write(tx, locked, served, plan) {
    const requestOf = new Map(served.map(({ request, consignment }) => [consignment.id, request]))
    const consignments = served.map(({ consignment }) => consignment)
    const events = lineChangeEvents(consignments, plan.lines, linesAfter(plan)).map(event => {
      const { actor, requestId } = requestOf.get(event.subjectId) as StockRequest<typeof path, Body>
      return { ...event, origin: { ...actor, requestId } }
    })
    const requests = served.map(({ request: { source, occurredUtc }, consignment }) => ({
      ...{ consignmentId: consignment.id, source, occurredUtc },
    }))
    const [outcomes] = await Promise.all([
      postPlan(tx, locked, requests, plan),
      emit(tx, serviceOrigin(locked.organisationId), events),
    ])
    return outcomes.map(toAllocationResponse)
  },
})

export const allocateConsignment = [
  stockCommand({
    post: path,
    name: 'allocateConsignmentStock',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Allocate stock to a consignment',
    description:
      'Allocates the short quantity of every line, or the given quantity of each of `lines`, by the rules ' +
      'of rotation. What is not in stock stays short. `stock` selects particular stock instead; stock that ' +
      'the line could not get otherwise needs isOverride, and stock in place of what it has isReplacement. ' +
      'The consignment must be ReadyToPick.',
    bodyName: 'ConsignmentAllocation',
    body,
    bodyOptional: true,
    answer: AllocationResponse,
    kind: allocateKind,
    run: allocate,
  }),
]

type AllocationContext = StockCommandContext<typeof path, Body>

/** Allocates to the lines that a request names, and the stock that it selects. */
async function allocate({ tx, actor, params, body, source, occurredUtc, requestId }: AllocationContext) {
  const { organisationId } = actor
  const consignment = await lockConsignment(tx, actor, params.consignmentId)
  const refusal = allocationRefusal(consignment)
  if (refusal !== null) throw verificationFailed(refusal)
  const { id: consignmentId, warehouseId } = consignment
  const requested = body.lines ?? []
  const selected = requested.flatMap(({ stock = [] }) => stock)
  const matches = await matchStock(tx, organisationId, selected, warehouseId)
  const locked = await lockQueriedStock(
    tx,
    organisationId,
    sql`${lockTargetsOfConsignments(organisationId, [consignmentId])}
      union all select warehouse_id, product_id from warehouse_product
      where organisation_id = ${organisationId} and id = any(${matches.flat().map(({ id }) => id)})`,
  )
  const movementId = newId()
  const request = { consignmentId, movementId, source, occurredUtc }
  const before = await readOutboundLines(tx, organisationId, [consignmentId])
  let allLines = before
  const withRows = await resolveSelectedRows(tx, locked, { warehouseId, lines: allLines }, requested)
  const productOfLine = await productOfRowOrLine(tx, organisationId, [], allLines)
  const inItems = await convertToItems(tx, organisationId, withRows, 'lines', productOfLine)
  const replaced = partsToReplace(allLines, inItems)
  if (replaced.length > 0) {
    await releaseLines(tx, locked, { consignmentId, parts: replaced, source, occurredUtc })
    allLines = await readOutboundLines(tx, organisationId, [consignmentId])
  }
  const lines = matchLines(allLines, inItems)
  const selectedUtc = await allocateSelection(tx, locked, request, lines)
  const quantities = new Map(
    lines.filter(({ requested }) => !requested.stock).map(({ line, quantity }) => [line.id, quantity]),
  )
  const [outcome] = await allocateLines(tx, locked, [{ ...request, quantities }])
  if (outcome === undefined) throw new Error('An allocation request has no outcome.')
  if (selectedUtc !== null)
    Object.assign(outcome, { movementId, effectiveUtc: outcome.effectiveUtc ?? selectedUtc })
  await raiseAllocationEvents(tx, { ...actor, requestId }, [consignment], [outcome], before)
  return toAllocationResponse(outcome)
}

/**
 * Resolves the rows of the selected stock of lines, and converts its quantities to items. Throws 400 for
 * faults.
 */
async function resolveSelectedRows(
  tx: Tx,
  locked: LockedStock,
  { warehouseId, lines }: { warehouseId: string | null; lines: readonly OutboundLine[] },
  requested: readonly RequestedLine[],
): Promise<RequestedLine[]> {
  const parts = requested.flatMap(({ consignmentProductId, stock = [] }, i) =>
    stock.map((part, k) => ({ ...part, consignmentProductId, i, k })),
  )
  const array = (n: number) => `lines[${parts[n]?.i}].stock[${parts[n]?.k}]`
  const withRowIds = await resolveRowIds(tx, locked, parts, { array, warehouseId })
  const productOf = await productOfRowOrLine(tx, locked.organisationId, withRowIds, lines)
  const found = (await convertToItems(tx, locked.organisationId, withRowIds, array, productOf)).values()
  return requested.map(line =>
    line.stock ? { ...line, stock: line.stock.map(() => found.next().value as StockSelection) } : line,
  )
}

/** What lines have to release for the stock that replaces it. */
function partsToReplace(
  lines: readonly OutboundLine[],
  requested: readonly RequestedLine[],
): { consignmentProductId: string; quantity: bigint }[] {
  return requested.flatMap(({ consignmentProductId, isReplacement, stock = [] }) => {
    const line = lines.find(({ id }) => id === consignmentProductId)
    if (!isReplacement || line === undefined) return []
    const selected = stock.reduce(
      (sum, part) => sum + scale(4, part.quantity ?? part.serials?.length ?? 0),
      0n,
    )
    const quantity = smaller(selected - shortageOf(line), line.allocated)
    return quantity > 0n ? [{ consignmentProductId, quantity }] : []
  })
}

/**
 * Finds the lines that a request names, with the requested quantity of each in ten-thousandths. Throws 400
 * for faults.
 */
function matchLines(
  lines: readonly OutboundLine[],
  requested: readonly RequestedLine[],
): { requested: RequestedLine; line: OutboundLine; quantity: bigint }[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  const { refuse, throwIfAny } = collectEntryFaults('lines')
  const found = requested.flatMap((entry, i) => {
    const line = byId.get(entry.consignmentProductId)
    if (line === undefined) {
      refuse(i, 'consignmentProductId does not refer to a line of the consignment', 'unknown_reference')
      return []
    }
    if (requested.findIndex(other => other.consignmentProductId === line.id) < i) {
      refuse(i, 'the line is listed twice', 'duplicate')
      return []
    }
    const short = shortageOf(line)
    const quantity = entry.quantity == null ? short : scale(4, entry.quantity)
    if (quantity > short && !entry.isOverride)
      refuse(
        i,
        `${numberOf(quantity)} exceeds the shortage of ${numberOf(short)}; isOverride allows more`,
        'range',
      )
    return [{ requested: entry, line, quantity }]
  })
  throwIfAny()
  return found
}
