// Logistic units in commands: references to existing units, and creating new ones. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { named, optional, ShortText, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { buildSscc } from './sscc.ts'

/** The SSCC of a unit: 18 digits with a valid check digit. */
export const Sscc = Type.String({
  format: 'sscc',
  fault: 'must be an SSCC: 18 digits, the last of them the right check digit',
})

/** How an entry of a command refers to a logistic unit, or asks for a new one. */
export const UnitReference = named(
  'LogisticUnitReference',
  Type.Object(
    {
      logisticUnitId: optional(Uuid),
      ssccNumber: optional(Sscc),
      referenceNumber: optional(ShortText),
      isNew: optional(Type.Boolean()),
      generateSscc: optional(Type.Boolean()),
    },
    {
      description:
        'An existing unit by its id, SSCC or reference. With isNew, a new unit with the given id, SSCC and ' +
        'reference; generateSscc generates its SSCC with the client’s GS1 company prefix.',
    },
  ),
)
export type UnitReference = Static<typeof UnitReference>

/** A logistic unit as commands need it. */
export interface LogisticUnitState {
  id: string
  logisticUnitNumber: string
  partnerId: string
  ssccNumber: string | null
  referenceNumber: string | null
  warehouseId: string
  warehouseLocationId: string
  /** whether there is no stock on it */
  isEmpty: boolean
}

const unitColumns = sql`u.id, u.logistic_unit_number, u.partner_id, u.sscc_number, u.reference_number,
  u.warehouse_id, u.warehouse_location_id, not exists (
    select from warehouse_product p where p.organisation_id = u.organisation_id
      and p.logistic_unit_id = u.id and not p.is_depleted
  ) as is_empty`

export interface ClientUnitReference {
  partnerId: string
  unit: UnitReference
}

const referenceTable = (references: readonly ClientUnitReference[]) => sql`
  json_to_recordset(${JSON.stringify(
    references.map(({ partnerId, unit }, n) => ({ ...unit, partnerId, n })),
  )}) as g (n integer, "partnerId" uuid, "logisticUnitId" uuid, "ssccNumber" text, "referenceNumber" text)`

const isReferenced = sql`case
  when g."logisticUnitId" is not null then u.id = g."logisticUnitId"
  when g."ssccNumber" is not null then u.sscc_number = g."ssccNumber"
  else u.partner_id = g."partnerId" and lower(u.reference_number) = lower(g."referenceNumber") end`

/**
 * Locks all units that a command uses, in the order of their ids: units by id, units that stock rows are on,
 * and referenced units. A command that moves some units and fills others must call it before it reads any:
 * if they locked units one after the other, two commands could deadlock.
 */
export const lockUnits = async (
  tx: Tx,
  organisationId: string,
  { ids = [], ofRows = [], named = [] }: { ids?: string[]; ofRows?: string[]; named?: ClientUnitReference[] },
): Promise<void> => {
  if (ids.length + ofRows.length + named.length === 0) return
  await tx.run(sql`
    select from logistic_unit where organisation_id = ${organisationId} and id in (
      select unnest(${ids}::uuid[])
      union all
      select p.logistic_unit_id from warehouse_product p
      where p.organisation_id = ${organisationId} and p.id = any(${ofRows})
      union all
      select u.id from ${referenceTable(named)}
      join logistic_unit u on u.organisation_id = ${organisationId} and ${isReferenced}
    ) order by id for no key update`)
}

/**
 * Finds referenced units, a `referenceNumber` among the units of its client. Returns a lookup, which returns
 * undefined for an unknown unit. Call it once, under the stock lock: it also locks the units, in the order of
 * their ids, so that nobody else moves them or puts other products on them before the commit.
 */
export async function findUnits(
  tx: Tx,
  organisationId: string,
  references: readonly ClientUnitReference[],
): Promise<(partnerId: string, unit: UnitReference) => LogisticUnitState | undefined> {
  const existing = references.filter(({ unit }) => !unit.isNew)
  if (existing.length === 0) return () => undefined
  const units = sql`${referenceTable(existing)}
    join logistic_unit u on u.organisation_id = ${organisationId} and ${isReferenced}`
  // The stock on a unit must be read after locking it: a statement only sees what was there when it began.
  await tx.run(sql`select u.id from ${units} order by u.id for no key update of u`)
  const found = await tx.rows<LogisticUnitState & { n: number }>(sql`
    select g.n, ${unitColumns} from ${units}`)
  const unitByKey = new Map(
    found.map(({ n, ...unit }) => [keyOf(existing[n]?.partnerId as string, existing[n]?.unit ?? {}), unit]),
  )
  return (partnerId, unit) => unitByKey.get(keyOf(partnerId, unit))
}

/** A key that is equal for references to the same unit. */
const keyOf = (partnerId: string, unit: UnitReference): string =>
  unit.logisticUnitId ?? unit.ssccNumber ?? `${partnerId} ${unit.referenceNumber?.toLowerCase()}`

/** A unit to be created. */
export interface NewUnit {
  unit: UnitReference
  partnerId: string
  warehouseId: string
  warehouseLocationId: string
  /** the client's prefix, if an SSCC is to be generated */
  gs1CompanyPrefix?: string | null
}

/** The number of a new unit, and its SSCC. */
interface UnitIdentity {
  number: number
  ssccNumber: string | null
}

