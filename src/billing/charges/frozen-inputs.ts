// Reads the charge inputs of Closed consignments, as their closings froze them.

import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import { ChargePartKind } from '../../vocabulary/billing.ts'
import type { Place } from '../evaluator/locality.ts'
import type { ChargeSubject, StoredProductFacts, SubjectLine, SubjectValue } from './charge-subject.ts'
import type { FrozenNames } from './frozen-names.ts'

/** A closing as it is read. Its parts and places refer to facts that are read separately, once each. */
interface ClosingRow
  extends Omit<ChargeSubject, 'lines' | 'tasks' | 'consumables' | 'origin' | 'destination'> {
  originPlaceFactsId: string | null
  destinationPlaceFactsId: string | null
  /** one line of text per part, with its columns separated by tabs */
  parts: string | null
  sources: Record<string, string>
  names: FrozenNames
}

/** A subject as it was frozen, with the events that its inputs came from. */
export interface FrozenSubject extends ChargeSubject {
  /** event ids by the group of charge inputs that the event set */
  sources: Record<string, string>
}

// As text, because both the database and Node process it several times as fast as JSON. Free text within it
// is JSON, which contains neither tabs nor line breaks.
const partsText = sql`(
  select string_agg(concat_ws(E'\t', r.kind, coalesce(r.record_id::text, ''), coalesce(r.type_id::text, ''),
    coalesce(r.product_id::text, ''), coalesce(r.product_facts_id::text, ''), r.quantity,
    coalesce(r.weight_kg::text, ''), coalesce(r.volume_m3::text, ''),
    coalesce(r.logistic_units::text, ''), r.serials,
    coalesce(r.attributes::text, '[]'), coalesce(to_json(r.package_type_code)::text, 'null')),
    E'\n' order by r.ordinal)
  from charge_input_part r
  where r.organisation_id = i.organisation_id and r.consignment_id = i.consignment_id
    and r.closing_number = i.closing_number)`

const card = (side: 'client' | 'carrier'): Sql => {
  const prefix = raw(`i.${side}`)
  return sql`case when ${prefix}_version_id is not null then json_build_object(
    'rateCardVersionId', ${prefix}_version_id, 'because', ${prefix}_because,
    'fafPercent', ${prefix}_faf_percent::text, 'fafProfileRateId', ${prefix}_faf_profile_rate_id) end`
}

/**
 * Reads the inputs frozen by the latest closing of each consignment. `where` is a condition on `consignment
 * c`.
 */
export const readLatestClosings = (db: Db, where: Sql): Promise<FrozenSubject[]> =>
  readInputs(
    db,
    sql`consignment c
      cross join lateral (
        select * from charge_input i
        where i.organisation_id = c.organisation_id and i.consignment_id = c.id
        order by i.closing_number desc limit 1
      ) i`,
    where,
  )

/** Identifies a closing of a consignment. */
export interface Closing {
  consignmentId: string
  closingNumber: number
}

/** Reads the inputs frozen by these closings of one organisation, which need not be the latest ones. */
export const readClosings = (
  db: Db,
  organisationId: string,
  closings: readonly Closing[],
): Promise<FrozenSubject[]> =>
  readInputs(
    db,
    sql`unnest(${closings.map(({ consignmentId }) => consignmentId)}::uuid[],
        ${closings.map(({ closingNumber }) => closingNumber)}::integer[]) wanted (id, number)
      join charge_input i on i.organisation_id = ${organisationId} and i.consignment_id = wanted.id
        and i.closing_number = wanted.number
      join consignment c on c.organisation_id = i.organisation_id and c.id = i.consignment_id`,
    sql`true`,
  )

async function readInputs(db: Db, from: Sql, where: Sql): Promise<FrozenSubject[]> {
  const rows = await db.rows<ClosingRow>(sql`
    select i.organisation_id, i.consignment_id as id, c.consignment_number, c.reference_number,
      c.container_number, c.status, i.consignment_type, i.client_id, i.carrier_id,
      i.names ->> 'carrier' as carrier_name, i.warehouse_id, null as warehouse_revenue_account_id,
      null as warehouse_cost_centre_id, i.priority, i.is_containerised, i.container_size, i.container_type,
      i.charge_date, i.charge_utc, extract(isodow from i.charge_date)::integer as weekday, i.is_by_expected,
      i.origin_place_facts_id, i.destination_place_facts_id,
      i.origin_locality_ids::text[] as origin_locality_ids,
      i.destination_locality_ids::text[] as destination_locality_ids,
      i.service_type_ids::text[] as service_type_ids, ${partsText} as parts,
      ${card('client')} as client_card, ${card('carrier')} as carrier_card,
      i.client_freight_resolution, i.carrier_freight_resolution, i.freight_warning_type,
      i.freight_warning_threshold::text as freight_warning_threshold, '[]'::json as exclusions,
      i.closing_number - 1 as closings, i.evaluator_version, i.sources, i.names
    from ${from}
    where ${where}
    order by c.id, i.closing_number`)
  const decoded = rows.map(row => ({ row, parts: partsOf(row.parts) }))
  const references = await readReferences(db, decoded)
  return decoded.map(closing => frozenOf(closing, references))
}

