// Changes the fields of a consignment: general, route, container and priority. Each of these four parts has a
// file with its endpoint. Decision 4.

import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint, type PartnerAccess } from '../access/endpoint.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { updateFields } from '../platform/database/write.ts'
import { changed } from '../platform/http/endpoint.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { clearable, named, type TSchema, Type } from '../platform/http/schema.ts'
import type { ValidationRule } from '../platform/http/validation.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import type { EventType } from '../vocabulary/events.ts'
import { PartnerStatus, Relationship } from '../vocabulary/partners.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'
import { type Address, toStoredAddress } from '../warehouses/address.ts'
import { changeConsignment } from './change-consignment.ts'
import type { Change, ConsignmentFacts, LockedConsignment } from './consignment.ts'
import {
  type CodeKind,
  type ConsignmentField,
  type ConsignmentFields,
  carrierAndWarehouseJoins,
  type PartName,
  parts,
  portJoins,
  selectList,
  storedName,
  toStoredValue,
} from './consignment-fields.ts'

type Values = Record<string, unknown>

/** Converts a request value to the form of responses, to compare it with the stored value. */
function toResponseValue(field: ConsignmentField, value: unknown, timezoneId: string): unknown {
  const stored = toStoredValue(field, value, timezoneId)
  return field.isLocalTime && stored !== null ? `${stored}Z` : stored
}

function isSame(field: ConsignmentField, before: unknown, after: unknown): boolean {
  if (before === null || after === null) return before === after
  if (field.isAddress) return JSON.stringify(toStoredAddress(before as Address)) === JSON.stringify(after)
  if (field.code) return String(before).toLowerCase() === String(after).toLowerCase()
  return before === after
}

function findChanges(fields: ConsignmentFields, before: Values, body: Values, timezoneId: string): Change[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (body[name] === undefined) return []
    const to = toResponseValue(field, body[name], timezoneId)
    return isSame(field, before[name], to) ? [] : [{ field: name, from: before[name], to }]
  })
}

const idAndCode = (table: Sql, condition: Sql) => sql`select id, code from ${table} where ${condition}`

/** Queries for the active record with a given code, by kind of record. */
const recordByCode: Record<CodeKind, (organisationId: string, code: string) => Sql> = {
  carrier: (organisationId, code) =>
    idAndCode(
      sql`partner`,
      sql`organisation_id = ${organisationId} and lower(code) = lower(${code})
        and relationship = ${Relationship.Carrier} and status = ${PartnerStatus.Active}`,
    ),
  warehouse: (organisationId, code) =>
    idAndCode(
      sql`warehouse`,
      sql`organisation_id = ${organisationId} and lower(code) = lower(${code})
        and status = ${WarehouseStatus.Active}`,
    ),
  'shipping port': (_organisationId, code) => idAndCode(sql`shipping_port`, sql`code = upper(${code})`),
}

/**
 * The values that changes store, by their names in a row. A changed code is rewritten to the spelling of its
 * record. Throws 400 for a code that no active record has, and for removing a warehouse that the consignment
 * must have.
 */
async function resolveValues(
  tx: Tx,
  { organisationId, type }: LockedConsignment,
  fields: ConsignmentFields,
  changes: Change[],
): Promise<Values> {
  const values: Values = {}
  const faults: Fault[] = []
  for (const change of changes) {
    const field = fields[change.field] as ConsignmentField
    const { code } = field
    const column = storedName(change.field, field)
    values[column] = change.to
    if (code === undefined) continue
    if (change.to === null) {
      if (code.kind === 'warehouse' && type !== ConsignmentType.PointToPoint)
        faults.push(
          faultAt(
            'warehouseCode',
            'cannot be empty: only a Point to point consignment has no warehouse',
            'required',
          ),
        )
      continue
    }
    const record = await tx.maybe<{ id: string; code: string }>(
      recordByCode[code.kind](organisationId, change.to as string),
    )
    if (record === undefined)
      faults.push({
        path: change.field,
        code: 'unknown_reference',
        message: `${change.field}: no active ${code.kind} has the code ${change.to}.`,
      })
    values[column] = record?.id
    change.to = record?.code
  }
  if (faults.length > 0) throw verificationFailed(...faults)
  return values
}

/** Throws 400 for locations outside the consignment's warehouse. */
async function verifyLocations(
  tx: Tx,
  { organisationId, warehouseId }: LockedConsignment,
  fields: ConsignmentFields,
  changes: readonly Change[],
): Promise<void> {
  const locationChanges = changes.filter(({ field, to }) => fields[field]?.isLocation && to !== null)
  if (locationChanges.length === 0) return
  const ownLocations = await tx.rows<{ id: string }>(sql`
    select id from warehouse_location where organisation_id = ${organisationId}
      and warehouse_id = ${warehouseId} and id = any(${locationChanges.map(({ to }) => to)}::uuid[])`)
  const faults = locationChanges.filter(({ to }) => !ownLocations.some(({ id }) => id === to))
  if (faults.length > 0)
    throw verificationFailed(
      ...faults.map(({ field }) =>
        faultAt(field, "does not refer to a location of the consignment's warehouse", 'unknown_reference'),
      ),
    )
}

