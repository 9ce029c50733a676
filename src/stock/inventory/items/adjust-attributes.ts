// Corrects the description of one serial item in stock. Spec 2.14.

import { sql } from '../../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../../platform/http/refusal.ts'
import { Name, named, Type, UtcTime, Uuid } from '../../../platform/http/schema.ts'
import { correctDescription } from '../../commands/correct-description.ts'
import { descriptionFields } from '../../commands/goods-description.ts'
import { stockCommand } from '../../commands/stock-command.ts'

export const adjustItemAttributes = [
  stockCommand({
    post: '/v1/inventory-items/:warehouseProductItemId/adjust-attributes',
    name: 'adjustItemAttributes',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Correct the batch, dates and attributes of one serial in stock',
    description: 'Omitted fields stay as they are; null clears a field.',
    bodyName: 'ItemAttributesAdjustment',
    body: { ...descriptionFields, reason: Name },
    answer: named(
      'ItemAttributesAdjusted',
      Type.Object({
        movementId: Uuid,
        effectiveUtc: UtcTime,
        warehouseProductId: Uuid,
        isUnchanged: Type.Boolean(),
      }),
    ),
    async run({ tx, actor: { organisationId }, params, body: { reason, ...changes }, source, occurredUtc }) {
      const item = await tx.maybe<{ serial: string; warehouseProductId: string | null }>(sql`
        select serial, warehouse_product_id from warehouse_product_item
        where organisation_id = ${organisationId} and id = ${params.warehouseProductItemId}`)
      if (item === undefined) throw notFound('Inventory item')
      const { serial, warehouseProductId } = item
      if (warehouseProductId === null) throw verificationFailed(`The serial ${serial} is not in stock.`)
      const entry = { ...changes, warehouseProductId, quantity: 1, serials: [serial] }
      const { movementId, effectiveUtc, adjustments } = await correctDescription(
        tx,
        { organisationId, source, occurredUtc },
        [entry],
        reason,
      )
      const { warehouseProductId: newRowId, isUnchanged } = adjustments[0] as (typeof adjustments)[number]
      return { movementId, effectiveUtc, warehouseProductId: newRowId, isUnchanged }
    },
  }),
]
