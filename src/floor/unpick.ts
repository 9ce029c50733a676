// The endpoint that unpicks goods: they go back to a storage location. Spec 2.14; decision 4.

import type { Tx } from '../platform/database/db.ts'
import { nullable, optional, type Static, Text, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import {
  findLocations,
  hasLocation,
  targetFields,
  targetOf,
  unknownTarget,
} from '../stock/commands/location-reference.ts'
import { numberOf } from '../stock/commands/quantities.ts'
import { type StockRequest, stockCommand } from '../stock/commands/stock-command.ts'
import { splitByOrigin } from '../stock/picking/pick-origins.ts'
import { dockRefusal } from './picking/docks.ts'
import { LineFigures, markPickingConfirmed, toLineFigures } from './picking/outwards-consignment.ts'
import { type PlacedGoods, pickedEntryFaults, pickedGoodsFields } from './picking/picked-entries.ts'
import { pickedGoodsKind, type SelectingRequest } from './picking/picked-goods-kind.ts'

const Unpick = Type.Object({ ...pickedGoodsFields, ...targetFields, release: optional(Type.Boolean()) })
const body = {
  unpicks: Type.Array(Unpick, { minItems: 1, maxItems: 1_000, rule: pickedEntryFaults }),
  reason: optional(Text),
}
const path = '/v1/consignments/:consignmentId/unpick'
type UnpickRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

/**
 * Finds where the goods of each entry are put: into the location that it names, or to where they were picked
 * from.
 */
async function findPlaces(
  tx: Tx,
  organisationId: string,
  served: readonly SelectingRequest<UnpickRequest>[],
): Promise<PlacedGoods[][]> {
  const picked = served.flatMap(({ request, consignment: { warehouseId }, faults, goods }) =>
    goods.map(one => {
      const entry = request.body.unpicks[one.n] as Static<typeof Unpick>
      const given = targetOf(warehouseId, entry)
      return { ...one, request, warehouseId, given, refuse: faults.of(one.n), isReleased: entry.release }
    }),
  )
  const toOrigin = picked.filter(({ given }) => !hasLocation(given))
  const split = [
    ...picked.filter(({ given }) => hasLocation(given)).map(goods => ({ goods, origin: null })),
    ...(await splitByOrigin(tx, organisationId, toOrigin)),
  ].map(({ goods, origin }) => {
    const { warehouseId, given } = goods
    const { warehouseLocationId } = origin ?? {}
    return { goods, origin, reference: origin ? { warehouseId, warehouseLocationId } : given }
  })
  const locationOf = await findLocations(
    tx,
    organisationId,
    split.map(({ reference }) => reference),
  )
  const placed = split.flatMap(({ goods: { request, isReleased, ...goods }, origin, reference }) => {
    const { refuse, part, quantity } = goods
    if (!hasLocation(reference)) {
      const what = `${numberOf(quantity)} of ${part.productCode}`
      refuse(`${what} do not tell where they were picked from: say where to put them`, 'required')
      return []
    }
    const target = locationOf(reference)
    if (target === undefined) {
      refuse(...unknownTarget)
      return []
    }
    const fault = dockRefusal(target, part.row.productId)
    if (fault !== null) refuse(`${target.name} ${fault}`, 'wrong_place')
    const unit = origin?.logisticUnitId ? { logisticUnitId: origin.logisticUnitId } : undefined
    const allocationAfter = isReleased ? ('released' as const) : ('unpicked' as const)
    return [{ ...goods, request, target, unit, formerUnitId: origin?.formerUnitId ?? null, allocationAfter }]
  })
  return served.map(({ request }) => placed.filter(goods => goods.request === request))
}

const UnpickAnswer = Type.Object({
  movementId: Uuid,
  effectiveUtc: nullable(UtcTime),
  warehouseProductIds: Type.Array(Uuid),
  consignmentProducts: Type.Array(LineFigures),
})

export const unpickKind = pickedGoodsKind<UnpickRequest, Static<typeof UnpickAnswer>>({
  array: 'unpicks',
  entriesOf: ({ body: { unpicks } }) => unpicks,
  reasonOf: ({ body: { reason } }) => reason || null,
  findPlaces,
  writeMore: markPickingConfirmed,
  toAnswer: (moved, lines) => ({ ...moved, consignmentProducts: toLineFigures(lines) }),
})

export const unpickConsignment = [
  stockCommand({
    post: path,
    name: 'unpickConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Put picked goods back',
    description:
      'They go to the given location, or else to where they were picked from, each to its own place. There ' +
      'they stay allocated to their line, unless release is true.',
    bodyName: 'ConsignmentUnpick',
    body,
    answer: UnpickAnswer,
    kind: unpickKind,
  }),
]
