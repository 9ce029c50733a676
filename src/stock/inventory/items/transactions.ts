// The history of a serial item: the lines of the ledger that moved it. Spec 2.14.

import { endpoint } from '../../../access/endpoint.ts'
import { sql } from '../../../platform/database/db.ts'
import { json } from '../../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../../platform/http/paging.ts'
import { named, Type } from '../../../platform/http/schema.ts'
import { ledgerLineColumns, ledgerLineFields, ledgerLineJoins } from '../ledger-line.ts'
import { itemOf } from './inventory-items.ts'

const ItemTransaction = named('InventoryItemTransaction', Type.Object(ledgerLineFields))

export const inventoryItemTransactions = [
  endpoint({
    get: '/v1/inventory-items/:warehouseProductItemId/transactions',
    name: 'listSerialItemTransactions',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List the movements of an item, the latest first',
    description:
      'A move has two lines: one for the place that it left and, above it, one for its destination.',
    query: pageQuery({}),
    response: json(named('InventoryItemTransactionsPage', pageOf('transactions', ItemTransaction))),
    handle: ({ db, actor, params, query }) =>
      readPage(db, 'transactions', query, {
        parent: itemOf(actor, params.warehouseProductItemId),
        columns: ledgerLineColumns,
        from: sql`inventory_transaction_item i
          join inventory_transaction t on t.organisation_id = i.organisation_id
            and t.warehouse_product_id = i.warehouse_product_id and t.version = i.version
          join warehouse_product s
            on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
          ${ledgerLineJoins}
          where i.organisation_id = ${actor.organisationId}
            and i.warehouse_product_item_id = ${params.warehouseProductItemId}`,
        order: sql`t.recorded_utc desc, sign(t.quantity) desc, t.warehouse_product_id, t.version desc`,
      }),
  }),
]
