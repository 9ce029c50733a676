// Allocating stock to a consignment, by the rules of rotation or as a person chooses. Open-points 4.

import type { Tx } from '../platform/database/db.ts'
import { scale } from '../platform/decimal.ts'
import { faultsIn } from '../platform/http/entry-faults.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { Decimal, optional, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { allocateLines } from '../stock/allocation/allocate-lines.ts'
import {
  type OutwardLine,
  placesOfConsignments,
  readOutwardLines,
  shortOf,
} from '../stock/allocation/outward-lines.ts'
import { numberOf } from '../stock/inventory/quantities.ts'
import { doAlone, type StockCommandContext, stockCommand } from '../stock/inventory/stock-command.ts'
import { placesOf } from '../stock/inventory/stock-rows.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { AllocationAnswer, answerOf, refusalOfAllocation, tellOfAllocation } from './allocated-stock.ts'
import { allocateChosen, ChosenStock } from './chosen-stock.ts'
import { lockConsignment } from './consignment.ts'
import { allocateTogether } from './gathered-allocation.ts'

const path = '/v1/consignments/:consignmentId/allocate'

const AllocatedLine = Type.Object({
  consignmentProductId: Uuid,
  quantity: optional(Decimal(4, { exclusiveMinimum: 0 })),
  stock: Type.Optional(Type.Array(ChosenStock, { minItems: 1, maxItems: 1_000 })),
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
    gather: command => (command.body.lines === undefined ? allocateTogether(command) : doAlone(command)),
  }),
]

type Context = StockCommandContext<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

async function allocate({ tx, actor, params, body, source, occurredUtc, requestId }: Context) {
  const { organisationId } = actor
  const consignment = await lockConsignment(tx, actor, params.consignmentId)
  const refusal = refusalOfAllocation(consignment)
  if (refusal !== null) throw verificationFailed(refusal)
  const { id: consignmentId } = consignment
  const chosen = body.lines?.flatMap(({ stock = [] }) => stock.map(part => part.warehouseProductId)) ?? []
  const [ofLines, ofChosen] = await Promise.all([
    placesOfConsignments(tx, organisationId, [consignmentId]),
    placesOf(tx, organisationId, { warehouseProductIds: chosen }),
  ])
  const locked = await lockStock(tx, organisationId, [...ofLines, ...ofChosen])
  const movementId = newId()
  const request = { consignmentId, movementId, source, occurredUtc }
  let quantities: Map<string, bigint> | undefined
  if (body.lines !== undefined) {
    const lines = await linesOf(tx, organisationId, consignmentId, body.lines)
    await allocateChosen(tx, locked, request, lines)
    quantities = new Map(
      lines.filter(({ asked }) => !asked.stock).map(({ line, quantity }) => [line.id, quantity]),
    )
  }
  const [outcome] = await allocateLines(tx, locked, [{ ...request, quantities }])
  if (outcome === undefined) throw new Error('A consignment that was asked about has an outcome.')
  if (chosen.length > 0) Object.assign(outcome, { movementId })
  await tellOfAllocation(tx, { ...actor, requestId }, [consignment], [outcome])
  return answerOf(outcome)
}

/** The lines that a request names, with how much it wants for each. 400 with what is wrong about them. */
async function linesOf(
  tx: Tx,
  organisationId: string,
  consignmentId: string,
  asked: readonly Line[],
): Promise<{ asked: Line; line: OutwardLine; quantity: bigint }[]> {
  const lines = await readOutwardLines(tx, organisationId, [consignmentId])
  const byId = new Map(lines.map(line => [line.id, line]))
  const { refuse, throwIfAny } = faultsIn('lines')
  const found = asked.flatMap((entry, i) => {
    const line = byId.get(entry.consignmentProductId.toLowerCase())
    if (line === undefined) {
      refuse(i, 'the consignment has no such line, or the line is named before', 'unknown_reference')
      return []
    }
    byId.delete(line.id)
    const short = shortOf(line)
    const quantity = entry.quantity == null ? short : scale(4, entry.quantity)
    if (quantity > short && !entry.isOverride)
      refuse(i, `${numberOf(quantity)} are more than the ${numberOf(short)} that are short`, 'range')
    return [{ asked: entry, line, quantity }]
  })
  throwIfAny()
  return found
}
