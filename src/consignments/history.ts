// The history of a consignment: its events, with who changed what and when. Decision 4.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { Integer, named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { type EventType, eventTypeNames } from '../vocabulary/events.ts'
import { consignmentParent } from './consignment.ts'

const HistoryEntry = named(
  'ConsignmentHistoryEntry',
  Type.Object({
    id: Uuid,
    atUtc: UtcTime,
    eventType: Integer,
    type: Type.String(),
    userFullName: nullable(Type.String()),
    appName: nullable(Type.String()),
    changes: nullable(Type.Array(Type.Object({ field: Type.String(), from: Type.Any(), to: Type.Any() }))),
    requestId: nullable(Type.String()),
  }),
)
type Entry = Static<typeof HistoryEntry>

/**
 * The changes that the actor may see. The history of a charge does not record which partner it is for, so
 * partners see no changes of charges.
 */
const visibleChanges = ({ partnerId }: Actor, { changes }: Pick<Entry, 'changes'>): Entry['changes'] =>
  partnerId === null ? changes : (changes?.filter(({ field }) => field !== 'charges') ?? null)

export const consignmentHistory = [
  endpoint({
    get: '/v1/consignments/:consignmentId/history',
    name: 'listConsignmentHistory',
    partners: 'all',
    scope: 'consignment.read',
    extension: true,
    summary: 'List the changes of a consignment, latest first',
    description:
      'Each entry has the changed fields, the user and the app by the names that they had then, and the ' +
      'time. What the service does by itself, such as continuing an import that waited, has neither user ' +
      'nor app; its requestId is that of the request that caused it. A token that belongs to a partner ' +
      'sees no changes of charges, because they may belong to another partner.',
    query: pageQuery({}),
    response: json(pageOf('history', HistoryEntry)),
    async handle({ db, actor, params, query }) {
      const page = await readPage<'history', Omit<Entry, 'type'>>(db, 'history', query, {
        parent: consignmentParent(actor, params.consignmentId),
        columns: sql`e.id, e.created_utc as at_utc, e.type as event_type, e.user_name as user_full_name,
          e.app_name, e.changes, e.request_id`,
        from: sql`event e
          where e.organisation_id = ${actor.organisationId} and e.subject_id = ${params.consignmentId}`,
        order: sql`e.created_utc desc, e.id desc`,
      })
      return {
        ...page,
        history: page.history.map(entry => ({
          ...entry,
          changes: visibleChanges(actor, entry),
          type: eventTypeNames[entry.eventType as EventType],
        })),
      }
    },
  }),
]
