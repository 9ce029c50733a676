// The endpoint that unpicks goods: they go back to a storage location. Spec 2.14; open-points 4.

import { collectEntryFaults } from '../platform/http/entry-faults.ts'
import { nullable, optional, Text, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { readOutwardLines } from '../stock/allocation/outward-lines.ts'
import {
  findLocations,
  hasLocation,
  targetFields,
  targetOf,
  unknownTarget,
} from '../stock/commands/location-reference.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { findPickOrigins, unpick as putBack } from '../stock/picking/move-picked.ts'
import { readPickedStock } from '../stock/picking/picked-stock.ts'
import { dockRefusal } from './picking/confirm-picks.ts'
import {
  LineFigures,
  lockOutwards,
  lockStockOf,
  publishLineChanges,
  statusesWithPickedGoods,
  toFigures,
} from './picking/outwards-lines.ts'
import {
  findPickedGoods,
  pickedEntryFaults,
  pickedFields,
  resolveDestinations,
  resolveEntries,
} from './picking/picked-entries.ts'

const Unpick = Type.Object({ ...pickedFields, ...targetFields, release: optional(Type.Boolean()) })

export const unpick = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/unpick',
    name: 'unpickConsignment',
    scope: ['consignment', 'inventory'],
    summary: 'Put picked goods back',
    description:
      'They go to the given location, or else to where they were picked from. There they stay allocated to ' +
      'their line, unless release is true.',
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
      const consignment = await lockOutwards(tx, actor, params.consignmentId, statusesWithPickedGoods)
      const { organisationId, warehouseId, id } = consignment
      const rowIds = (await readPickedStock(tx, organisationId, [id])).map(({ row }) => row.id)
      const locked = await lockStockOf(tx, organisationId, [id], rowIds)
      const parts = await readPickedStock(tx, organisationId, [id])
      const before = await readOutwardLines(tx, organisationId, [id])
      const context = { array: 'unpicks', warehouseId, lines: before }
      const unpicks = await resolveEntries(tx, locked, context, requested)
      const origins = await findPickOrigins(
        tx,
        organisationId,
        unpicks.map(({ consignmentProductId }) => consignmentProductId),
      )
      const { refuse, throwIfAny } = collectEntryFaults('unpicks')
      const references = unpicks.map(entry => {
        const target = targetOf(warehouseId, entry)
        const origin = origins.get(entry.consignmentProductId)
        return hasLocation(target)
          ? target
          : { warehouseId, warehouseLocationId: origin?.warehouseLocationId }
      })
      const location = await findLocations(tx, organisationId, references)
      const goods = findPickedGoods(parts, unpicks, refuse).flatMap(picked => {
        const entry = unpicks[picked.n] as (typeof unpicks)[number]
        const target = location(references[picked.n] as (typeof references)[number])
        if (target === undefined) {
          refuse(picked.n, ...unknownTarget)
          return []
        }
        const fault = dockRefusal(target, picked.part.row.productId)
        if (fault !== null) refuse(picked.n, `${target.name} ${fault}`, 'state')
        const origin = hasLocation(targetOf(warehouseId, entry))
          ? null
          : origins.get(entry.consignmentProductId)
        const unit = origin?.logisticUnitId ? { logisticUnitId: origin.logisticUnitId } : undefined
        return [{ goods: picked, place: { target, unit }, isReleased: entry.release ?? false }]
      })
      const destined = await resolveDestinations(
        tx,
        locked,
        goods.map(entry => entry.goods),
        goods.map(({ place }) => place),
        refuse,
      )
      throwIfAny()
      const moved = await putBack(
        tx,
        locked,
        { source, occurredUtc, reason: reason || null },
        destined.map((part, i) => ({ ...part, isReleased: goods[i]?.isReleased ?? false })),
      )
      const after = await publishLineChanges(tx, { ...actor, requestId }, [consignment], before)
      return { ...moved, consignmentProducts: toFigures(after) }
    },
  }),
]
