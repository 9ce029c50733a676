// An organisation that is ready for imports, and helpers that process them.

import assert from 'node:assert/strict'
import { pino } from 'pino'
import { fetchDueFiles } from '../../src/consignment-imports/downloads/fetch-due-files.ts'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { sql } from '../../src/platform/database/db.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { newId } from '../../src/platform/new-id.ts'
import { openOutgoingHttp } from '../../src/platform/outgoing/outgoing-http.ts'
import type { WorkerContext } from '../../src/platform/work/worker-context.ts'
import { type Caller, openWorld, type World } from './harness.ts'
import { atEnd } from './test-database.ts'
import { untilServed } from './until-served.ts'

/** Makes the context of a worker. `database` may be another connection to the world's database. */
export function contextIn(world: World, database = world.database): WorkerContext {
  const outgoing = openOutgoingHttp({ allowPrivate: true })
  atEnd(() => outgoing.close())
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  return {
    database,
    secretBox: world.secretBox,
    outgoing,
    log,
    metrics: createMetrics(),
    presence: { id: newId(), deadWorkers: () => [] },
  }
}

/**
 * The client KAURI with products APPLE and PEAR, the carrier SWF, the warehouse AKL, and one of each type.
 */
export async function setUp(
  caller: Caller,
): Promise<{ clientId: string; carrierId: string; warehouseId: string }> {
  const made = async (path: string, body: object) => {
    const { status, body: answer } = await caller.post(path, body)
    assert.equal(status, 201, `${path}: ${JSON.stringify(answer)}`)
    return Object.values(answer)[0] as string
  }
  const clientId = await made('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 })
  const carrierId = await made('/v1/partners', { name: 'Swift', code: 'SWF', relationship: 2 })
  const warehouseId = await made('/v1/warehouses', {
    name: 'Auckland',
    code: 'AKL',
    timezoneId: 'Pacific/Auckland',
  })
  await made(`/v1/partners/${clientId}/products`, {
    code: 'APPLE',
    name: 'Apples',
    weightKG: 0.25,
    volumeM3: 0.0005,
  })
  await made(`/v1/partners/${clientId}/products`, { code: 'PEAR', name: 'Pears' })
  await made('/v1/package-types', { code: 'BOX', name: 'Box' })
  await made('/v1/service-types', { code: 'EXP', name: 'Express' })
  await made('/v1/task-types', { code: 'WRAP', name: 'Wrapping' })
  return { clientId, carrierId, warehouseId }
}

/** A line with one item. */
export const line = (more: object = {}) => ({ productCode: 'APPLE', items: [{ quantity: 10 }], ...more })

/** A valid request, with the given changes. */
export const request = (more: object = {}) => ({
  consignmentType: 1,
  clientCode: 'KAURI',
  warehouseCode: 'AKL',
  products: [line()],
  ...more,
})

/** Opens a world with an organisation that is ready for imports, and helpers for them. */
export async function openImports() {
  const world = await openWorld()
  const { admin, database } = world
  const context = contextIn(world)
  const ids = await setUp(admin)

  /** Does all work that is due. */
  async function drain(): Promise<void> {
    while ((await fetchDueFiles(context)) || (await processDueImports(context))) {}
  }
  async function post(more: object = {}, caller = admin): Promise<string> {
    const { status, body } = await untilServed(() => caller.post('/v1/consignment-imports', request(more)))
    assert.equal(status, 202, JSON.stringify(body))
    return body.consignmentId
  }
  const read = async (id: string, caller = admin) => (await caller.get(`/v1/consignment-imports/${id}`)).body
  const exists = async (id: string, caller = admin) =>
    (await caller.get(`/v1/consignments/${id}/check-exists`)).status
  return {
    world,
    context,
    ...ids,
    drain,
    post,
    read,
    exists,
    /** Posts an import and processes it. */
    async imported(more: object = {}): Promise<string> {
      const id = await post(more)
      await drain()
      return id
    },
    /** Every column of a consignment's row. */
    // biome-ignore lint/suspicious/noExplicitAny: a test names the columns it expects
    row: (id: string) => database.db.row<any>(sql`select * from consignment where id = ${id}`),
    /** The types of the events about a consignment or its import, in their order. */
    events: async (id: string) =>
      (
        await database.db.rows<{ type: number }>(
          sql`select type from event where subject_id = ${id} order by id`,
        )
      ).map(({ type }) => type),
  }
}
