// The endpoint that unpicks goods: they go back to a storage location. Spec 2.14; decision 4.

import type { Tx } from '../platform/database/db.ts'
import { collectEntryFaults, type ReportEntryFault } from '../platform/http/entry-faults.ts'
import { nullable, optional, type Static, Text, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { readOutboundLines } from '../stock/allocation/outbound-lines.ts'
import {
  findLocations,
  hasLocation,
  type StockLocation,
  targetFields,
  targetOf,
  unknownTarget,
} from '../stock/commands/location-reference.ts'
import { numberOf } from '../stock/commands/quantities.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import type { UnitReference } from '../stock/logistic-units/unit-references.ts'
import { putBackPickedGoods } from '../stock/picking/move-picked.ts'
import { splitByOrigin } from '../stock/picking/pick-origins.ts'
import { readPickedStock } from '../stock/picking/picked-stock.ts'
import { dockRefusal } from './picking/docks.ts'
import {
  LineFigures,
  lockOutwardsConsignment,
  lockStockForPicking,
  markPickingConfirmed,
  publishLineChanges,
  statusesWithPickedGoods,
  toLineFigures,
} from './picking/outwards-consignment.ts'
import {
  findPickedGoods,
  type PickedGoods,
  pickedEntryFaults,
  pickedGoodsFields,
  resolveDestinations,
  resolvePickedEntries,
} from './picking/picked-entries.ts'

const Unpick = Type.Object({ ...pickedGoodsFields, ...targetFields, release: optional(Type.Boolean()) })
type Unpick = Static<typeof Unpick>

/** Picked goods with the place where they are put, and whether they stay allocated. */
interface PlacedGoods {
  goods: PickedGoods
  place: { target: StockLocation; unit: UnitReference | undefined }
  isReleased: boolean
}

/**
 * Finds where the goods of each entry are put: into the location that it names, or to where they were picked
 * from. Reports goods without a place to `refuse`.
 */
async function findPlaces(
  tx: Tx,
  { organisationId, warehouseId }: { organisationId: string; warehouseId: string },
  unpicks: readonly Unpick[],
  picked: readonly PickedGoods[],
  refuse: ReportEntryFault,
): Promise<PlacedGoods[]> {
  const entryOf = ({ n }: PickedGoods) => unpicks[n] as Unpick
  const isPlaced = (goods: PickedGoods) => hasLocation(targetOf(warehouseId, entryOf(goods)))
  const toOrigin = picked.filter(goods => !isPlaced(goods))
  const split = [
    ...picked.filter(isPlaced).map(goods => ({ goods, origin: null })),
    ...(await splitByOrigin(tx, organisationId, toOrigin)),
  ]
  const withReferences = split.map(({ goods, origin }) => ({
    goods,
    origin,
    reference: origin
      ? { warehouseId, warehouseLocationId: origin.warehouseLocationId }
      : targetOf(warehouseId, entryOf(goods)),
  }))
  const locationOf = await findLocations(
    tx,
    organisationId,
    withReferences.map(({ reference }) => reference),
  )
  return withReferences.flatMap(({ goods, origin, reference }): PlacedGoods[] => {
    const { n, part, quantity } = goods
    if (!hasLocation(reference)) {
      const what = `${numberOf(quantity)} of ${part.productCode}`
      refuse(n, `${what} do not tell where they were picked from: say where to put them`, 'required')
      return []
    }
    const target = locationOf(reference)
    if (target === undefined) {
      refuse(n, ...unknownTarget)
      return []
    }
    const fault = dockRefusal(target, part.row.productId)
    if (fault !== null) refuse(n, `${target.name} ${fault}`, 'wrong_place')
    const unit = origin?.logisticUnitId ? { logisticUnitId: origin.logisticUnitId } : undefined
    return [{ goods, place: { target, unit }, isReleased: entryOf(goods).release ?? false }]
  })
}

export const unpickConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/unpick',
    name: 'unpickConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Put picked goods back',
    description:
      'They go to the given location, or else to where they were picked from, each to its own place. There ' +
      'they stay allocated to their line, unless release is true.',
    bodyName: 'ConsignmentUnpick',
    body: {
      unpicks: Type.Array(Unpick, { minItems: 1, maxItems: 1_000, rule: pickedEntryFaults }),
      reason: optional(Text),
    },
    answer: Type.Object({
      movementId: Uuid,
      effectiveUtc: nullable(UtcTime),
      warehouseProductIds: Type.Array(Uuid),
      consignmentProducts: Type.Array(LineFigures),
    }),
    async run({ tx, actor, params, body: { unpicks: requested, reason }, source, requestId, occurredUtc }) {
      const consignment = await lockOutwardsConsignment(
        tx,
        actor,
        params.consignmentId,
        statusesWithPickedGoods,
      )
      const { organisationId, warehouseId, id } = consignment
      const rowIds = (await readPickedStock(tx, organisationId, [id])).map(({ row }) => row.id)
      const locked = await lockStockForPicking(tx, organisationId, [id], rowIds)
      const parts = await readPickedStock(tx, organisationId, [id])
      const before = await readOutboundLines(tx, organisationId, [id])
      const context = { array: 'unpicks', warehouseId, lines: before }
      const unpicks = await resolvePickedEntries(tx, locked, context, requested)
      const { refuse, throwIfAny } = collectEntryFaults('unpicks')
      const goods = await findPlaces(
        tx,
        { organisationId, warehouseId },
        unpicks,
        findPickedGoods(parts, unpicks, refuse),
        refuse,
      )
      const destined = await resolveDestinations(
        tx,
        locked,
        goods.map(entry => entry.goods),
        goods.map(({ place }) => place),
        refuse,
      )
      throwIfAny()
      const moved = await putBackPickedGoods(
        tx,
        locked,
        { source, occurredUtc, reason: reason || null },
        destined.map((part, i) => ({ ...part, isReleased: goods[i]?.isReleased ?? false })),
      )
      await markPickingConfirmed(tx, [consignment])
      const after = await publishLineChanges(tx, { ...actor, requestId }, [consignment], before)
      return { ...moved, consignmentProducts: toLineFigures(after) }
    },
  }),
]