/**
 * Throws 400 for a change of the warehouse, or of the address on its side, once the consignment has lines.
 */
async function requireUnchangedWarehouseSide(
  tx: Tx,
  { organisationId, id, type }: LockedConsignment,
  changes: Change[],
): Promise<void> {
  const side = {
    [ConsignmentType.Inwards]: 'destinationAddress',
    [ConsignmentType.Outwards]: 'originAddress',
    [ConsignmentType.PointToPoint]: '',
  }
  const fixed = changes
    .filter(({ field }) => field === 'warehouseCode' || field === side[type])
    .map(({ field }) => field)
  if (fixed.length === 0) return
  const line = await tx.maybe(
    sql`select from consignment_product
      where organisation_id = ${organisationId} and consignment_id = ${id} limit 1`,
  )
  if (line !== undefined)
    throw verificationFailed(
      ...fixed.map(field => faultAt(field, 'cannot change once the consignment has lines', 'state')),
    )
}

/**
 * Sets the fields of a locked consignment to the values of a body. Returns the changes, and in `after` the
 * changed facts that events contain. `verify` may throw to refuse the changes.
 */
async function changeFields(
  tx: Tx,
  consignment: LockedConsignment,
  fields: ConsignmentFields,
  body: Values,
  verify: (changes: readonly Change[]) => void,
) {
  const { organisationId, id, timezoneId } = consignment
  const before = await tx.row<Values>(sql`
    select ${selectList(fields)} from consignment c ${carrierAndWarehouseJoins} ${portJoins}
    where c.organisation_id = ${organisationId} and c.id = ${id}`)
  const changes = findChanges(fields, before, body, timezoneId)
  if (changes.length === 0) return { changes }
  verify(changes)
  await requireUnchangedWarehouseSide(tx, consignment, changes)
  await verifyLocations(tx, consignment, fields, changes)
  const values = await resolveValues(tx, consignment, fields, changes)
  const columns = Object.entries(fields).map(([name, field]) => storedName(name, field))
  const update = updateFields(
    'consignment',
    columns,
    values,
    sql`organisation_id = ${organisationId} and id = ${id}`,
  )
  const refuseOtherWarehouse = () =>
    verificationFailed(
      faultAt('warehouseCode', 'cannot change: the default locations are of the warehouse before', 'state'),
    )
  await refuseViolations(tx.run(update), {
    consignment_receive_location_fkey: refuseOtherWarehouse,
    consignment_dispatch_location_fkey: refuseOtherWarehouse,
  })
  const { referenceNumber = consignment.referenceNumber, carrierId = consignment.carrierId } = values
  return { changes, after: { referenceNumber, carrierId } as Partial<ConsignmentFacts> }
}

/** A rule that reports fields of another part, with the endpoint that takes them. */
const misplacedFieldFaults =
  (part: PartName): ValidationRule =>
  body => {
    if (typeof body !== 'object' || body === null) return []
    const otherParts = Object.entries(parts).filter(([name]) => name !== part)
    return Object.keys(body).flatMap(field => {
      const [taker] = otherParts.find(([, fields]) => Object.hasOwn(fields, field)) ?? []
      if (taker === undefined) return []
      const problem = `must be sent to PUT /v1/consignments/{consignmentId}/${taker}, which takes it`
      return [{ path: `/${field}`, problem }]
    })
  }

/** The schema of a body with any of the fields of a part. Optional fields can be emptied. */
function bodyOf(part: PartName): TSchema {
  const entries = Object.entries<ConsignmentField>(parts[part]).map(([name, { schema, isRequired }]) => [
    name,
    part === 'priority' ? schema : isRequired ? Type.Optional(schema) : clearable(schema),
  ])
  const title = `Consignment${part[0]?.toUpperCase()}${part.slice(1)}Change`
  return named(title, Type.Object(Object.fromEntries(entries), { rule: misplacedFieldFaults(part) }))
}

interface PartEndpoint {
  put: `/v1/consignments/:consignmentId/${PartName}`
  part: PartName
  name: string
  partners: PartnerAccess
  summary: string
  description?: string
  event: EventType
  /** throws if the actor may not make these changes */
  verify?(actor: Actor, consignment: LockedConsignment, changes: readonly Change[]): void
}

export const partChangeEndpoint = ({ part, event, verify, ...rest }: PartEndpoint): Endpoint =>
  endpoint({
    ...rest,
    scope: 'consignment',
    extension: true,
    body: bodyOf(part),
    response: changed,
    handle: request =>
      changeConsignment(request, async (consignment, raise) => {
        const { tx, actor } = request
        const { changes, after } = await changeFields(
          tx,
          consignment,
          parts[part],
          request.body as Values,
          changes => verify?.(actor, consignment, changes),
        )
        if (changes.length > 0) raise(event, changes, after)
        return changes.length > 0
      }),
  })
