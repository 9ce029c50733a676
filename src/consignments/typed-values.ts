// Consumables and tasks of a consignment: how much of what was used and done. One implementation, a line for each. Spec 2.6, 4.5, 4.6.

import type { TProperties } from 'typebox'
import { EventType } from '../events/event.ts'
import { raw, sql } from '../platform/database/db.ts'
import { changed, done, type Endpoint, endpoint, json } from '../platform/http/endpoint.ts'
import { named, Quantity, Type, Uuid } from '../platform/http/schema.ts'
import { changeRecords } from './change-consignment.ts'
import { type HeldKind, hold, oneOfEach, readHeld, release } from './type-entries.ts'

const kinds = [
  {
    types: 'consumable_type',
    idName: 'consumableTypeId',
    entries: 'consignment_consumable',
    noun: 'Consumable',
    collection: 'consumables',
    hasValue: true,
    event: EventType.ConsignmentConsumablesUpdated,
  },
  {
    types: 'task_type',
    idName: 'taskTypeId',
    entries: 'consignment_task',
    noun: 'Task',
    collection: 'tasks',
    hasValue: true,
    event: EventType.ConsignmentTasksUpdated,
  },
] as const satisfies readonly HeldKind[]

const mostEntries = 1_000

type Kind = (typeof kinds)[number]

/** The endpoints of both. */
export const typedValues: readonly Endpoint[] = kinds.flatMap(endpointsFor)

function endpointsFor(kind: Kind): Endpoint[] {
  const { noun, collection, idName } = kind
  const words = noun.toLowerCase()
  const list = `/v1/consignments/:consignmentId/${collection}` as const
  const member = `${list}/:${idName}` as const
  const entry = { [idName]: Uuid, value: Quantity }
  const shown: TProperties = { [collection]: Type.Array(Type.Object({ [idName]: Uuid, name: Type.String(), value: Type.Number() })) }
  const set: TProperties = {
    [collection]: Type.Array(Type.Object(entry), {
      maxItems: mostEntries,
      rule: oneOfEach(entry => (entry as Record<string, unknown> | null)?.[idName], `.${idName}`),
    }),
  }
  const value = named(`Consignment${noun}Value`, Type.Object({ value: Quantity }))
  const fields = sql`'${raw(idName)}', t.id, 'name', t.name, 'value', r.value`

  const one = ({ params, body }: { params: Record<typeof idName, string>; body: { value: number } }) =>
    new Map([[params[idName], body.value]])

  return [
    endpoint({
      get: list,
      scope: 'consignment.read',
      summary: `List a consignment's ${collection}`,
      answer: json(named(`Consignment${noun}s`, Type.Object(shown))),
      handle: async ({ db, actor, params }) => ({ [collection]: await readHeld(db, actor, params.consignmentId, kind, fields) }),
    }),
    endpoint({
      put: list,
      scope: 'consignment',
      summary: `Replace a consignment's ${collection}`,
      description: 'Those that the request leaves out are removed. Readers see the old or the new set.',
      body: named(`Consignment${noun}sChange`, Type.Object(set)),
      answer: changed,
      handle: request =>
        changeRecords(request, kind.event, consignment => {
          const set = request.body[collection] as Record<string, unknown>[]
          const wanted = new Map(set.map(given => [String(given[idName]).toLowerCase(), Number(given.value)]))
          return hold(request.tx, consignment, kind, wanted, 'replace')
        }),
    }),
    endpoint({
      post: member,
      scope: 'consignment',
      summary: `Add a ${words} to a consignment`,
      description: `One of the type that the consignment has already gets the value.`,
      body: value,
      answer: done,
      async handle(request) {
        await changeRecords(request, kind.event, consignment => hold(request.tx, consignment, kind, one(request), 'add'))
      },
    }),
    endpoint({
      put: member,
      scope: 'consignment',
      summary: `Change the value of a consignment's ${words}`,
      body: value,
      answer: changed,
      handle: request => changeRecords(request, kind.event, consignment => hold(request.tx, consignment, kind, one(request), 'change')),
    }),
    endpoint({
      delete: member,
      scope: 'consignment',
      summary: `Remove a ${words} from a consignment`,
      answer: done,
      async handle(request) {
        await changeRecords(request, kind.event, consignment => release(request.tx, consignment, kind, request.params[idName]))
      },
    }),
  ]
}
