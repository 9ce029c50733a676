// Converts quantities of products between their units. Spec 4.12; decisions 2, 8.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { collectEntryFaults, type FieldFault } from '../platform/http/entry-faults.ts'
import { notFound } from '../platform/http/refusal.ts'
import {
  Code,
  Decimal,
  IntegerEnum,
  named,
  nullable,
  optional,
  type Static,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { MetricResolution, MetricType, Relationship } from '../vocabulary/partners.ts'
import {
  buildChain,
  type Chain,
  convertQuantity,
  type Metric,
  type StoredStep,
  UnitConversionError,
} from './convert-quantity.ts'

const Conversion = Type.Object({
  id: optional(Uuid),
  code: optional(Code),
  inputMetricType: IntegerEnum(MetricType),
  inputQuantity: Decimal(4, { minimum: 0 }),
  inputUnitTypeId: optional({
    ...Uuid,
    description: 'Required if inputMetricType is 3 UnitType, else not allowed.',
  }),
  metricResolution: optional(IntegerEnum(MetricResolution)),
})
type Conversion = Static<typeof Conversion>

/** The faults of conversions without a product, or with a unit type that does not fit the metric type. */
function conversionFaults(value: unknown): ValidationError[] {
  return (Array.isArray(value) ? value : []).flatMap((conversion: unknown, i) => {
    if (typeof conversion !== 'object' || conversion === null) return []
    const { id, code, inputMetricType, inputUnitTypeId } = conversion as Record<string, unknown>
    const isUnitType = inputMetricType === MetricType.UnitType
    const faults: ValidationError[] = []
    if (!id && !code)
      faults.push({ path: `[${i}]`, problem: 'must have an id or a code of a product', code: 'required' })
    if (isUnitType && !inputUnitTypeId)
      faults.push({
        path: `[${i}].inputUnitTypeId`,
        problem: 'is required when inputMetricType is 3',
        code: 'required',
      })
    if (!isUnitType && inputUnitTypeId)
      faults.push({ path: `[${i}].inputUnitTypeId`, problem: 'must be left out unless inputMetricType is 3' })
    return faults
  })
}

const Conversions = named(
  'UnitConversions',
  Type.Object({ conversions: Type.Array(Conversion, { maxItems: 1_000, rule: conversionFaults }) }),
)

const Result = named(
  'UnitConversionResult',
  Type.Object({
    id: Uuid,
    code: Type.String(),
    inputQuantity: Type.Number(),
    metrics: Type.Array(
      Type.Object({
        metricType: IntegerEnum(MetricType),
        unitTypeId: nullable(Uuid),
        unitTypeName: nullable(Type.String()),
        quantity: Type.Number(),
      }),
    ),
  }),
)

interface Product {
  id: string
  code: string
  steps: StoredStep[]
}

/** The products that a request refers to, and for each conversion the products with its id and its code. */
interface ProductMatches {
  isClient: boolean
  products: Product[]
  /** null: the id or code is absent, or no product has it */
  matches: { byId: string | null; byCode: string | null }[]
}

const findProducts = (
  db: Db,
  { organisationId }: Actor,
  partnerId: string,
  conversions: readonly Conversion[],
) =>
  db.row<ProductMatches>(sql`
    with matches as materialized (
      select requested.ordinal, by_id.id as by_id, by_code.id as by_code
      from unnest(${conversions.map(({ id }) => id ?? null)}::uuid[],
        ${conversions.map(({ code }) => code ?? null)}::text[])
        with ordinality as requested (id, code, ordinal)
      left join product by_id on by_id.organisation_id = ${organisationId}
        and by_id.partner_id = ${partnerId} and by_id.id = requested.id
      left join product by_code on by_code.organisation_id = ${organisationId}
        and by_code.partner_id = ${partnerId} and lower(by_code.code) = lower(requested.code)
    )
    select
      exists (
        select from partner
        where organisation_id = ${organisationId} and id = ${partnerId}
          and relationship = ${Relationship.Client}
      ) as is_client,
      (select coalesce(jsonb_agg(jsonb_build_object('byId', by_id, 'byCode', by_code) order by ordinal), '[]')
        from matches) as matches,
      (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'code', d.code, 'steps', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'inputMetricType', c.input_metric_type,
            'inputUnitTypeId', c.input_unit_type_id, 'inputUnitTypeName', u.name,
            'outputMetricType', c.output_metric_type, 'outputUnitTypeId', c.output_unit_type_id,
            'conversionRate', c.conversion_rate::text
          ) order by c.ordinal), '[]')
          from product_unit_conversion c
          left join unit_type u on u.organisation_id = c.organisation_id and u.id = c.input_unit_type_id
          where c.organisation_id = d.organisation_id and c.product_id = d.id))), '[]')
        from product d
        where d.organisation_id = ${organisationId}
          and d.id in (select by_id from matches union select by_code from matches)) as products`)

/** The faults in how a conversion refers to its product. */
function problemsOf(
  conversion: Conversion,
  { byId, byCode }: ProductMatches['matches'][number],
): FieldFault[] {
  const { id, code } = conversion
  const problems: FieldFault[] = []
  if (id && byId === null) problems.push([`the client has no product with the id ${id}`, 'unknown_reference'])
  if (code && byCode === null)
    problems.push([`the client has no product with the code ${code}`, 'unknown_reference'])
  if (byId !== null && byCode !== null && byId !== byCode)
    problems.push([`id and code ${code} are two products`, 'invalid'])
  return problems
}

/** Returns the metrics of a conversion, or the reason why it is impossible. */
function convert(conversion: Conversion, chain: Chain): Metric[] | string {
  const { inputMetricType, inputUnitTypeId, inputQuantity, metricResolution } = conversion
  const input = { metricType: inputMetricType, unitTypeId: inputUnitTypeId ?? null, quantity: inputQuantity }
  try {
    return convertQuantity(chain, input, metricResolution ?? MetricResolution.Compound)
  } catch (error) {
    if (error instanceof UnitConversionError) return error.message
    throw error
  }
}

/**
 * Converts quantities, in their order. Throws 404 if there is no such client, and 400 with every fault of
 * every conversion.
 */
async function convertAll(
  db: Db,
  actor: Actor,
  partnerId: string,
  conversions: readonly Conversion[],
): Promise<Static<typeof Result>[]> {
  const { isClient, products, matches } = await findProducts(db, actor, partnerId, conversions)
  if (!isClient) throw notFound('Client')
  const byId = new Map(products.map(({ id, code, steps }) => [id, { id, code, chain: buildChain(steps) }]))
  const { refuse, throwIfAny } = collectEntryFaults('conversions')
  const results = conversions.flatMap((conversion, i) => {
    const match = matches[i] ?? { byId: null, byCode: null }
    const problems = problemsOf(conversion, match)
    const product = byId.get(match.byId ?? match.byCode ?? '')
    for (const problem of problems) refuse(i, ...problem)
    if (problems.length > 0 || product === undefined) return []
    const metrics = convert(conversion, product.chain)
    if (typeof metrics !== 'string')
      return [{ id: product.id, code: product.code, inputQuantity: conversion.inputQuantity, metrics }]
    refuse(i, metrics, 'state')
    return []
  })
  throwIfAny()
  return results
}

export const convertUnits = [
  endpoint({
    post: '/v1/partners/:partnerId/products/convert-units',
    name: 'convertUnits',
    partners: 'all',
    partnerParam: 'partnerId',
    scope: 'partner.read',
    summary: 'Convert quantities of products between their units',
    description:
      'metricResolution 1 Compound (the default) gives the whole quantity in every unit of the chain, with ' +
      'decimals. 2 Cascade gives whole units from the largest down, the remainder in items, and leaves out ' +
      'zeros. The largest unit comes first, items (metric type 1) last. Only the results are rounded, to 4 ' +
      'decimal places. Nothing is changed.',
    body: Conversions,
    response: json(Type.Object({ results: Type.Array(Result) })),
    oneStatement: true,
    handle: async ({ tx, actor, params, body }) => ({
      results: await convertAll(tx, actor, params.partnerId, body.conversions),
    }),
  }),
]