/** A part as it is read. An empty text means null. */
interface FrozenPart {
  kind: number
  id: string
  typeId: string
  productId: string
  factsId: string
  quantity: string
  weight: string
  volume: string
  logisticUnits: number | null
  serials: number
  attributes: SubjectLine['attributes']
  packageTypeCode: string | null
}

const noAttributes: SubjectLine['attributes'] = []

function partOf(text: string): FrozenPart {
  const [kind, id, typeId, productId, factsId, quantity, weight, volume, units, serials, attributes, code] =
    text.split('\t') as [string, string, string, string, string, string, ...string[]]
  return {
    ...{ id, typeId, productId, factsId, quantity, weight: weight ?? '', volume: volume ?? '' },
    ...{ kind: Number(kind), logisticUnits: units === '' ? null : Number(units), serials: Number(serials) },
    attributes: attributes === '[]' ? noAttributes : JSON.parse(attributes as string),
    packageTypeCode: code === 'null' ? null : JSON.parse(code as string),
  }
}

const partsOf = (text: string | null): FrozenPart[] => (text === null ? [] : text.split('\n').map(partOf))

interface DecodedClosing {
  row: ClosingRow
  parts: FrozenPart[]
}

/** The frozen facts of products and places that closings refer to, by id. */
interface References {
  facts: Record<string, StoredProductFacts>
  places: Record<string, Place>
}

const noReferences: References = { facts: {}, places: {} }

/** Reads the facts that closings of one organisation refer to. */
async function readReferences(db: Db, closings: readonly DecodedClosing[]): Promise<References> {
  const [first] = closings
  if (first === undefined) return noReferences
  const parts = closings.flatMap(closing => closing.parts)
  const isAmong = (ids: (string | null)[]) =>
    sql`organisation_id = ${first.row.organisationId} and id = any(${[...new Set(ids)].filter(Boolean)})`
  const facts = isAmong(parts.map(({ factsId }) => factsId))
  const places = isAmong(closings.flatMap(({ row }) => [row.originPlaceFactsId, row.destinationPlaceFactsId]))
  return db.row<References>(sql`
    select (
        select coalesce(json_object_agg(id, facts), '{}') from product_facts where ${facts}
      ) as facts, (
        select coalesce(json_object_agg(id, facts), '{}') from place_facts where ${places}
      ) as places`)
}

function frozenOf({ row, parts }: DecodedClosing, references: References): FrozenSubject {
  const { parts: _, names, originPlaceFactsId, destinationPlaceFactsId, ...header } = row
  const place = (id: string | null) => (id === null ? null : (references.places[id] ?? null))
  const values = (kind: ChargePartKind): SubjectValue[] =>
    parts
      .filter(part => part.kind === kind)
      .map(({ typeId, quantity }) => ({ typeId, name: names.types[typeId] ?? '', quantity }))
  return {
    ...header,
    origin: place(originPlaceFactsId),
    destination: place(destinationPlaceFactsId),
    lines: parts
      .filter(({ kind }) => kind === ChargePartKind.Line)
      .map(part => lineOf(part, references, names)),
    tasks: values(ChargePartKind.Task),
    consumables: values(ChargePartKind.Consumable),
  }
}

function lineOf(part: FrozenPart, { facts }: References, { products }: FrozenNames): SubjectLine {
  const { code, name } = products[part.productId || part.id] ?? { code: null, name: null }
  return {
    id: part.id,
    productId: part.productId || null,
    productCode: code,
    productName: name,
    facts: facts[part.factsId] ?? null,
    attributes: part.attributes,
    packageTypeCode: part.packageTypeCode,
    quantity: part.quantity,
    weight: part.weight || null,
    volume: part.volume || null,
    logisticUnits: part.logisticUnits,
    serials: part.serials,
  }
}
