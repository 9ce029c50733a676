// The records to which the codes of imports can refer, by kind. Decision 5.

import type { ImportCodeKind } from '../events/import-reason.ts'
import { join, raw, type Sql, sql } from '../platform/database/db.ts'
import { PartnerStatus, ProductStatus, Relationship } from '../vocabulary/partners.ts'
import { SetUpStatus } from '../vocabulary/reference-data.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'

/** The organisation, and the client whose products are meant, as SQL expressions. */
export interface CodeOwner {
  organisation: Sql
  client: Sql
}

const partners =
  (relationship: number) =>
  ({ organisation }: CodeOwner): Sql =>
    sql`
    select code, name from partner where organisation_id = ${organisation}
      and relationship = ${relationship} and status = ${PartnerStatus.Active}`

const setUpRecords =
  (table: string) =>
  ({ organisation }: CodeOwner): Sql =>
    sql`
    select code, name from ${raw(table)} where organisation_id = ${organisation}
      and status = ${SetUpStatus.Active}`

/** The code and name of all active records of a kind. The order is that of the words of an import. */
const recordsByKind: Record<ImportCodeKind, (owner: CodeOwner) => Sql> = {
  client: partners(Relationship.Client),
  carrier: partners(Relationship.Carrier),
  warehouse: ({ organisation }) => sql`
    select code, name from warehouse where organisation_id = ${organisation}
      and status = ${WarehouseStatus.Active}`,
  product: ({ organisation, client }) => sql`
    select code, name from product where organisation_id = ${organisation} and partner_id = ${client}
      and status = ${ProductStatus.Active}`,
  packageType: setUpRecords('package_type'),
  serviceType: setUpRecords('service_type'),
  taskType: setUpRecords('task_type'),
  shippingPort: () => sql`select code, name from shipping_port where true`,
}

/**
 * The active records of one kind that meet a condition on their `code`, as a query of code and name. It takes
 * part in a larger statement, so that an index on the code is used.
 */
export const recordsWithCode = (kind: ImportCodeKind, owner: CodeOwner, condition: Sql): Sql =>
  sql`${recordsByKind[kind](owner)} and ${condition}`

/** The same of the kind that the SQL expression `kind` has in each row. */
export const recordsOfAnyKind = (kind: Sql, owner: CodeOwner, condition: Sql): Sql =>
  join(
    (Object.keys(recordsByKind) as ImportCodeKind[]).map(
      name => sql`(${recordsWithCode(name, owner, sql`${kind} = ${name} and ${condition}`)})`,
    ),
    ' union all ',
  )
