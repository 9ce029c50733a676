// The records that a content names, against the records that there are. An id is checked when it is
// written and when the version is approved; records are deactivated and never deleted, so it stays true.

import { PartnerStatus, Relationship } from '../../partners/enumerations.ts'
import { type Db, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import type { RateCardContent, RateChargeContent, Selectors } from './rate-card-content.ts'

/** A kind of record, in words, and where its records are. */
interface Kind {
  noun: string
  table: string
  /** the column that a content has; default the id */
  key?: string
  condition?: Sql
  isOfAll?: true
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
  hazardClass: { noun: 'hazard class', table: 'dg_hazard_class', isOfAll: true },
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
  for (const [i, one] of (charge.when?.productAttributes ?? []).entries())
    add('productAttribute', one.productAttributeId, `${path}.when.productAttributes[${i}].productAttributeId`)
}

/** The records of one kind that a list of ids finds, and whether each is active. */
function recordsOf(organisationId: string, name: KindName, ids: readonly string[]): Sql {
  const { table, key = 'id::text', condition, isOfAll }: Kind = kinds[name]
  const activeStatus = name === 'carrier' ? PartnerStatus.Active : active
  const isActive = isOfAll ? sql`true` : sql`status = ${activeStatus}`
  return sql`select ${name}::text as kind, ${raw(key)} as id, ${isActive} as is_active from ${raw(table)}
    where ${isOfAll ? sql`true` : sql`organisation_id = ${organisationId}`}
      and ${raw(key === 'id::text' ? 'id' : key)} = any(${ids}) ${condition ?? sql``}`
}

/**
 * Refuses (400) a content that names records that there are not, telling every fault with its path; with
 * `isApproved`, also those that are inactive. Returns a warning for each inactive record otherwise.
 */
export async function checkReferences(
  db: Db,
  organisationId: string,
  content: RateCardContent,
  { isApproved }: { isApproved: boolean },
): Promise<string[]> {
  const references = referencesOf(content)
  const idsOf = (kind: KindName) => [
    ...new Set(references.filter(one => one.kind === kind).map(({ id }) => id)),
  ]
  const found = await db.rows<{ kind: KindName; id: string; isActive: boolean }>(
    join(
      kindNames.map(name => recordsOf(organisationId, name, idsOf(name))),
      ' union all ',
    ),
  )
  const known = new Map(found.map(({ kind, id, isActive }) => [`${kind} ${id}`, isActive]))
  const stateOf = ({ kind, id }: Reference) => known.get(`${kind} ${id}`)
  const faults = references.flatMap(one => {
    const { noun } = kinds[one.kind]
    if (stateOf(one) === undefined) return [faultAt(one.path, `does not name a ${noun}`, 'unknown_reference')]
    return isApproved && !stateOf(one)
      ? [faultAt(one.path, `names a ${noun} that is not active`, 'state')]
      : []
  })
  if (faults.length > 0) throw verificationFailed(...faults)
  return references
    .filter(one => !stateOf(one))
    .map(one => `${one.path} names a ${kinds[one.kind].noun} that is not active.`)
}
