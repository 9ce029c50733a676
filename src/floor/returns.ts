// Returns: an inwards consignment for goods of an outwards one that come back. Spec 2.14; decision 4.

import { type LockedConsignment, lockConsignment } from '../consignments/consignment.ts'
import { createConsignments, type NoteRow } from '../consignments/create-consignment.ts'
import type { ItemRow, LineRow } from '../consignments/line-rows.ts'
import type { Db } from '../platform/database/db.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { named, optional, Text, Type, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { findProducts } from '../stock/commands/stock-products.ts'
import type { MovementSource } from '../stock/ledger/movement.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { planReturn, ReturnedLine } from './returning/plan-return.ts'
import { readSentLines, readSentSerials } from './returning/sent-goods.ts'

/** Makes the lines of a return. Throws 400 with all faults if some of the goods cannot come back. */
async function createReturnLines(
  db: Db,
  { organisationId, id }: LockedConsignment,
  consignmentId: string,
  requested: readonly ReturnedLine[],
): Promise<{ lines: LineRow[]; items: ItemRow[] }> {
  const lines = await readSentLines(db, organisationId, id)
  const productIds = [...lines.values()].flatMap(line => line.products.map(({ productId }) => productId))
  const named = requested.flatMap(({ consignmentProductId: lineId, serials }) =>
    (serials ?? []).map(serial => ({ lineId, serial })),
  )
  const [products, serialOf] = await Promise.all([
    findProducts(db, organisationId, productIds),
    readSentSerials(db, organisationId, lines, named),
  ])
  return planReturn(consignmentId, requested, { lines, products, serialOf })
}

/** A note with the reason of the return, if there is one. */
const reasonNote = (
  consignmentId: string,
  reason: string | null | undefined,
  { userId }: MovementSource,
): NoteRow[] =>
  reason && userId
    ? [{ id: newId(), consignmentId, note: reason, displayOnPrintOut: false, createdBy: userId }]
    : []

export const consignmentReturns = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/returns',
    name: 'createConsignmentReturn',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Announce a return of dispatched goods',
    description:
      'Creates a Pending inwards consignment for the same client and warehouse, with the reason as a note. ' +
      'Its lines are what left: one for each product, batch, dates and attributes of the dispatched goods. ' +
      'If only a part comes back of goods that differ, batch or serials say which part. Without them, the ' +
      'return has one line with what all of them have in common, and sentBatches in its detail list what ' +
      'may come. The goods go into a hold when they are received. No more can be returned than left and ' +
      'has not come back.',
    bodyName: 'ConsignmentReturn',
    body: { lines: Type.Array(ReturnedLine, { minItems: 1, maxItems: 1_000 }), reason: optional(Text) },
    files: true,
    answer: named('ConsignmentReturnResult', Type.Object({ consignmentId: Uuid })),
    creates: 'consignmentId',
    createdUnder: '/v1/consignments',
    async run({ tx, actor, params, body, source }) {
      const outwards = await lockConsignment(tx, actor, params.consignmentId)
      if (outwards.type !== ConsignmentType.Outwards)
        throw verificationFailed(
          `Consignment ${outwards.consignmentNumber} is not Outwards: nothing of it can come back.`,
        )
      const { organisationId, clientId, warehouseId, referenceNumber, localNow } = outwards
      const id = newId()
      const { lines, items } = await createReturnLines(tx, outwards, id, body.lines)
      await createConsignments(tx, organisationId, [
        {
          consignment: {
            ...{ id, clientId, warehouseId, referenceNumber, returnOfConsignmentId: outwards.id },
            type: ConsignmentType.Inwards,
            status: ConsignmentStatus.Pending,
            dateEntered: localNow,
            destinationAuthorityToLeave: false,
          },
          ...{ lines, items, serviceTypes: [], tasks: [], attachments: [] },
          notes: reasonNote(id, body.reason, source),
          source: { ...actor, requestId: source.requestId },
        },
      ])
      return { consignmentId: id }
    },
  }),
]
