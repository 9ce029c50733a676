// The endpoint that stages picked goods: they move to another dock or onto logistic units. Spec 2.14;
// decision 4.

import { collectEntryFaults } from '../platform/http/entry-faults.ts'
import type { Fault } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { nullable, optional, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { readOutboundLines } from '../stock/allocation/outbound-lines.ts'
import { findLocations, targetFields, targetOf } from '../stock/commands/location-reference.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { UnitReference } from '../stock/logistic-units/unit-references.ts'
import { stagePickedGoods } from '../stock/picking/move-picked.ts'
import { readPickedStock } from '../stock/picking/picked-stock.ts'
import { dockRefusal } from './picking/docks.ts'
import {
  lockOutwardsConsignment,
  lockStockForPicking,
  publishLineChanges,
  statusesWithPickedGoods,
} from './picking/outwards-consignment.ts'
import {
  findPickedGoods,
  pickedEntryFaults,
  pickedGoodsFields,
  resolveDestinations,
  resolvePickedEntries,
} from './picking/picked-entries.ts'

const unknownTarget: Fault = {
  path: null,
  code: 'unknown_reference',
  message: 'The warehouse has no location of that id or name.',
}

export const stageConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/stage',
    name: 'stageConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Move what a consignment has picked to another dock or onto units',
    description:
      'Without lines, everything that is picked moves. If toLogisticUnit is null, the goods are put down ' +
      'loose; if it is left out, a unit that moves whole stays together.',
    bodyName: 'ConsignmentStaging',
    body: {
      ...targetFields,
      toLogisticUnit: optional(UnitReference),
      lines: optional(
        Type.Array(Type.Object(pickedGoodsFields), { minItems: 1, maxItems: 1_000, rule: pickedEntryFaults }),
      ),
    },
    answer: Type.Object({
      movementId: Uuid,
      effectiveUtc: nullable(UtcTime),
      warehouseProductIds: Type.Array(Uuid),
    }),
    async run({ tx, actor, params, body, source, requestId, occurredUtc }) {
      const consignment = await lockOutwardsConsignment(
        tx,
        actor,
        params.consignmentId,
        statusesWithPickedGoods,
      )
      const { organisationId, warehouseId, id } = consignment
      const reference = targetOf(warehouseId, body)
      const target = (await findLocations(tx, organisationId, [reference]))(reference)
      if (target === undefined) throw verificationFailed(unknownTarget)
      const rowIds = (await readPickedStock(tx, organisationId, [id])).map(({ row }) => row.id)
      const locked = await lockStockForPicking(tx, organisationId, [id], rowIds)
      const parts = await readPickedStock(tx, organisationId, [id])
      const before = await readOutboundLines(tx, organisationId, [id])
      const { refuse, throwIfAny } = collectEntryFaults('lines')
      const entries = body.lines
        ? await resolvePickedEntries(tx, locked, { array: 'lines', warehouseId, lines: before }, body.lines)
        : parts.map(part => ({
            consignmentProductId: part.consignmentProductId,
            warehouseProductId: part.row.id,
          }))
      if (entries.length === 0) throw verificationFailed('Nothing of the consignment is picked.')
      const goods = findPickedGoods(parts, entries, refuse)
      for (const { n, part } of goods) {
        const fault = dockRefusal(target, part.row.productId)
        if (fault !== null) refuse(n, `${target.name} ${fault}`, 'wrong_place')
      }
      const places = goods.map(() => ({ target, unit: body.toLogisticUnit }))
      const destined = await resolveDestinations(tx, locked, goods, places, refuse)
      throwIfAny()
      const moved = await stagePickedGoods(tx, locked, { source, occurredUtc }, destined)
      await publishLineChanges(tx, { ...actor, requestId }, [consignment], before)
      return moved
    },
  }),
]
