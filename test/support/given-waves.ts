// Wave picks over stock: Pending consignments in a job, and helpers that pick them.

import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { type Facts, type Line, openAllocation } from './given-allocation.ts'

export interface WavePickRow {
  inventoryAllocationId: string | null
  warehouseProductId: string
  consignmentId: string | null
  position: number | null
  consignments: { consignmentId: string; position: number; quantity: number }[]
  partnerProductCode: string
  warehouseLocationName: string
  serials: string[]
  quantity: number
  isPicked: boolean
}

/** A world with stock, consignments (`openAllocation`) and jobs that pick them. */
export async function openWaves() {
  const world = await openAllocation()
  const { admin, database, clientId, warehouseId, readyAll, organisationId } = world
  const place = { warehouseId, clientId }

  /** Creates a job of Pending consignments with these lines. Returns their ids by position. */
  async function wave(members: readonly (readonly Line[])[], more: object = {}, facts: Facts = {}) {
    const ids = await readyAll(
      members.map(lines => ({ lines, facts: { status: ConsignmentStatus.Pending, ...facts } })),
    )
    const { body } = await admin.post('/v1/jobs/wave-pick', { ...place, ...more })
    const { status } = await admin.post(`/v1/jobs/${body.jobId}/wave-pick/consignments/add`, {
      consignmentIds: ids,
    })
    assert.equal(status, 200)
    return { jobId: body.jobId as string, ids }
  }

  const move = (jobId: string, status: number) => admin.put(`/v1/jobs/${jobId}/wave-pick/status`, { status })

  /** The same, ready to be picked. */
  async function startedWave(members: readonly (readonly Line[])[], more: object = {}) {
    const made = await wave(members, more)
    const answer = await move(made.jobId, 2)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return made
  }

  async function picks(jobId: string, query = ''): Promise<WavePickRow[]> {
    const { status, body } = await admin.get(`/v1/jobs/${jobId}/wave-pick/picks?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.total, body.picks.length)
    return body.picks
  }

  const confirm = (jobId: string, entries: object[], more: object = {}) =>
    admin.post(`/v1/jobs/${jobId}/wave-pick/picks/confirm`, { picks: entries, ...more })

  /** Confirms picks, asserts status 200 and returns the response body. */
  async function confirmed(jobId: string, entries: object[], more: object = {}) {
    const { status, body } = await confirm(jobId, entries, more)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** Confirms picks that must be refused, and returns the messages. */
  async function refused(jobId: string, entries: object[]): Promise<string[]> {
    const { status, body } = await confirm(jobId, entries)
    assert.equal(status, 400, JSON.stringify(body))
    return body.ErrorMessages
  }

  /** The quantities of the lines of consignments, in order: [allocated, picked]. */
  const figures = async (consignmentIds: readonly string[]) =>
    (
      await database.db.rows<{ allocated: number; picked: number }>(sql`
        select l.allocated_quantity as allocated, l.picked_quantity as picked
        from unnest(${consignmentIds}::uuid[]) with ordinality as g (id, n)
        join consignment_product l on l.organisation_id = ${organisationId} and l.consignment_id = g.id
        order by g.n, l.ordinal`)
    ).map(({ allocated, picked }) => [allocated, picked])

  /** The status changes of a job from its events: [before, after]. */
  const moves = async (jobId: string) =>
    (
      await database.db.rows<{ data: { previousStatus: number; status: number } }>(sql`
        select data from event where subject_id = ${jobId} and type = 303 order by id`)
    ).map(({ data }) => [data.previousStatus, data.status])

  const statusOf = async (jobId: string) => (await admin.get(`/v1/jobs/${jobId}/wave-pick`)).body.status

  return {
    ...world,
    place,
    wave,
    startedWave,
    move,
    picks,
    confirm,
    confirmed,
    refused,
    figures,
    moves,
    statusOf,
  }
}
