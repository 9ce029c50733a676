// Identifies a scanned code: a location, a logistic unit, a serial, a product, a consignment or a job.
// Spec 2.14.

import { endpoint } from '../access/endpoint.ts'
import { empty, join, type Sql, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { named, nullable, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { leftWithId } from './logistic-units/left-with.ts'

const Match = Type.Object({
  kind: Type.Unsafe<string>({
    type: 'string',
    enum: ['location', 'logisticUnit', 'item', 'product', 'consignment', 'job'],
  }),
  id: Uuid,
  name: Type.String(),
  unitTypeId: nullable({
    ...Uuid,
    description: 'The unit of measure that the barcode of a product stands for.',
  }),
  warehouseId: nullable({
    ...Uuid,
    description:
      'Where it is or belongs; null for products, items that are not in stock, and units that left.',
  }),
  warehouseName: nullable(Type.String()),
  clientId: nullable({ ...Uuid, description: 'Whose it is; null for locations.' }),
  clientName: nullable(Type.String()),
  status: nullable({
    ...Type.Integer(),
    description:
      'The status of a location, product, consignment or job, as where these are read; null for the others.',
  }),
})

type Match = Static<typeof Match>

/** Removes the prefix of an SSCC in a GS1 barcode, which is `(00)` or `00` before the 18 digits. */
const withoutGs1Prefix = (code: string): string =>
  /^(?:\]C1)?(?:\(00\)|00)([0-9]{18})$/.exec(code)?.[1] ?? code

/** How many matches of each kind are returned. */
const maxMatchesPerKind = 20

/** Who scans a code, and in which warehouse. */
interface Scan {
  organisationId: string
  partnerId: string | null
  warehouseId: string | null
  code: string
}

/** The queries of everything that a code matches, each with the columns of `scanStatement`. */
const matchQueries = ({ organisationId, partnerId, code: scannedCode }: Scan): Sql[] => {
  const code = withoutGs1Prefix(scannedCode)
  const ofPartner = (column: Sql) => (partnerId ? sql`and ${column} = ${partnerId}` : empty)
  const inOrganisation = (table: Sql) => sql`${table}.organisation_id = ${organisationId}`
  return [
    sql`select 1 as place, 'location' as kind, l.id, l.name, null::uuid as unit_type_id, l.warehouse_id,
        null::uuid as client_id, l.status
      from warehouse_location l where ${inOrganisation(sql`l`)} and lower(l.name) = lower(${code})`,
    // One query for each condition: joined by `or`, they would scan all units.
    ...[
      sql`u.sscc_number = ${code}`,
      sql`u.number = ${numberIn(code)} and u.logistic_unit_number = upper(${code})`,
      sql`lower(u.reference_number) = lower(${code})`,
    ].map(
      condition => sql`select 2, 'logisticUnit', u.id, u.logistic_unit_number, null,
          case when ${leftWithId} is null then u.warehouse_id end, u.partner_id, null
        from logistic_unit u
        where ${inOrganisation(sql`u`)} ${ofPartner(sql`u.partner_id`)} and ${condition}`,
    ),
    sql`select 3, 'item', i.id, i.serial || ' (' || d.code || ')', null, p.warehouse_id, d.partner_id, null
      from warehouse_product_item i
      join product d on d.organisation_id = i.organisation_id and d.id = i.product_id
      left join warehouse_product p on p.organisation_id = i.organisation_id and p.id = i.warehouse_product_id
      where ${inOrganisation(sql`i`)} ${ofPartner(sql`d.partner_id`)} and i.serial = ${code}`,
    sql`select 4, 'product', d.id, d.code || ' ' || d.name, null, null, d.partner_id, d.status from product d
      where ${inOrganisation(sql`d`)} ${ofPartner(sql`d.partner_id`)}
        and (d.barcode = ${code} or d.gtin = ${code} or lower(d.code) = lower(${code}))`,
    sql`select 4, 'product', d.id, d.code || ' ' || d.name, c.input_unit_type_id, null, d.partner_id,
        d.status
      from product_unit_conversion c
      join product d on d.organisation_id = c.organisation_id and d.id = c.product_id
      where ${inOrganisation(sql`c`)} ${ofPartner(sql`d.partner_id`)}
        and (c.barcode = ${code} or c.gtin = ${code})`,
    sql`select 5, 'consignment', c.id, c.consignment_number, null, c.warehouse_id, c.client_id, c.status
      from consignment c
      where ${inOrganisation(sql`c`)} ${ofPartner(sql`c.client_id`)} and c.number = ${numberIn(code)}
        and c.consignment_number = upper(${code})`,
    sql`select 6, 'job', j.id, j.job_number, null, j.warehouse_id, j.client_id, j.status from job j
      where ${inOrganisation(sql`j`)} ${ofPartner(sql`j.client_id`)} and j.number = ${numberIn(code)}
        and j.job_number = upper(${code})`,
  ]
}

/** Returns the number in `KAU-000123-OUT`, `LU-000001` or `WP-000001`, whose column has an index. */
const numberIn = (code: string): number | null => {
  const digits = /^[a-z]+-(\d{1,15})(?:-[a-z0-9]+)?$/i.exec(code)?.[1]
  return digits === undefined ? null : Number(digits)
}

/**
 * Finds everything that a code matches, using indexes only: first what is in the given warehouse, then what
 * belongs to no warehouse, then the rest. A client's token finds only its own records.
 */
const scanStatement = (scanned: Scan): Sql => {
  const { organisationId, warehouseId } = scanned
  const isElsewhere = (column: Sql) => sql`coalesce(${column} <> ${warehouseId}::uuid, false)`
  const parts = matchQueries(scanned).map(
    part => sql`(
      select place, kind, id, name, unit_type_id::uuid, warehouse_id::uuid, client_id::uuid, status::integer
      from (${part}) as m (place, kind, id, name, unit_type_id, warehouse_id, client_id, status)
      order by ${isElsewhere(sql`warehouse_id::uuid`)}, name, id limit ${maxMatchesPerKind})`,
  )
  return sql`
    select found.kind, found.id, found.name, found.unit_type_id, found.warehouse_id,
      w.name as warehouse_name, found.client_id, k.name as client_name, found.status
    from (${join(parts, ' union ')}) found
    left join warehouse w on w.organisation_id = ${organisationId} and w.id = found.warehouse_id
    left join partner k on k.organisation_id = ${organisationId} and k.id = found.client_id
    order by ${isElsewhere(sql`found.warehouse_id`)}, found.place, found.name, found.id`
}

export const scanCode = [
  endpoint({
    get: '/v1/scan',
    name: 'scanCode',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'Identify a scanned code',
    description:
      'Finds a location by name; a logistic unit by number, SSCC (with or without its GS1 prefix 00) or ' +
      'reference; an item by serial; a product by code, barcode or GTIN, with the unit of measure if the ' +
      'code is that of a pack; a consignment or a job by number. A code may match several of them: at most ' +
      '20 of each kind are listed, those of the given warehouse first.',
    query: Type.Object({
      Code: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        trimmed: true,
        description: 'What the scanner read.',
      }),
      WarehouseId: Type.Optional({
        ...Uuid,
        description: 'The warehouse in which it was scanned: what is there comes first.',
      }),
    }),
    response: json(named('ScannedCode', Type.Object({ matches: Type.Array(Match) }))),
    async handle({ db, actor: { organisationId, partnerId }, query }) {
      const { Code: code, WarehouseId: warehouseId = null } = query
      return {
        matches: await db.rows<Match>(scanStatement({ organisationId, partnerId, warehouseId, code })),
      }
    },
  }),
]
