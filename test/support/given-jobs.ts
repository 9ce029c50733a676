// Clients, warehouses and consignments of an organisation, and verbs for its wave picks.

import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/db.ts'
import { type ListedConsignment, openConsignments } from './given-consignments.ts'
import { type Caller, openWorld } from './harness.ts'
import { untilServed } from './until-served.ts'

/** A world with wave picks. Auckland is `warehouses[0]`, in New Zealand; the client `clients[0]`. */
export async function openJobs() {
  const world = await openWorld()
  const { admin, database } = world
  const given = await openConsignments(database, admin)
  const { clients, warehouses } = given
  const place = { warehouseId: warehouses[0] as string, clientId: clients[0] as string }

  /** Creates a wave pick at the place, with what differs. */
  async function newJob(more: object = {}, caller: Caller = admin): Promise<string> {
    const { status, body } = await untilServed(() => caller.post('/v1/jobs/wave-pick', { ...place, ...more }))
    assert.equal(status, 200, JSON.stringify(body))
    return body.jobId
  }

  /** Inserts consignments that the place can pick, with what differs. */
  const consignments = (...more: Partial<ListedConsignment>[]) =>
    given.add(
      more.map(one => ({
        type: 2,
        status: 1,
        client: 0,
        carrier: 0,
        warehouse: 0,
        day: 0,
        text: '',
        ...one,
      })),
    )

  const path = (jobId: string, rest = '') => `/v1/jobs/${jobId}/wave-pick${rest}`
  const add = (jobId: string, consignmentIds: string[]) =>
    admin.post(path(jobId, '/consignments/add'), { consignmentIds })
  const remove = (jobId: string, consignmentIds: string[]) =>
    admin.post(path(jobId, '/consignments/remove'), { consignmentIds })
  const move = (jobId: string, status: number) => admin.put(path(jobId, '/status'), { status })
  /** The ids of the consignments in a job, in their order. */
  const members = async (jobId: string, query = '') =>
    ((await admin.get(path(jobId, `/consignments${query}`))).body.consignments as { id: string }[]).map(
      ({ id }) => id,
    )
  /** What receivers are told of a job, and what the history knows, in the order of the events. */
  const events = (jobId: string) =>
    database.db.rows<{ type: number; data: Record<string, unknown>; changes: unknown; clientId: string }>(
      sql`select type, data, changes, client_id from event where subject_id = ${jobId} order by id`,
    )
  return {
    ...world,
    ...given,
    place,
    newJob,
    consignments,
    path,
    addTo: add,
    removeFrom: remove,
    move,
    members,
    events,
  }
}
