// Clients, warehouses and consignments of an organisation, and helpers for its wave picks.

import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/db.ts'
import { type ListedConsignment, openConsignments } from './given-consignments.ts'
import { type Caller, openWorld } from './harness.ts'
import { untilServed } from './until-served.ts'

/** Opens a world for wave picks. `warehouses[0]` is Auckland, New Zealand; the client is `clients[0]`. */
export async function openJobs() {
  const world = await openWorld()
  const { admin, database } = world
  const given = await openConsignments(database, admin)
  const { clients, warehouses } = given
  const place = { warehouseId: warehouses[0] as string, clientId: clients[0] as string }

  /** Creates a wave pick in that warehouse for that client, with the given changes. */
  async function newJob(more: object = {}, caller: Caller = admin): Promise<string> {
    const { status, body } = await untilServed(() => caller.post('/v1/jobs/wave-pick', { ...place, ...more }))
    assert.equal(status, 200, JSON.stringify(body))
    return body.jobId
  }

  /** Inserts consignments that such a wave pick can contain, with the given changes. */
  const consignments = (...more: Partial<ListedConsignment>[]) =>
    given.add(
      more.map(change => ({
        type: 2,
        status: 1,
        client: 0,
        carrier: 0,
        warehouse: 0,
        day: 0,
        text: '',
        ...change,
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
  /** The events about a job and their changes in the history, in order. */
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
