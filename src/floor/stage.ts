// The endpoint that stages picked goods: they move to another dock or onto logistic units. Spec 2.14;
// decision 4.

import type { Tx } from '../platform/database/db.ts'
import type { Fault } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { nullable, optional, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { findLocations, targetFields, targetOf } from '../stock/commands/location-reference.ts'
import { type StockRequest, stockCommand } from '../stock/commands/stock-command.ts'
import { UnitReference } from '../stock/logistic-units/unit-references.ts'
import { dockRefusal } from './picking/docks.ts'
import { type PlacedGoods, pickedEntryFaults, pickedGoodsFields } from './picking/picked-entries.ts'
import { pickedGoodsKind, type SelectingRequest } from './picking/picked-goods-kind.ts'

const unknownTarget: Fault = {
  path: null,
  code: 'unknown_reference',
  message: 'The warehouse has no location of that id or name.',
}

const body = {
  ...targetFields,
  toLogisticUnit: optional(UnitReference),
  lines: optional(
    Type.Array(Type.Object(pickedGoodsFields), { minItems: 1, maxItems: 1_000, rule: pickedEntryFaults }),
  ),
}
const path = '/v1/consignments/:consignmentId/stage'
type StageRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

/** Finds the location that each request names. */
async function findPlaces(
  tx: Tx,
  organisationId: string,
  served: readonly SelectingRequest<StageRequest>[],
): Promise<PlacedGoods[][]> {
  const references = served.map(({ request, consignment }) => targetOf(consignment.warehouseId, request.body))
  const locationOf = await findLocations(tx, organisationId, references)
  return served.map((one, i) => {
    const { goods, faults, request } = one
    const target = locationOf(references[i] as (typeof references)[number])
    if (target === undefined) {
      one.refusal = verificationFailed(unknownTarget)
      return []
    }
    return goods.map(({ n, ...rest }) => {
      const fault = dockRefusal(target, rest.part.row.productId)
      if (fault !== null) faults.refuse(n, `${target.name} ${fault}`, 'wrong_place')
      const unit = request.body.toLogisticUnit
      return { ...rest, refuse: faults.of(n), target, unit, allocationAfter: 'picked' as const }
    })
  })
}

const StageAnswer = Type.Object({
  movementId: Uuid,
  effectiveUtc: nullable(UtcTime),
  warehouseProductIds: Type.Array(Uuid),
})

export const stageKind = pickedGoodsKind<StageRequest, Static<typeof StageAnswer>>({
  array: 'lines',
  entriesOf: ({ body: { lines } }) => lines ?? null,
  reasonOf: () => null,
  findPlaces,
  toAnswer: moved => moved,
})

export const stageConsignment = [
  stockCommand({
    post: path,
    name: 'stageConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Move what a consignment has picked to another dock or onto units',
    description:
      'Without lines, everything that is picked moves. If toLogisticUnit is null, the goods are put down ' +
      'loose; if it is left out, a unit that moves whole stays together.',
    bodyName: 'ConsignmentStaging',
    body,
    answer: StageAnswer,
    kind: stageKind,
  }),
]
