// The types assigned to a consignment, each at most once: consumable types and task types with a value,
// service types without one. Spec 2.6, 4.5 to 4.7.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { type Db, raw, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import type { ValidationError, ValidationRule } from '../platform/http/validation.ts'
import type { EventType } from '../vocabulary/events.ts'
import { SetUpStatus } from '../vocabulary/reference-data.ts'
import { type Change, jsonCollection, type LockedConsignment, visibleConsignments } from './consignment.ts'

/** What differs between consumables, tasks and service types. */
export interface EntryKind {
  /** the table of types; the columns that refer to it are named after it */
  readonly types: 'consumable_type' | 'task_type' | 'service_type'
  /** the table of the types assigned to consignments */
  readonly entries: string
  /** the id of a type in the API */
  readonly idName: 'consumableTypeId' | 'taskTypeId' | 'serviceTypeId'
  /** the name of an entry in messages */
  readonly noun: string
  /** the API field with the entries */
  readonly collection: string
  readonly hasValue: boolean
  /** the event raised when entries change */
  readonly event: EventType
}

const typeNoun = ({ types }: EntryKind) => `${types[0]?.toUpperCase()}${types.slice(1).replace('_', ' ')}`
const valueColumn = ({ hasValue }: EntryKind) => (hasValue ? raw('r.value') : raw('null::numeric'))
const typeId = ({ types }: EntryKind) => raw(`${types}_id`)

/**
 * Reads the entries of a consignment. `fields` lists the JSON fields of one entry, taken from the entry `r`
 * and its type `t`. Throws 404 if the actor cannot see the consignment.
 */
export async function readEntries<Entries>(
  db: Db,
  actor: Actor,
  consignmentId: string,
  kind: EntryKind,
  fields: Sql,
): Promise<Entries> {
  const from = sql`${raw(kind.entries)} r join ${raw(kind.types)} t on t.organisation_id = r.organisation_id
    and t.id = r.${typeId(kind)}`
  const found = await db.maybe<{ entries: Entries }>(sql`
    select ${jsonCollection(fields, from, sql`t.name, t.id`)} as entries
    from consignment c where ${visibleConsignments(actor)} and c.id = ${consignmentId}`)
  if (found === undefined) throw notFound('Consignment')
  return found.entries
}

interface Type {
  id: string
  name: string
  status: number
  isAssigned: boolean
  /** null if it is not assigned, or of a kind without values */
  value: number | null
}

/** Reads the types with these ids and those that are already assigned, by id. */
async function readTypes(
  tx: Tx,
  { organisationId, id }: LockedConsignment,
  kind: EntryKind,
  ids: string[],
): Promise<Map<string, Type>> {
  const rows = await tx.rows<Type>(sql`
    select t.id, t.name, t.status, r.consignment_id is not null as is_assigned, ${valueColumn(kind)} as value
    from ${raw(kind.types)} t left join ${raw(kind.entries)} r
      on r.organisation_id = t.organisation_id and r.consignment_id = ${id} and r.${typeId(kind)} = t.id
    where t.organisation_id = ${organisationId}
      and (r.consignment_id is not null or t.id = any(${ids}::uuid[]))`)
  return new Map(rows.map(type => [type.id, type]))
}

/** The values that entries should have, by type id in lower case; null for kinds without values. */
export type RequestedValues = ReadonlyMap<string, number | null>

/**
 * Assigns the requested types to a locked consignment, and with `replace` removes all others. Returns the
 * changes. Throws 404 for an unknown type and, with `change`, for one that is not assigned; 400 for an
 * inactive type that is not assigned yet.
 */
