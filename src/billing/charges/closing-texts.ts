// The texts of a closing in its `charge_input` row. Its parts are stored only here, because a back-test reads
// a row for each part three times as slowly. The facts for selectors and the amounts are copies of columns
// and of charges, made for the same reason; `./waybill check-money` compares them.

import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { ChargePartKind, ChargeType } from '../../vocabulary/billing.ts'
import { textOf, wholeOf } from '../evaluator/exact.ts'
import type { BillableConsignment, BillableLine, BillableValue } from './billable-consignment.ts'
import { factsId } from './frozen-facts.ts'
import type { ComputedCharge } from './rate-consignment.ts'

/** Columns of `charge_input`. A null or unknown value is empty, or an `x` among figures and amounts. */
export interface ClosingTexts {
  /** the consignment lines of the first parts */
  lineIds: readonly string[]
  /** the header facts that selectors use; many consignments share the same text */
  selectorFacts: string
  /** one line per part: kind, type or product, product facts, attributes and package type; null: no parts */
  partSubjects: string | null
  /** five figures per part: quantity, weight in kg, volume in m³, logistic units and serials */
  partFigures: string
  /** the amounts of charges in order; `x` for a charge excluded by hand */
  clientAmounts: string
  carrierAmounts: string
}

const array = (ids: readonly string[]): string => `{${ids.join(',')}}`

const selectorFacts = (consignment: BillableConsignment): string =>
  [
    ...[consignment.consignmentType, consignment.carrierId, consignment.warehouseId, consignment.priority],
    ...[consignment.isContainerised ? 't' : 'f', consignment.containerSize, consignment.containerType],
    ...[array(consignment.serviceTypeIds), array(consignment.originLocalityIds)],
    ...[array(consignment.destinationLocalityIds), consignment.weekday],
  ].join(' ')

function lineSubject({ productId, facts, attributes, packageTypeCode }: BillableLine): string {
  const pairs = attributes.map(({ productAttributeId, description }) => [productAttributeId, description])
  const rest = pairs.length > 0 || packageTypeCode !== null ? JSON.stringify([pairs, packageTypeCode]) : ''
  return [ChargePartKind.Line, productId, facts === null ? null : factsId(facts), rest].join(' ')
}

/** A part as its text describes it, without its figures. Ids are empty if unknown. */
export interface DescribedPart {
  kind: ChargePartKind
  /** the product of a line, or the type of a task or consumable */
  id: string
  /** the frozen facts of the product */
  factsId: string
  attributes: BillableLine['attributes']
  packageTypeCode: string | null
}

const noAttributes: BillableLine['attributes'] = []

/** Decodes one line of `partSubjects`. */
export function describedPartOf(text: string): DescribedPart {
  const [kind, id, factsId, ...rest] = text.split(' ') as [string, string, string, ...string[]]
  const [pairs = [], packageTypeCode = null] = JSON.parse(rest.join(' ') || '[]') as [
    [productAttributeId: string, description: string][]?,
    (string | null)?,
  ]
  const attributes = pairs.map(([productAttributeId, description]) => ({ productAttributeId, description }))
  return {
    ...{ kind: Number(kind) as ChargePartKind, id, factsId, packageTypeCode },
    attributes: attributes.length === 0 ? noAttributes : attributes,
  }
}

/** How many figures a part has. */
export const figuresOfPart = 5

const figure = (places: number, value: string | null): string =>
  value === null ? 'x' : textOf(places, wholeOf(places, value))

const lineFigures = ({ quantity, weight, volume, logisticUnits, serials }: BillableLine): string =>
  [figure(4, quantity), figure(4, weight), figure(6, volume), logisticUnits ?? 'x', serials].join(' ')

const valueFigures = ({ quantity }: BillableValue): string => `${figure(4, quantity)} x x 0 0`

/** Whether a charge is billed to the client; others are what a carrier costs. */
export const isClientCharge = ({ chargeType }: ComputedCharge): boolean =>
  chargeType < ChargeType.CarrierFreightAdhoc

const amounts = (charges: readonly ComputedCharge[]): string =>
  charges.map(({ isIncluded, amountExclTax }) => (isIncluded ? amountExclTax : 'x')).join(' ')

/** Builds the texts of a closing from its consignment and its computed charges. */
export function closingTexts(
  consignment: BillableConsignment,
  charges: readonly ComputedCharge[],
): ClosingTexts {
  const { lines, tasks, consumables } = consignment
  const ofKind = (kind: ChargePartKind) => (value: BillableValue) => `${kind} ${value.typeId}  `
  const subjects = [
    ...lines.map(lineSubject),
    ...tasks.map(ofKind(ChargePartKind.Task)),
    ...consumables.map(ofKind(ChargePartKind.Consumable)),
  ]
  return {
    lineIds: lines.map(({ id }) => id),
    selectorFacts: selectorFacts(consignment),
    partSubjects: subjects.length === 0 ? null : subjects.join('\n'),
    partFigures: [...lines.map(lineFigures), ...[...tasks, ...consumables].map(valueFigures)].join(' '),
    clientAmounts: amounts(charges.filter(isClientCharge)),
    carrierAmounts: amounts(charges.filter(charge => !isClientCharge(charge))),
  }
}

/** Selects the texts that closing `i` copies from its columns and its charges, for comparison. */
export const copiedTexts: Sql = sql`
  select concat_ws(' ', i.consignment_type, coalesce(i.carrier_id::text, ''),
      coalesce(i.warehouse_id::text, ''), i.priority, i.is_containerised,
      coalesce(i.container_size::text, ''), coalesce(i.container_type::text, ''), i.service_type_ids,
      i.origin_locality_ids, i.destination_locality_ids, extract(isodow from i.charge_date)
    ) as selector_facts, coalesce(charge.client, '') as client_amounts,
    coalesce(charge.carrier, '') as carrier_amounts
  from (
    select string_agg(h.amount, ' ' order by h.ordinal) filter (where h.is_of_client) as client,
      string_agg(h.amount, ' ' order by h.ordinal) filter (where not h.is_of_client) as carrier
    from (
      select h.ordinal, h.charge_type < ${raw(String(ChargeType.CarrierFreightAdhoc))} as is_of_client,
        case when h.is_included then h.amount_excl_tax::text else 'x' end as amount
      from consignment_charge h
      where h.organisation_id = i.organisation_id and h.consignment_id = i.consignment_id
        and h.closing_number = i.closing_number
    ) h
  ) charge`
