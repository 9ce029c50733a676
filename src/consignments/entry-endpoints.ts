// The endpoints of the consumables and the tasks of a consignment. Each entry has a value: the quantity used
// or done. Spec 2.6, 4.5, 4.6.

import type { TProperties } from 'typebox'
import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { raw, sql } from '../platform/database/db.ts'
import { changed, done, json } from '../platform/http/endpoint.ts'
import { named, Quantity, Type, Uuid } from '../platform/http/schema.ts'
import { changeRecords } from './change-consignment.ts'
import { draftOrPendingRule } from './client-changes.ts'
import { assignTypes, type EntryKind, noDuplicateIds, readEntries, removeType } from './type-entries.ts'

const maxEntries = 1_000

interface ValuedEntryKind extends EntryKind {
  readonly path: `/v1/consignments/:consignmentId/${'consumables' | 'tasks'}`
  readonly collection: 'consumables' | 'tasks'
  readonly idName: 'consumableTypeId' | 'taskTypeId'
}

/** The endpoints of one kind of entry: list, replace, add, change and remove. */
export function entryEndpoints(kind: ValuedEntryKind): Endpoint[] {
  const { noun, collection, idName } = kind
  const words = noun.toLowerCase()
  const title = `Consignment${noun}`
  const plural = `${title}s`
  const list = kind.path
  const member = `${list}/:${idName}` as const
  const entry = { [idName]: Uuid, value: Quantity }
  const listProperties: TProperties = {
    [collection]: Type.Array(Type.Object({ [idName]: Uuid, name: Type.String(), value: Type.Number() })),
  }
  const changeProperties: TProperties = {
    [collection]: Type.Array(Type.Object(entry), {
      maxItems: maxEntries,
      rule: noDuplicateIds(entry => (entry as Record<string, unknown> | null)?.[idName], `.${idName}`),
    }),
  }
  const value = named(`Consignment${noun}Value`, Type.Object({ value: Quantity }))
  const fields = sql`'${raw(idName)}', t.id, 'name', t.name, 'value', r.value`

  const entryIn = ({ params, body }: { params: Record<typeof idName, string>; body: { value: number } }) =>
    new Map([[params[idName], body.value]])

  return [
    endpoint({
      get: list,
      name: `list${plural}`,
      partners: 'all',
      scope: 'consignment.read',
      summary: `List a consignment's ${collection}`,
      response: json(named(`Consignment${noun}s`, Type.Object(listProperties))),
      handle: async ({ db, actor, params }) => ({
        [collection]: await readEntries(db, actor, params.consignmentId, kind, fields),
      }),
    }),
    endpoint({
      put: list,
      name: `replace${plural}`,
      partners: 'clients',
      scope: 'consignment',
      summary: `Replace a consignment's ${collection}`,
      description:
        'Entries that the request leaves out are removed. Readers see either the old or the new set. ' +
        draftOrPendingRule,
      body: named(`Consignment${noun}sChange`, Type.Object(changeProperties)),
      response: changed,
      handle: request =>
        changeRecords(request, kind.event, consignment => {
          const entries = request.body[collection] as Record<string, unknown>[]
          const requestedValues = new Map(
            entries.map(({ [idName]: id, value }) => [String(id), Number(value)]),
          )
          return assignTypes(request.tx, consignment, kind, requestedValues, 'replace')
        }),
    }),
    endpoint({
      post: member,
      name: `add${title}`,
      partners: 'clients',
      scope: 'consignment',
      summary: `Add a ${words} to a consignment`,
      description: `If the consignment already has this type, its value is replaced. ${draftOrPendingRule}`,
      body: value,
      response: done,
      async handle(request) {
        await changeRecords(request, kind.event, consignment =>
          assignTypes(request.tx, consignment, kind, entryIn(request), 'add'),
        )
      },
    }),
    endpoint({
      put: member,
      name: `update${title}`,
      partners: 'clients',
      scope: 'consignment',
      summary: `Change the value of a consignment's ${words}`,
      description: draftOrPendingRule,
      body: value,
      response: changed,
      handle: request =>
        changeRecords(request, kind.event, consignment =>
          assignTypes(request.tx, consignment, kind, entryIn(request), 'change'),
        ),
    }),
    endpoint({
      delete: member,
      name: `remove${title}`,
      partners: 'clients',
      scope: 'consignment',
      summary: `Remove a ${words} from a consignment`,
      description: draftOrPendingRule,
      response: done,
      async handle(request) {
        await changeRecords(request, kind.event, consignment =>
          removeType(request.tx, consignment, kind, request.params[idName]),
        )
      },
    }),
  ]
}
