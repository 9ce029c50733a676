// What a scanned code is: a place, a unit, a serial, a product or a piece of paper. Spec 2.14.

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
  unitTypeId: nullable({ ...Uuid, description: 'the unit that the barcode of a product stands for' }),
})

type Match = Static<typeof Match>

/** An SSCC as GS1 barcodes carry it: `(00)` and its 18 digits, or `00` and them without brackets. */
const withoutGs1Prefix = (code: string): string =>
  /^(?:\]C1)?(?:\(00\)|00)([0-9]{18})$/.exec(code)?.[1] ?? code

/** At most so many matches of a kind are told. */
const maxMatchesPerKind = 20

const matchQueries = (organisationId: string, partnerId: string | null, given: string): Sql[] => {
  const code = withoutGs1Prefix(given)
  const own = (column: Sql) => (partnerId ? sql`and ${column} = ${partnerId}` : empty)
  const here = (table: Sql) => sql`${table}.organisation_id = ${organisationId}`
  return [
    sql`select 1 as place, 'location' as kind, l.id, l.name, null::uuid as unit_type_id
      from warehouse_location l where ${here(sql`l`)} and lower(l.name) = lower(${code})`,
    // A condition each: joined by `or`, they would be looked for in all units.
    ...[
      sql`u.sscc_number = ${code}`,
      sql`u.number = ${numberIn(code)} and u.logistic_unit_number = upper(${code})`,
      sql`lower(u.reference_number) = lower(${code})`,
    ].map(
      isMeant => sql`select 2, 'logisticUnit', u.id, u.logistic_unit_number, null from logistic_unit u
        where ${here(sql`u`)} ${own(sql`u.partner_id`)} and ${isMeant}`,
    ),
    sql`select 3, 'item', i.id, i.serial || ' (' || d.code || ')', null from warehouse_product_item i
      join product d on d.organisation_id = i.organisation_id and d.id = i.product_id
      where ${here(sql`i`)} ${own(sql`d.partner_id`)} and i.serial = ${code}`,
    sql`select 4, 'product', d.id, d.code || ' ' || d.name, null from product d
      where ${here(sql`d`)} ${own(sql`d.partner_id`)} and (d.barcode = ${code} or d.gtin = ${code}
        or lower(d.code) = lower(${code}))`,
    sql`select 4, 'product', d.id, d.code || ' ' || d.name, c.input_unit_type_id
      from product_unit_conversion c
      join product d on d.organisation_id = c.organisation_id and d.id = c.product_id
      where ${here(sql`c`)} ${own(sql`d.partner_id`)} and (c.barcode = ${code} or c.gtin = ${code})`,
    sql`select 5, 'consignment', c.id, c.consignment_number, null from consignment c
      where ${here(sql`c`)} ${own(sql`c.client_id`)} and c.number = ${numberIn(code)}
        and c.consignment_number = upper(${code})`,
    sql`select 6, 'job', j.id, j.job_number, null from job j
      where ${here(sql`j`)} ${own(sql`j.client_id`)} and j.number = ${numberIn(code)}
        and j.job_number = upper(${code})`,
  ]
}

/** The number in `KAU-000123-OUT`, `LU-000001` or `WP-000001`, which has an index. */
const numberIn = (code: string): number | null => {
  const digits = /^[a-z]+-(\d{1,15})(?:-[a-z0-9]+)?$/i.exec(code)?.[1]
  return digits === undefined ? null : Number(digits)
}

/**
 * Finds what a code is, for a client's people among what is theirs: by indexes alone, whatever there is of
 * each kind.
 */
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
    summary: 'Find what a scanned code is',
    description:
      'A location by its name; a logistic unit by number, SSCC (with or without its GS1 prefix 00) or ' +
      'reference; an item by serial; a product by code, barcode or GTIN, with the unit where the code is ' +
      'that of a pack; a consignment or a job by number. A code may be several of them.',
    query: Type.Object({
      Code: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        trimmed: true,
        description: 'What the scanner read.',
      }),
    }),
    answer: json(named('ScannedCode', Type.Object({ matches: Type.Array(Match) }))),
    async handle({ db, actor: { organisationId, partnerId }, query }) {
      return { matches: await db.rows<Match>(scanStatement(organisationId, partnerId, query.Code)) }
    },
  }),
]
