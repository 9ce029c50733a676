// The printers that a user may choose from. Spec 2.16, 4.15.

import { endpoint } from '../../access/endpoint.ts'
import { empty, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { searchIn } from '../../platform/http/paging.ts'
import { IntegerEnum, named, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { PrinterAvailability, PrintType } from '../../vocabulary/paper.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'
import { availability, printersWithBridges } from './printer.ts'

const Printer = named(
  'Printer',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    type: IntegerEnum(PrintType),
    status: IntegerEnum(PrinterAvailability),
    warehouseId: Uuid,
  }),
)

export const printerOptions = [
  endpoint({
    get: '/v1/printer-bridges/printer/options',
    name: 'listPrinterOptions',
    partners: 'clients',
    scope: ['print', 'warehouse.read'],
    summary: 'List the printers to choose from',
    description: 'Returns the active printers, ordered by name. Only online printers can print now.',
    query: Type.Object({
      SearchText: searchIn('name'),
      WarehouseId: Type.Optional(Uuid),
      PrintType: Type.Optional(IntegerEnum(PrintType)),
    }),
    response: json(named('PrinterOptions', Type.Object({ printers: Type.Array(Printer) }))),
    async handle({ db, actor, query }) {
      const printers = await db.rows<Static<typeof Printer>>(sql`
        select p.id, p.name, p.type, ${availability} as status, p.warehouse_id
        from ${printersWithBridges}
        where p.organisation_id = ${actor.organisationId} and p.status = ${SetUpStatus.Active}
          ${query.SearchText ? sql`and lower(p.name) like containing(${query.SearchText})` : empty}
          ${query.WarehouseId === undefined ? empty : sql`and p.warehouse_id = ${query.WarehouseId}`}
          ${query.PrintType === undefined ? empty : sql`and p.type = ${query.PrintType}`}
        order by p.name, p.id`)
      return { printers }
    },
  }),
]
