// Checks that the records which a content refers to exist. Ids are checked when a version is written and when
// it is approved. They stay valid after that, because records are deactivated and never deleted.

import { type Db, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { PartnerStatus, Relationship } from '../../vocabulary/partners.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'
import type { RateCardContent, RateChargeContent, Selectors } from '../evaluator/rate-card-content.ts'

/** A kind of record, and how to find its records. */
interface Kind {
  noun: string
  table: string
  /** the column that contents refer to; default: the id */
  key?: string
  condition?: Sql
  /** its records belong to all organisations */
  isShared?: true
}

const active = SetUpStatus.Active
const kinds = {
  fafProfile: { noun: 'FAF profile', table: 'faf_profile' },
  taxRate: { noun: 'tax rate', table: 'tax_rate' },
  activityType: { noun: 'activity type', table: 'activity_type' },
  revenueAccount: { noun: 'revenue account', table: 'revenue_account' },
  costCentre: { noun: 'cost centre', table: 'cost_centre' },
  unitType: { noun: 'unit type', table: 'unit_type' },
  serviceType: { noun: 'service type', table: 'service_type' },
  carrier: { noun: 'carrier', table: 'partner', condition: sql`and relationship = ${Relationship.Carrier}` },
  warehouse: { noun: 'warehouse', table: 'warehouse' },
  locality: { noun: 'locality', table: 'locality' },
  product: { noun: 'product', table: 'product' },
  productGroup: { noun: 'product group', table: 'product_group' },
  productAttribute: { noun: 'product attribute', table: 'product_attribute' },
  hazardClass: { noun: 'hazard class', table: 'dg_hazard_class', isShared: true },
  taskType: { noun: 'task type', table: 'task_type' },
  consumableType: { noun: 'consumable type', table: 'consumable_type' },
  packageType: { noun: 'package type', table: 'package_type', key: 'lower(code)' },
  zone: { noun: 'zone', table: 'warehouse_zone' },
  location: { noun: 'location', table: 'warehouse_location' },
} satisfies Record<string, Kind>
type KindName = keyof typeof kinds
const kindNames = Object.keys(kinds) as KindName[]

interface Reference {
  kind: KindName
  id: string
  path: string
}

const selectorKinds: Partial<Record<keyof Selectors, KindName>> = {
  serviceTypeIds: 'serviceType',
  carrierIds: 'carrier',
  warehouseIds: 'warehouse',
  originLocalityIds: 'locality',
  destinationLocalityIds: 'locality',
  productIds: 'product',
  productGroupIds: 'productGroup',
  dgHazardClassIds: 'hazardClass',
  taskTypeIds: 'taskType',
  consumableTypeIds: 'consumableType',
  packageTypeCodes: 'packageType',
  zoneIds: 'zone',
  locationIds: 'location',
}

function referencesOf(content: RateCardContent): Reference[] {
  const found: Reference[] = []
  const add = (kind: KindName, id: string | null | undefined, path: string) => {
    if (id) found.push({ kind, id: id.toLowerCase(), path })
  }
  add('fafProfile', content.fafProfileId, 'content.fafProfileId')
  add('taxRate', content.defaultTaxRateId, 'content.defaultTaxRateId')
  add('revenueAccount', content.minimumSpendRevenueAccountId, 'content.minimumSpendRevenueAccountId')
  for (const [r, rate] of content.rates.entries()) {
    add('activityType', rate.activityTypeId, `content.rates[${r}].activityTypeId`)
    for (const [c, charge] of rate.charges.entries()) {
      addCharge(charge, `content.rates[${r}].charges[${c}]`, add)
    }
  }
  return found
}

function addCharge(
  charge: RateChargeContent,
  path: string,
  add: (kind: KindName, id: string | null | undefined, path: string) => void,
): void {
  add('taxRate', charge.taxRateId, `${path}.taxRateId`)
  add('revenueAccount', charge.revenueAccountId, `${path}.revenueAccountId`)
  add('costCentre', charge.costCentreId, `${path}.costCentreId`)
  add('unitType', charge.unitTypeId, `${path}.unitTypeId`)
  for (const [name, value] of Object.entries(charge.when ?? {})) {
    const kind = selectorKinds[name as keyof Selectors]
    if (kind !== undefined)
      for (const [i, id] of ((value ?? []) as string[]).entries()) add(kind, id, `${path}.when.${name}[${i}]`)
  }
  for (const [i, { productAttributeId }] of (charge.when?.productAttributes ?? []).entries())
    add('productAttribute', productAttributeId, `${path}.when.productAttributes[${i}].productAttributeId`)
}

/** A query for the records of one kind with these ids, and whether each is active. */
function recordsOf(organisationId: string, name: KindName, ids: readonly string[]): Sql {
  const { table, key = 'id::text', condition, isShared }: Kind = kinds[name]
  const activeStatus = name === 'carrier' ? PartnerStatus.Active : active
  const isActive = isShared ? sql`true` : sql`status = ${activeStatus}`
  return sql`select ${name}::text as kind, ${raw(key)} as id, ${isActive} as is_active from ${raw(table)}
    where ${isShared ? sql`true` : sql`organisation_id = ${organisationId}`}
      and ${raw(key === 'id::text' ? 'id' : key)} = any(${ids}) ${condition ?? sql``}`
}

/**
 * Refuses (400) a content that refers to records that do not exist, with every fault and its path. Inactive
 * records are also refused if `isApproved`; otherwise this returns a warning for each.
 */
export async function checkReferences(
  db: Db,
  organisationId: string,
  content: RateCardContent,
  { isApproved }: { isApproved: boolean },
): Promise<string[]> {
  const references = referencesOf(content)
  const idsOf = (kind: KindName) => [
    ...new Set(references.filter(reference => reference.kind === kind).map(({ id }) => id)),
  ]
  const found = await db.rows<{ kind: KindName; id: string; isActive: boolean }>(
    join(
      kindNames.map(name => recordsOf(organisationId, name, idsOf(name))),
      ' union all ',
    ),
  )
  const known = new Map(found.map(({ kind, id, isActive }) => [`${kind} ${id}`, isActive]))
  const isActiveOf = ({ kind, id }: Reference) => known.get(`${kind} ${id}`)
  const faults = references.flatMap(reference => {
    const { kind, path } = reference
    const { noun } = kinds[kind]
    if (isActiveOf(reference) === undefined)
      return [faultAt(path, `does not refer to a ${noun}`, 'unknown_reference')]
    return isApproved && !isActiveOf(reference)
      ? [faultAt(path, `refers to a ${noun} that is not active`, 'state')]
      : []
  })
  if (faults.length > 0) throw verificationFailed(...faults)
  return references
    .filter(reference => !isActiveOf(reference))
    .map(({ kind, path }) => `${path} refers to a ${kinds[kind].noun} that is not active.`)
}
