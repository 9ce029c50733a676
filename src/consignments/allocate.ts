// Allocating stock to a consignment, by the rules of rotation or as a person chooses. Open-points 4.

import { sql, type Tx } from '../platform/database/db.ts'
import { scale } from '../platform/decimal.ts'
import { collectEntryFaults } from '../platform/http/entry-faults.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { optional, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { allocateLines } from '../stock/allocation/allocate-lines.ts'
import {
  lockTargetsOfConsignments,
  type OutwardLine,
  readOutwardLines,
  shortageOf,
} from '../stock/allocation/outward-lines.ts'
import { convertToItems, productOfLine } from '../stock/inventory/convert-to-items.ts'
import { numberOf } from '../stock/inventory/quantities.ts'
import { runAlone, type StockCommandContext, stockCommand } from '../stock/inventory/stock-command.ts'
import { matchStock, resolveRowIds, selectorFaults } from '../stock/inventory/stock-selector.ts'
import { partFields } from '../stock/inventory/take.ts'
import { type LockedStock, lockQueriedStock } from '../stock/ledger/stock-lock.ts'
import { AllocationAnswer, answerOf, emitAllocationEvents, refusalOfAllocation } from './allocation-result.ts'
import { allocateInBatch } from './batched-allocation.ts'
import { lockConsignment } from './consignment.ts'
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
})
const body = { lines: Type.Optional(Type.Array(AllocatedLine, { minItems: 1, maxItems: 1_000 })) }
type Line = Static<typeof AllocatedLine>

export const allocateConsignment = [
  stockCommand({
    post: path,
    name: 'allocateConsignmentStock',
    scope: ['consignment', 'inventory'],
    summary: 'Allocate stock to a consignment',
    description:
      'What is short of every line, or of each of `lines` the quantity, by the rules of rotation; what ' +
      'there is not stays short. `stock` is chosen by a person: other stock than the line may have needs ' +
      'isOverride. The consignment is ReadyToPick.',
    bodyName: 'ConsignmentAllocation',
    body,
    bodyOptional: true,
    answer: AllocationAnswer,
    run: allocate,
    gather: command => (command.body.lines === undefined ? allocateInBatch(command) : runAlone(command)),
  }),
]

type Context = StockCommandContext<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

async function allocate({ tx, actor, params, body, source, occurredUtc, requestId }: Context) {
  const { organisationId } = actor
  const consignment = await lockConsignment(tx, actor, params.consignmentId)
  const refusal = refusalOfAllocation(consignment)
  if (refusal !== null) throw verificationFailed(refusal)
  const { id: consignmentId, warehouseId } = consignment
  const chosen = body.lines?.flatMap(({ stock = [] }) => stock) ?? []
  const matches = await matchStock(tx, organisationId, chosen, warehouseId)
  const locked = await lockQueriedStock(
    tx,
    organisationId,
    sql`${lockTargetsOfConsignments(organisationId, [consignmentId])}
      union all select warehouse_id, product_id from warehouse_product
      where organisation_id = ${organisationId} and id = any(${matches.flat().map(({ id }) => id)})`,
  )
  const movementId = newId()
  const request = { consignmentId, movementId, source, occurredUtc }
  let quantities: Map<string, bigint> | undefined
  if (body.lines !== undefined) {
    const all = await readOutwardLines(tx, organisationId, [consignmentId])
    const named = await withSelectedRows(tx, locked, { warehouseId, lines: all }, body.lines)
    const asked = await convertToItems(tx, organisationId, named, 'lines', productOfLine(all))
    const lines = linesOf(all, asked)
    await allocateSelection(tx, locked, request, lines)
    quantities = new Map(
      lines.filter(({ asked }) => !asked.stock).map(({ line, quantity }) => [line.id, quantity]),
    )
  }
  const [outcome] = await allocateLines(tx, locked, [{ ...request, quantities }])
  if (outcome === undefined) throw new Error('A consignment that was asked about has an outcome.')
  if (chosen.length > 0) Object.assign(outcome, { movementId })
  await emitAllocationEvents(tx, { ...actor, requestId }, [consignment], [outcome])
  return answerOf(outcome)
}

/** The lines with each part of their stock by the id of its row, in items. 400 where one cannot be that. */
async function withSelectedRows(
  tx: Tx,
  locked: LockedStock,
  { warehouseId, lines }: { warehouseId: string | null; lines: readonly OutwardLine[] },
  asked: readonly Line[],
): Promise<Line[]> {
  const parts = asked.flatMap(({ consignmentProductId, stock = [] }, i) =>
    stock.map((part, k) => ({ ...part, consignmentProductId, i, k })),
  )
  const array = (n: number) => `lines[${parts[n]?.i}].stock[${parts[n]?.k}]`
  const named = await resolveRowIds(tx, locked, parts, { array, warehouseId })
  const found = (await convertToItems(tx, locked.organisationId, named, array, productOfLine(lines))).values()
  return asked.map(line =>
    line.stock ? { ...line, stock: line.stock.map(() => found.next().value as StockSelection) } : line,
  )
}

/** The lines that a request names, with how much it wants for each. 400 with what is wrong about them. */
function linesOf(
  lines: readonly OutwardLine[],
  asked: readonly Line[],
): { asked: Line; line: OutwardLine; quantity: bigint }[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  const { refuse, throwIfAny } = collectEntryFaults('lines')
  const found = asked.flatMap((entry, i) => {
    const line = byId.get(entry.consignmentProductId.toLowerCase())
    if (line === undefined) {
      refuse(i, 'the consignment has no such line, or the line is named before', 'unknown_reference')
      return []
    }
    byId.delete(line.id)
    const short = shortageOf(line)
    const quantity = entry.quantity == null ? short : scale(4, entry.quantity)
    if (quantity > short && !entry.isOverride)
      refuse(i, `${numberOf(quantity)} are more than the ${numberOf(short)} that are short`, 'range')
    return [{ asked: entry, line, quantity }]
  })
  throwIfAny()
  return found
}
