// Identifies a scanned code: a location, a logistic unit, a serial, a product, a consignment or a job.
// Spec 2.14.

import { empty, join, type Sql, sql } from '../platform/database/db.ts'
import { endpoint, json } from '../platform/http/endpoint.ts'
import { named, nullable, type Static, Type, Uuid } from '../platform/http/schema.ts'

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
})

type Match = Static<typeof Match>

/** Removes the prefix of an SSCC in a GS1 barcode, which is `(00)` or `00` before the 18 digits. */
const withoutGs1Prefix = (code: string): string =>
  /^(?:\]C1)?(?:\(00\)|00)([0-9]{18})$/.exec(code)?.[1] ?? code

/** How many matches of each kind are returned. */
const maxMatchesPerKind = 20

const matchQueries = (organisationId: string, partnerId: string | null, scannedCode: string): Sql[] => {
  const code = withoutGs1Prefix(scannedCode)
  const ofPartner = (column: Sql) => (partnerId ? sql`and ${column} = ${partnerId}` : empty)
  const inOrganisation = (table: Sql) => sql`${table}.organisation_id = ${organisationId}`
  return [
    sql`select 1 as place, 'location' as kind, l.id, l.name, null::uuid as unit_type_id
      from warehouse_location l where ${inOrganisation(sql`l`)} and lower(l.name) = lower(${code})`,
    // One query for each condition: joined by `or`, they would scan all units.
    ...[
      sql`u.sscc_number = ${code}`,
      sql`u.number = ${numberIn(code)} and u.logistic_unit_number = upper(${code})`,
      sql`lower(u.reference_number) = lower(${code})`,
    ].map(
      condition => sql`select 2, 'logisticUnit', u.id, u.logistic_unit_number, null from logistic_unit u
        where ${inOrganisation(sql`u`)} ${ofPartner(sql`u.partner_id`)} and ${condition}`,
    ),
    sql`select 3, 'item', i.id, i.serial || ' (' || d.code || ')', null from warehouse_product_item i
      join product d on d.organisation_id = i.organisation_id and d.id = i.product_id
      where ${inOrganisation(sql`i`)} ${ofPartner(sql`d.partner_id`)} and i.serial = ${code}`,
    sql`select 4, 'product', d.id, d.code || ' ' || d.name, null from product d
      where ${inOrganisation(sql`d`)} ${ofPartner(sql`d.partner_id`)}
        and (d.barcode = ${code} or d.gtin = ${code} or lower(d.code) = lower(${code}))`,
    sql`select 4, 'product', d.id, d.code || ' ' || d.name, c.input_unit_type_id
      from product_unit_conversion c
      join product d on d.organisation_id = c.organisation_id and d.id = c.product_id
      where ${inOrganisation(sql`c`)} ${ofPartner(sql`d.partner_id`)}
        and (c.barcode = ${code} or c.gtin = ${code})`,
    sql`select 5, 'consignment', c.id, c.consignment_number, null from consignment c
      where ${inOrganisation(sql`c`)} ${ofPartner(sql`c.client_id`)} and c.number = ${numberIn(code)}
        and c.consignment_number = upper(${code})`,
    sql`select 6, 'job', j.id, j.job_number, null from job j
      where ${inOrganisation(sql`j`)} ${ofPartner(sql`j.client_id`)} and j.number = ${numberIn(code)}
        and j.job_number = upper(${code})`,
  ]
}

/** Returns the number in `KAU-000123-OUT`, `LU-000001` or `WP-000001`, whose column has an index. */
const numberIn = (code: string): number | null => {
  const digits = /^[a-z]+-(\d{1,15})(?:-[a-z0-9]+)?$/i.exec(code)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Finds everything that a code matches, using indexes only. A client's token finds only its own records. */
const scanStatement = (organisationId: string, partnerId: string | null, code: string): Sql => {
  const parts = matchQueries(organisationId, partnerId, code).map(
    part => sql`(${part} limit ${maxMatchesPerKind})`,
  )
  return sql`
    select kind, id, name, unit_type_id from (${join(parts, ' union ')}) found order by place, name, id`
}

export const scan = [
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
      'code is that of a pack; a consignment or a job by number. A code may match several of them.',
    query: Type.Object({
      Code: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        trimmed: true,
        description: 'What the scanner read.',
      }),
    }),
    response: json(named('ScannedCode', Type.Object({ matches: Type.Array(Match) }))),
    async handle({ db, actor: { organisationId, partnerId }, query }) {
      return { matches: await db.rows<Match>(scanStatement(organisationId, partnerId, query.Code)) }
    },
  }),
]