/**
 * Takes the next numbers for new units, in their order. A number whose SSCC somebody has given to a unit
 * already is skipped. Locks the organisation's counter until the commit.
 * @throws 400 if a number does not fit behind the prefix.
 */
async function takeNumbers(
  tx: Tx,
  organisationId: string,
  units: readonly NewUnit[],
): Promise<UnitIdentity[]> {
  const prefixOf = ({ unit, gs1CompanyPrefix }: NewUnit) =>
    unit.generateSscc && !unit.ssccNumber ? (gs1CompanyPrefix ?? null) : null
  const prefixes = [...new Set(units.flatMap(unit => prefixOf(unit) ?? []))]
  const { first } = await tx.row<{ first: number }>(sql`
    select last_logistic_unit_number + 1 as first from organisation
    where id = ${organisationId} for no key update`)
  const taken = new Set(units.flatMap(({ unit }) => unit.ssccNumber ?? []))
  let [number, known] = [first, first]
  const isTaken = async (sscc: string) => {
    if (number >= known) {
      // Longer and longer stretches are looked up, as many numbers in a row may be taken.
      const end = known + Math.max(units.length, known - first)
      for (const found of await findSsccs(tx, organisationId, prefixes, known, end)) taken.add(found)
      known = end
    }
    return taken.has(sscc)
  }
  const identities: UnitIdentity[] = []
  for (const unit of units) {
    const prefix = prefixOf(unit)
    let sscc = prefix === null ? null : generateSscc(prefix, number)
    while (prefix !== null && sscc !== null && (await isTaken(sscc))) sscc = generateSscc(prefix, ++number)
    identities.push({ number: number++, ssccNumber: unit.unit.ssccNumber ?? sscc })
  }
  await tx.run(sql`
    update organisation set last_logistic_unit_number = ${number - 1} where id = ${organisationId}`)
  return identities
}

function generateSscc(gs1CompanyPrefix: string, number: number): string {
  const sscc = buildSscc(gs1CompanyPrefix, number)
  if (sscc === null)
    throw verificationFailed(
      `An SSCC cannot be generated: the number ${number} of the unit does not fit behind the client’s ` +
        `gs1CompanyPrefix ${gs1CompanyPrefix}.`,
    )
  return sscc
}

/** The SSCCs of numbers from `first` to before `end` that units have. */
async function findSsccs(
  tx: Tx,
  organisationId: string,
  prefixes: readonly string[],
  first: number,
  end: number,
): Promise<string[]> {
  const numbers = Array.from({ length: end - first }, (_, n) => first + n)
  const ssccs = prefixes.flatMap(prefix => numbers.flatMap(number => buildSscc(prefix, number) ?? []))
  const rows = await tx.rows<{ ssccNumber: string }>(sql`
    select sscc_number from logistic_unit
    where organisation_id = ${organisationId} and sscc_number = any(${ssccs})`)
  return rows.map(({ ssccNumber }) => ssccNumber)
}

/** Gives units an SSCC or a reference that they lack. */
export async function addIdentifiers(
  tx: Tx,
  { organisationId }: Pick<LockedStock, 'organisationId'>,
  units: readonly {
    id: string
    ssccNumber: string | null | undefined
    referenceNumber: string | null | undefined
  }[],
): Promise<void> {
  if (units.length === 0) return
  await tx.run(sql`
    update logistic_unit u set sscc_number = coalesce(u.sscc_number, g."ssccNumber"),
      reference_number = coalesce(u.reference_number, g."referenceNumber")
    from json_to_recordset(${JSON.stringify(units)}) as g (id uuid, "ssccNumber" text, "referenceNumber" text)
    where u.organisation_id = ${organisationId} and u.id = g.id`)
}

/**
 * Creates logistic units, numbered in the given order, and returns their ids. It locks the organisation's
 * counter until the commit, so call it after everything that can be refused.
 * @throws 400 if an SSCC is to be generated and the number of the unit does not fit behind the prefix
 */
export async function createUnits(
  tx: Tx,
  { organisationId }: Pick<LockedStock, 'organisationId'>,
  units: readonly NewUnit[],
): Promise<string[]> {
  if (units.length === 0) return []
  const numbers = await takeNumbers(tx, organisationId, units)
  const rows = units.map(({ unit, gs1CompanyPrefix: _, ...place }, i) => {
    const { number, ssccNumber } = numbers[i] as (typeof numbers)[number]
    return {
      ...place,
      id: unit.logisticUnitId ?? newId(),
      number,
      name: `LU-${String(number).padStart(6, '0')}`,
      ssccNumber,
      referenceNumber: unit.referenceNumber || null,
    }
  })
  await tx.run(sql`
    insert into logistic_unit (organisation_id, id, number, logistic_unit_number, partner_id, sscc_number,
      reference_number, warehouse_id, warehouse_location_id)
    select ${organisationId}, id, number, name, "partnerId", "ssccNumber", "referenceNumber", "warehouseId",
      "warehouseLocationId"
    from json_to_recordset(${JSON.stringify(rows)}) as g (id uuid, number bigint, name text, "partnerId" uuid,
      "ssccNumber" text, "referenceNumber" text, "warehouseId" uuid, "warehouseLocationId" uuid)
    order by "ssccNumber"`)
  return rows.map(({ id }) => id)
}
