// Corrects the description of one serial item in stock. Spec 2.14.

import { sql, type Tx } from '../../../platform/database/db.ts'
import { notFound, type Refusal, verificationFailed } from '../../../platform/http/refusal.ts'
import { Name, named, type Static, Type, UtcTime, Uuid } from '../../../platform/http/schema.ts'
import { correctionKind, type DescriptionCorrection } from '../../commands/correct-description.ts'
import { descriptionFields } from '../../commands/goods-description.ts'
import { type StockRequest, stockCommand } from '../../commands/stock-command.ts'

const path = '/v1/inventory-items/:warehouseProductItemId/adjust-attributes'
const body = { ...descriptionFields, reason: Name }
const AdjustItemAnswer = named(
  'ItemAttributesAdjusted',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    warehouseProductId: Uuid,
    isUnchanged: Type.Boolean(),
  }),
)
type AdjustItemRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

/** Finds the item of each request in the row that it is in. */
async function findEntries(
  tx: Tx,
  organisationId: string,
  requests: readonly AdjustItemRequest[],
): Promise<Map<AdjustItemRequest, DescriptionCorrection[] | Refusal>> {
  const ids = requests.map(({ params }) => params.warehouseProductItemId)
  const items = await tx.rows<{ id: string; serial: string; warehouseProductId: string | null }>(sql`
    select id, serial, warehouse_product_id from warehouse_product_item
    where organisation_id = ${organisationId} and id = any(${ids})`)
  const byId = new Map(items.map(item => [item.id, item]))
  const entriesOf = ({ params, body: { reason: _, ...changes } }: AdjustItemRequest) => {
    const item = byId.get(params.warehouseProductItemId.toLowerCase())
    if (item === undefined) return notFound('Inventory item')
    const { id: itemId, serial, warehouseProductId } = item
    if (warehouseProductId === null) return verificationFailed(`The serial ${serial} is not in stock.`)
    return [{ ...changes, itemId, warehouseProductId, quantity: 1, serials: [serial] }]
  }
  return new Map(requests.map(request => [request, entriesOf(request)]))
}

export const adjustItemAttributesKind = {
  mayShare: () => true,
  weigh: () => 1,
  ...correctionKind<AdjustItemRequest, Static<typeof AdjustItemAnswer>>({
    findEntries,
    toAnswer({ movementId, effectiveUtc, adjustments }) {
      const { warehouseProductId, isUnchanged } = adjustments[0] as (typeof adjustments)[number]
      return { movementId, effectiveUtc, warehouseProductId, isUnchanged }
    },
  }),
}

export const adjustItemAttributes = [
  stockCommand({
    post: path,
    name: 'adjustItemAttributes',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Correct the batch, dates and attributes of one serial in stock',
    description: 'Omitted fields stay as they are; null clears a field.',
    bodyName: 'ItemAttributesAdjustment',
    body,
    answer: AdjustItemAnswer,
    kind: adjustItemAttributesKind,
  }),
]
