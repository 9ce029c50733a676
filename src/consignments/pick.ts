// Confirming picks: goods go from where they lie to the dock. Spec 2.14; open-points 4.

import { nullable, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { stockCommand } from '../stock/inventory/stock-command.ts'
import { ConsignmentStatus } from './enumerations.ts'
import { confirmPicks, PickResult, RequestedPick, readDocks } from './picking/confirm-picks.ts'
import { LineFigures, lockOutwards, toFigures } from './picking/outwards-lines.ts'

export const pick = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/pick',
    name: 'pickConsignment',
    scope: ['consignment', 'inventory'],
    summary: 'Confirm picks of a consignment',
    description:
      'Takes goods that are allocated to its lines to the dock: the given location, else the ' +
      'consignment’s, else the warehouse’s. Without a quantity all that is allocated there. isShort says ' +
      'that no more is to be had: the rest is released and held, and the line is allocated elsewhere ' +
      'unless reallocate is false; with serials and a quantity of 0 only those are missing. isOverride ' +
      'picks more than is allocated, or other stock. toLogisticUnit null puts the goods down loose; left ' +
      'out, a unit that is picked whole goes along.',
    bodyName: 'ConsignmentPick',
    body: { picks: Type.Array(RequestedPick, { minItems: 1, maxItems: 1_000 }) },
    answer: Type.Object({
      movementId: Uuid,
      effectiveUtc: nullable(UtcTime),
      picks: Type.Array(PickResult),
      consignmentProducts: Type.Array(LineFigures),
    }),
    async run({ tx, actor, params, body: { picks }, source, requestId, occurredUtc }) {
      const { ReadyToPick } = ConsignmentStatus
      const [consignment, docks] = await Promise.all([
        lockOutwards(tx, actor, params.consignmentId, [ReadyToPick]),
        readDocks(tx, actor.organisationId, [params.consignmentId]),
      ])
      const { lines, ...confirmed } = await confirmPicks(
        tx,
        { consignments: [consignment], source: { ...source, requestId }, occurredUtc },
        docks,
        picks,
      )
      return { ...confirmed, consignmentProducts: toFigures(lines) }
    },
  }),
]
