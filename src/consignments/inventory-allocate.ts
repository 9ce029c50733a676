// Allocating stock to many consignments at once. Open-points 4.

import { type Fault, faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { Type, Uuid } from '../platform/http/schema.ts'
import { allocateLines } from '../stock/allocation/allocate-lines.ts'
import { placesOfConsignments } from '../stock/allocation/outward-lines.ts'
import { stockCommand } from '../stock/inventory/stock-command.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { allocationFields, refusalOfAllocation, tellOfAllocation } from './allocated-stock.ts'
import { lockConsignments } from './consignment.ts'

export const allocateConsignments = [
  stockCommand({
    post: '/v1/inventory/allocate',
    name: 'allocateStock',
    scope: ['consignment', 'inventory'],
    summary: 'Allocate stock to consignments',
    description:
      'What is short of all their lines, by the rules of rotation. Lines that must have certain stock go ' +
      'first, then those of the consignment with the higher priority, the earlier expectedDispatchDateTime ' +
      'and the lower number.',
    bodyName: 'StockAllocation',
    body: { consignmentIds: Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }) },
    answer: Type.Object({
      consignments: Type.Array(Type.Object({ consignmentId: Uuid, ...allocationFields })),
    }),
    async run({ tx, actor, body, source, occurredUtc, requestId }) {
      const { organisationId } = actor
      const ids = body.consignmentIds.map(id => id.toLowerCase())
      const consignments = await lockConsignments(tx, organisationId, ids)
      const byId = new Map(consignments.map(consignment => [consignment.id, consignment]))
      const faults = ids.flatMap((id, i): Fault[] => {
        const path = `consignmentIds[${i}]`
        const consignment = byId.get(id)
        if (ids.indexOf(id) < i)
          return [{ path, code: 'duplicate', message: `${path}: the consignment is named before.` }]
        if (consignment === undefined) return [faultAt(path, 'names no consignment', 'unknown_reference')]
        const refusal = refusalOfAllocation(consignment)
        return refusal === null ? [] : [{ path, code: 'state', message: `${path}: ${refusal}` }]
      })
      if (faults.length > 0) throw verificationFailed(...faults)
      const places = await placesOfConsignments(tx, organisationId, ids)
      const locked = await lockStock(tx, organisationId, places)
      const requests = ids.map(consignmentId => ({ consignmentId, source, occurredUtc }))
      const outcomes = await allocateLines(tx, locked, requests)
      await tellOfAllocation(tx, { ...actor, requestId }, consignments, outcomes)
      return { consignments: outcomes }
    },
  }),
]
