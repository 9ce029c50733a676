// Reads the charge inputs of Closed consignments, as their closings froze them.

import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import { ChargePartKind } from '../../vocabulary/billing.ts'
import type { Place } from '../evaluator/locality.ts'
import type {
  BillableConsignment,
  BillableLine,
  BillableValue,
  StoredProductFacts,
} from './billable-consignment.ts'
import { type DescribedPart, describedPartOf, figuresOfPart } from './closing-texts.ts'
import type { FrozenNames } from './frozen-names.ts'

/** A closing as it is read. Its parts and places refer to facts that are read separately, once each. */
interface ClosingRow
  extends Omit<BillableConsignment, 'lines' | 'tasks' | 'consumables' | 'origin' | 'destination'> {
  originPlaceFactsId: string | null
  destinationPlaceFactsId: string | null
  partSubjects: string | null
  partFigures: string
  lineIds: string[]
  sources: Record<string, string>
  names: FrozenNames
}

/** A consignment as it was frozen, with the events that its inputs came from. */
export interface FrozenConsignment extends BillableConsignment {
  /** event ids by the group of charge inputs that the event set */
  sources: Record<string, string>
}

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
export const readLatestClosings = (db: Db, where: Sql): Promise<FrozenConsignment[]> =>
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
): Promise<FrozenConsignment[]> =>
  readInputs(
    db,
    sql`unnest(${closings.map(({ consignmentId }) => consignmentId)}::uuid[],
        ${closings.map(({ closingNumber }) => closingNumber)}::integer[]) wanted (id, number)
      join charge_input i on i.organisation_id = ${organisationId} and i.consignment_id = wanted.id
        and i.closing_number = wanted.number
      join consignment c on c.organisation_id = i.organisation_id and c.id = i.consignment_id`,
    sql`true`,
  )

async function readInputs(db: Db, from: Sql, where: Sql): Promise<FrozenConsignment[]> {
  const rows = await db.rows<ClosingRow>(sql`
    select i.organisation_id, i.consignment_id as id, c.consignment_number, c.reference_number,
      c.container_number, c.status, i.consignment_type, i.client_id, i.carrier_id,
      i.names ->> 'carrier' as carrier_name, i.warehouse_id, null as warehouse_revenue_account_id,
      null as warehouse_cost_centre_id, i.priority, i.is_containerised, i.container_size, i.container_type,
      i.charge_date, i.charge_utc, extract(isodow from i.charge_date)::integer as weekday, i.is_by_expected,
      i.origin_place_facts_id, i.destination_place_facts_id,
      i.origin_locality_ids::text[] as origin_locality_ids,
      i.destination_locality_ids::text[] as destination_locality_ids,
      i.service_type_ids::text[] as service_type_ids, i.part_subjects,
      i.part_figures, i.line_ids::text[] as line_ids,
      ${card('client')} as client_card, ${card('carrier')} as carrier_card,
      i.client_freight_resolution, i.carrier_freight_resolution, i.freight_warning_type,
      i.freight_warning_threshold::text as freight_warning_threshold, '[]'::json as exclusions,
      i.closing_number - 1 as closings, i.evaluator_version, i.sources, i.names
    from ${from}
    where ${where}
    order by c.id, i.closing_number`)
  const decoded = rows.map(row => ({ row, parts: partsOf(row) }))
  const references = await readReferences(db, decoded)
  return decoded.map(closing => frozenOf(closing, references))
}

/** A part as it was frozen. */
interface FrozenPart extends DescribedPart {
  quantity: string
  weight: string | null
  volume: string | null
  logisticUnits: number | null
  serials: number
}

function partsOf({ partSubjects, partFigures }: ClosingRow): FrozenPart[] {
  if (partSubjects === null) return []
  const figures = partFigures.split(' ').map(figure => (figure === 'x' ? null : figure))
  return partSubjects.split('\n').map((text, n) => {
    const begin = n * figuresOfPart
    const [quantity, weight = null, volume = null, units, serials] = figures.slice(
      begin,
      begin + figuresOfPart,
    )
    return {
      ...describedPartOf(text),
      ...{ quantity: quantity as string, weight, volume, serials: Number(serials) },
      logisticUnits: units === null ? null : Number(units),
    }
  })
}

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

function frozenOf({ row, parts }: DecodedClosing, references: References): FrozenConsignment {
  const { partSubjects: _, partFigures: __, lineIds, names, ...rest } = row
  const { originPlaceFactsId, destinationPlaceFactsId, ...header } = rest
  const place = (id: string | null) => (id === null ? null : (references.places[id] ?? null))
  const values = (kind: ChargePartKind): BillableValue[] =>
    parts
      .filter(part => part.kind === kind)
      .map(({ id, quantity }) => ({ typeId: id, name: names.types[id] ?? '', quantity }))
  return {
    ...header,
    origin: place(originPlaceFactsId),
    destination: place(destinationPlaceFactsId),
    lines: parts
      .filter(({ kind }) => kind === ChargePartKind.Line)
      .map((part, n) => lineOf(part, lineIds[n] as string, references, names)),
    tasks: values(ChargePartKind.Task),
    consumables: values(ChargePartKind.Consumable),
  }
}

function lineOf(
  { kind: _, id: productId, factsId, ...part }: FrozenPart,
  id: string,
  { facts }: References,
  { products }: FrozenNames,
): BillableLine {
  const { code, name } = products[productId || id] ?? { code: null, name: null }
  return {
    ...{ id, productId: productId || null, productCode: code, productName: name },
    facts: facts[factsId] ?? null,
    ...part,
  }
}
