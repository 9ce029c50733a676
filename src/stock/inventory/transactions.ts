// The history of a row of stock: its lines in the ledger. Spec 2.14.

import { endpoint } from '../../access/endpoint.ts'
import { empty, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import { named, Type } from '../../platform/http/schema.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { stockOf } from './inventory.ts'
import { ledgerLineColumns, ledgerLineFields, ledgerLineJoins } from './ledger-line.ts'

const InventoryTransaction = named(
  'InventoryTransaction',
  Type.Object({
    ...ledgerLineFields,
    onHandAfter: Type.Number({ description: 'The quantity on hand after this line.' }),
  }),
)

export const inventoryTransactions = [
  endpoint({
    get: '/v1/inventory/:warehouseProductId/transactions',
    name: 'listInventoryTransactions',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List the transactions of a row of stock, the latest first',
    query: pageQuery({
      IncludeAllocations: Type.Optional(
        Type.Boolean({ description: 'Also list transactions that only allocate stock; default false.' }),
      ),
    }),
    response: json(named('InventoryTransactionsPage', pageOf('transactions', InventoryTransaction))),
    handle({ db, actor, params, query }) {
      const stock = stockOf(actor, params.warehouseProductId)
      const kind = query.IncludeAllocations ? empty : sql`and t.type <> ${TransactionType.Allocation}`
      const lines = sql`(select s.* from ${stock.from}) s join inventory_transaction t
        on t.organisation_id = s.organisation_id and t.warehouse_product_id = s.id ${kind}`
      return readPage(db, 'transactions', query, {
        parent: stock,
        columns: sql`${ledgerLineColumns}, t.on_hand_after`,
        // The quantity after a line is the current quantity minus the changes of all later lines.
        from: sql`(
            select t.*, s.product_id, s.on_hand_quantity - coalesce(sum(t.quantity) over (
              order by t.version desc rows between unbounded preceding and 1 preceding), 0) as on_hand_after
            from ${lines}
          ) t join warehouse_product s
            on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
          ${ledgerLineJoins}`,
        total: sql`select count(*) from ${lines}`,
        order: sql`t.version desc`,
      })
    },
  }),
]
