// Changing what a consignment says: its general, route and container fields and its priority. The four parts
// have a file each. Open-points 4.

import type { EventType } from '../events/event.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { updateGiven } from '../platform/database/write.ts'
import type { Actor } from '../platform/http/actor.ts'
import { changed, type Endpoint, endpoint, type Partners } from '../platform/http/endpoint.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { named, optionals, type TSchema, Type } from '../platform/http/schema.ts'
import { parseLocal } from '../platform/local-time.ts'
import { changeConsignment } from './change-consignment.ts'
import {
  type Address,
  type Change,
  type ConsignmentFacts,
  type LockedConsignment,
  storedAddress,
} from './consignment.ts'
import { ConsignmentType } from './enumerations.ts'
import {
  type CodeOf,
  carrierAndWarehouse,
  columnsOf,
  type KeptField,
  type KeptFields,
  ports,
  schemasOf,
} from './request-fields.ts'

type Values = Record<string, unknown>

/** A value of the request as answers show it, so that it can be held against the stored one. */
function shown(field: KeptField, value: unknown, timezoneId: string): unknown {
  if (field.isLocalTime) return `${parseLocal(value as string, timezoneId)}Z`
  if (field.isAddress) return storedAddress(value as Address)
  return value
}

function isSame(field: KeptField, before: unknown, after: unknown): boolean {
  if (field.isAddress)
    return before !== null && JSON.stringify(storedAddress(before as Address)) === JSON.stringify(after)
  if (field.code) return String(before).toLowerCase() === String(after).toLowerCase()
  return before === after
}

/** The fields that a body gives and that would become different. */
function differences(fields: KeptFields, before: Values, body: Values, timezoneId: string): Change[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = body[name]
    if (value === undefined || value === null) return []
    const to = shown(field, value, timezoneId)
    return isSame(field, before[name], to) ? [] : [{ field: name, from: before[name], to }]
  })
}

const holding = (table: Sql, of: Sql) => sql`select id, code from ${table} where ${of}`

/** The active records that codes may stand for. */
const holders: Record<CodeOf, (organisationId: string, code: string) => Sql> = {
  carrier: (organisationId, code) =>
    holding(
      sql`partner`,
      sql`organisation_id = ${organisationId} and lower(code) = lower(${code}) and relationship = 2
        and status = 2`,
    ),
  warehouse: (organisationId, code) =>
    holding(
      sql`warehouse`,
      sql`organisation_id = ${organisationId} and lower(code) = lower(${code}) and status = 1`,
    ),
  'shipping port': (_organisationId, code) => holding(sql`shipping_port`, sql`code = upper(${code})`),
}

/**
 * What changes store, by column; a code is told in the record's own spelling. 400 for a code that nothing
 * active has.
 */
async function stored(
  tx: Tx,
  organisationId: string,
  fields: KeptFields,
  changes: Change[],
): Promise<Values> {
  const values: Values = {}
  const unknown: string[] = []
  for (const change of changes) {
    const { column, code } = fields[change.field] as KeptField
    if (code === undefined) {
      values[column] = change.to
      continue
    }
    const holder = await tx.maybe<{ id: string; code: string }>(
      holders[code.of](organisationId, change.to as string),
    )
    if (holder === undefined) unknown.push(`${change.field}: no active ${code.of} has the code ${change.to}.`)
    values[column] = holder?.id
    change.to = holder?.code
  }
  if (unknown.length > 0) throw verificationFailed(...unknown)
  return values
}

/** The side of a consignment that is the warehouse cannot change once it has lines. */
async function keepWarehouseSide(
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
    sql`select from consignment_product where organisation_id = ${organisationId} and consignment_id = ${id}
      limit 1`,
  )
  if (line !== undefined)
    throw verificationFailed(...fixed.map(field => `${field} cannot change once the consignment has lines.`))
}

/**
 * Changes the given fields of a locked consignment. Returns what changed, and what events say of it `after`
 * that. `verify` may refuse the changes.
 */
async function changeFields(
  tx: Tx,
  consignment: LockedConsignment,
  fields: KeptFields,
  body: Values,
  verify: (changes: readonly Change[]) => void,
) {
  const { organisationId, id, timezoneId } = consignment
  const before = await tx.row<Values>(sql`
    select ${columnsOf(fields)} from consignment c ${carrierAndWarehouse} ${ports}
      where c.organisation_id = ${organisationId} and c.id = ${id}`)
  const changes = differences(fields, before, body, timezoneId)
  if (changes.length === 0) return { changes }
  verify(changes)
  await keepWarehouseSide(tx, consignment, changes)
  const values = await stored(tx, organisationId, fields, changes)
  const columns = Object.values(fields).map(({ column }) => column)
  await tx.run(
    updateGiven('consignment', columns, values, sql`organisation_id = ${organisationId} and id = ${id}`),
  )
  const {
    reference_number: referenceNumber = consignment.referenceNumber,
    carrier_id: carrierId = consignment.carrierId,
  } = values
  return { changes, after: { referenceNumber, carrierId } as Partial<ConsignmentFacts> }
}

/** A part of a consignment that is changed on its own. */
interface Part {
  put: `/v1/consignments/:consignmentId/${string}`
  name: string
  partners: Partners
  summary: string
  description?: string
  fields: KeptFields
  body: TSchema
  event: EventType
  /** refuses changes that the actor may not make */
  verify?(actor: Actor, consignment: LockedConsignment, changes: readonly Change[]): void
}

/** A body with any of the fields. */
export const anyOf = (title: string, fields: KeptFields) =>
  named(title, Type.Object(optionals(schemasOf(fields))))

/** The endpoint that changes a part. */
export const changeOfPart = ({ fields, event, verify, ...rest }: Part): Endpoint =>
  endpoint({
    ...rest,
    scope: 'consignment',
    extension: true,
    answer: changed,
    handle: request =>
      changeConsignment(request, async (consignment, tell) => {
        const { tx, actor } = request
        const { changes, after } = await changeFields(
          tx,
          consignment,
          fields,
          request.body as Values,
          changes => verify?.(actor, consignment, changes),
        )
        if (changes.length > 0) tell(event, changes, after)
        return changes.length > 0
      }),
  })
