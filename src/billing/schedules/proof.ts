// The proof of a schedule: derives every transaction on it again. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { Count, named, Type, Uuid } from '../../platform/http/schema.ts'
import { proveSchedule } from '../proofs/prove-schedule.ts'
import { visibleSchedules } from './schedule.ts'

const ScheduleProof = named(
  'ScheduleProof',
  Type.Object({
    transactions: Count,
    verified: Count,
    differing: Type.Array(Uuid, {
      description: 'The transactions that differ from their derivation. If empty, the schedule is proved.',
    }),
    sumExclTax: { ...Type.Number(), description: 'The sum of the derived amounts.' },
  }),
)

const findSchedule = (db: Db, actor: Actor, id: string) =>
  db.maybe(sql`select from partner_schedule s where ${visibleSchedules(actor)} and s.id = ${id}`)

export const scheduleProof = [
  endpoint({
    get: '/v1/schedules/:partnerScheduleId/proof',
    name: 'getScheduleProof',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Prove a schedule: derive each of its transactions again',
    description:
      'Each transaction is derived again from the data that was frozen when it was raised, and compared ' +
      'with the schedule.',
    response: json(ScheduleProof),
    async handle({ db, actor, params: { partnerScheduleId } }) {
      if ((await findSchedule(db, actor, partnerScheduleId)) === undefined) throw notFound('Schedule')
      return proveSchedule(db, actor.organisationId, partnerScheduleId)
    },
  }),
]