export async function assignTypes(
  tx: Tx,
  consignment: LockedConsignment,
  kind: EntryKind,
  requested: RequestedValues,
  mode: 'add' | 'change' | 'replace',
): Promise<Change[]> {
  const types = await readTypes(tx, consignment, kind, [...requested.keys()])
  for (const id of requested.keys()) {
    const type = types.get(id)
    if (mode === 'change' && !type?.isAssigned) throw notFound(kind.noun)
    if (type === undefined) throw notFound(typeNoun(kind))
    if (!type.isAssigned && type.status !== SetUpStatus.Active)
      throw verificationFailed(`${typeNoun(kind)} ${type.name} is inactive.`)
  }
  const changedTypes = [...types.values()].filter(
    type => requested.has(type.id) && !(type.isAssigned && type.value === requested.get(type.id)),
  )
  const removedTypes = mode === 'replace' ? [...types.values()].filter(type => !requested.has(type.id)) : []
  if (removedTypes.length > 0) {
    const ids = removedTypes.map(type => type.id)
    await tx.run(
      sql`
        delete from ${raw(kind.entries)} r
        where ${isEntryOf(consignment)} and r.${typeId(kind)} = any(${ids}::uuid[])`,
    )
  }
  if (changedTypes.length > 0) await storeEntries(tx, consignment, kind, changedTypes, requested)
  return [
    ...removedTypes.map(type => ({
      field: kind.collection,
      from: historyEntry(kind, type, type.value),
      to: null,
    })),
    ...changedTypes.map(type => ({
      field: kind.collection,
      from: type.isAssigned ? historyEntry(kind, type, type.value) : null,
      to: historyEntry(kind, type, requested.get(type.id)),
    })),
  ]
}

/** An entry in the form in which the history shows it. */
const historyEntry = (
  kind: EntryKind,
  { id, name }: Pick<Type, 'id' | 'name'>,
  value: number | null | undefined,
) => (kind.hasValue ? { [kind.idName]: id, name, value } : { [kind.idName]: id, name })

const isEntryOf = ({ organisationId, id }: LockedConsignment) =>
  sql`r.organisation_id = ${organisationId} and r.consignment_id = ${id}`

async function storeEntries(
  tx: Tx,
  { organisationId, id }: LockedConsignment,
  kind: EntryKind,
  types: readonly Type[],
  requested: RequestedValues,
): Promise<void> {
  const [table, key] = [raw(kind.entries), raw(`${kind.entries}_pkey`)]
  const typeIds = types.map(type => type.id)
  if (!kind.hasValue) {
    await tx.run(sql`
      insert into ${table} (organisation_id, consignment_id, ${typeId(kind)})
      select ${organisationId}, ${id}, unnest(${typeIds}::uuid[])`)
    return
  }
  const [ids, values] = [types.map(() => uuidv7()), typeIds.map(type => requested.get(type))]
  await tx.run(sql`
    insert into ${table} (organisation_id, consignment_id, id, ${typeId(kind)}, value)
    select ${organisationId}, ${id}, e.id, e.type_id, e.value
    from unnest(${ids}::uuid[], ${typeIds}::uuid[], ${values}::numeric[]) as e (id, type_id, value)
    on conflict on constraint ${key} do update set value = excluded.value`)
}

/** Removes one type from a locked consignment. Returns the changes. Throws 404 if it is not assigned. */
export async function removeType(
  tx: Tx,
  consignment: LockedConsignment,
  kind: EntryKind,
  id: string,
): Promise<Change[]> {
  const type = await tx.maybe<Pick<Type, 'id' | 'name' | 'value'>>(sql`
    delete from ${raw(kind.entries)} r using ${raw(kind.types)} t
    where ${isEntryOf(consignment)} and r.${typeId(kind)} = ${id}
      and t.organisation_id = r.organisation_id and t.id = r.${typeId(kind)}
    returning t.id, t.name, ${valueColumn(kind)} as value`)
  if (type === undefined) throw notFound(kind.noun)
  return [{ field: kind.collection, from: historyEntry(kind, type, type.value), to: null }]
}

/**
 * A rule that a list contains no id twice. `idOf` returns the id of an entry, and `at` is the path of that
 * field in the entry (".taskTypeId").
 */
export const noDuplicateIds =
  (idOf: (entry: unknown) => unknown, at = ''): ValidationRule =>
  list => {
    const seen = new Set<string>()
    const faults: ValidationError[] = []
    for (const [i, entry] of (Array.isArray(list) ? list : []).entries()) {
      const id = idOf(entry)
      if (typeof id !== 'string') continue
      if (seen.has(id.toLowerCase()))
        faults.push({ path: `[${i}]${at}`, problem: 'must not be given a second time', code: 'duplicate' })
      seen.add(id.toLowerCase())
    }
    return faults
  }
