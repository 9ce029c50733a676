// Creates many locations of a warehouse at once, from a pattern of their names. Spec 2.14.

import { v7 as uuidv7 } from 'uuid'
import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { duplicate, verificationFailed } from '../../platform/http/refusal.ts'
import { Integer, IntegerEnum, Name, named, optional, Type, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { requireWarehouse } from '../warehouse.ts'
import { expandPattern } from './location-pattern.ts'

const maxLocations = 5_000
const maxNameLength = 200
const maxInteger = 2_147_483_647

function findPatternFault(value: unknown): ValidationError[] {
  const names = typeof value === 'string' ? expandPattern(value, maxLocations) : []
  if (names === undefined)
    return [
      {
        path: '',
        problem: 'must be a pattern like A-{01..12}-{1..5} of at most 5,000 names',
        code: 'pattern',
      },
    ]
  if (names[0]?.includes('..'))
    return [
      { path: '', problem: 'has a range without braces: write A-{01..12}, not A-01..12', code: 'pattern' },
    ]
  if (names.some(name => name.length > maxNameLength))
    return [{ path: '', problem: 'stands for names that are too long', code: 'length' }]
  const repeated = firstRepeated(names.map(name => name.toLowerCase()))
  return repeated === undefined
    ? []
    : [{ path: '', problem: `stands for ${names[repeated]} twice`, code: 'duplicate' }]
}

/** The index of the first text that stands earlier in the list; undefined if all differ. */
function firstRepeated(texts: readonly string[]): number | undefined {
  const seen = new Set<string>()
  const index = texts.findIndex(text => seen.size === seen.add(text).size)
  return index === -1 ? undefined : index
}

/** Checks that the walking order of the last location still fits into a 32-bit integer. */
function findOrderFault(value: unknown): ValidationError[] {
  const { pattern, firstWalkingOrder } = (value ?? {}) as Record<string, unknown>
  if (typeof pattern !== 'string' || typeof firstWalkingOrder !== 'number') return []
  const count = expandPattern(pattern, maxLocations)?.length ?? 0
  const maxFirst = maxInteger - Math.max(count - 1, 0)
  return firstWalkingOrder > maxFirst
    ? [
        {
          path: '/firstWalkingOrder',
          problem: `must be ${maxFirst} or less for ${count} locations`,
          code: 'range',
        },
      ]
    : []
}

export const manyLocations = [
  endpoint({
    post: '/v1/warehouses/:warehouseId/locations/many',
    name: 'createManyWarehouseLocations',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    summary: 'Create many locations in a warehouse from a pattern of their names',
    description:
      'A-{01..12}-{1..5} creates the 60 locations A-01-1 to A-12-5; {A..F} goes through letters. If ' +
      'firstWalkingOrder is given, they are numbered in this order, starting from it. A pattern without ' +
      'braces is the name of one location.',
    body: named(
      'ManyWarehouseLocations',
      Type.Object(
        {
          pattern: { ...Name, rule: findPatternFault, examples: ['A-{01..12}-{1..5}'] },
          type: IntegerEnum(LocationType),
          status: optional(IntegerEnum(WarehouseStatus)),
          warehouseZoneId: optional(Uuid),
          firstWalkingOrder: optional(Integer),
        },
        { rule: findOrderFault },
      ),
    ),
    response: json(named('WarehouseLocationsMade', Type.Object({ warehouseLocationIds: Type.Array(Uuid) }))),
    refuses: [409],
    async handle({ tx, actor: { organisationId, ...actor }, params: { warehouseId }, body }) {
      await requireWarehouse(tx, { organisationId, ...actor }, warehouseId)
      const { warehouseZoneId, firstWalkingOrder } = body
      if (warehouseZoneId) {
        const zone = await tx.maybe(sql`select 1 from warehouse_zone where organisation_id = ${organisationId}
          and warehouse_id = ${warehouseId} and id = ${warehouseZoneId}`)
        if (zone === undefined)
          throw verificationFailed(
            faultAt('warehouseZoneId', 'does not refer to a zone of this warehouse', 'unknown_reference'),
          )
      }
      const names = expandPattern(body.pattern, maxLocations) as string[]
      const ids = names.map(() => uuidv7())
      const createdCount = await tx.run(sql`
        insert into warehouse_location (organisation_id, id, warehouse_id, warehouse_zone_id, name, type,
          status,
          walking_order)
        select ${organisationId}, id, ${warehouseId}, ${warehouseZoneId ?? null}::uuid, name, ${body.type},
          ${body.status ?? WarehouseStatus.Active},
          ${firstWalkingOrder ?? null}::integer + (place - 1)::integer
        from unnest(${ids}::uuid[], ${names}::text[]) with ordinality as n (id, name, place)
        on conflict (organisation_id, warehouse_id, lower(name)) do nothing`)
      if (createdCount < names.length)
        throw duplicate(
          'pattern',
          `The warehouse has ${names.length - createdCount} of the ${names.length} locations already.`,
        )
      return { warehouseLocationIds: ids }
    },
  }),
]
