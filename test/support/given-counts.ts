// Stock counts for tests: a world with stock, and functions that create, count and approve.

import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/db.ts'
import { openStock } from './given-stock.ts'
import type { Caller } from './harness.ts'

/** A line of a count as the list returns it. */
export interface Line {
  stockCountLineId: string
  warehouseProductId: string
  warehouseLocationName: string
  status: number
  round: number
  isFound: boolean
  bookQuantity: number | null
  countedQuantity: number | null
  varianceQuantity: number | null
  entries: { round: number; countedQuantity: number }[]
}

/** A world with stock (`openStock`) and functions for counts of its warehouse. */
export async function openCounts() {
  const world = await openStock()
  const { admin, database, warehouseId } = world

  async function done(path: string, body: object, by: Caller = admin) {
    const answer = await by.post(path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  async function refused(path: string, body: object, by: Caller = admin): Promise<string[]> {
    const answer = await by.post(path, body)
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    return answer.body.ErrorMessages
  }

  /** Creates a count of some products and returns its path. */
  const createCount = async (scope: object): Promise<string> =>
    `/v1/stock-counts/${(await done('/v1/stock-counts', { warehouseId, ...scope })).stockCountId}`

  /** Creates a count as if an hour ago, so that it may have been counted since. */
  async function createCountEarlier(scope: object): Promise<string> {
    const path = await createCount(scope)
    await database.inOneStatement(tx =>
      tx.run(sql`update stock_count set created_utc = created_utc - interval '1 hour'
        where id = ${path.split('/').at(-1)}`),
    )
    return path
  }

  const lines = async (path: string): Promise<Line[]> =>
    (await admin.get(`${path}/lines`)).body.stockCountLines

  /** Finds the line of a stock row. */
  async function lineOf(path: string, warehouseProductId: string): Promise<Line> {
    const line = (await lines(path)).find(candidate => candidate.warehouseProductId === warehouseProductId)
    assert.ok(line, 'the count has no line for that row')
    return line
  }

  /** Counts a stock row, by quantity or by serials. */
  async function count(path: string, id: string, counted: number | string[], more: object = {}) {
    const { stockCountLineId } = await lineOf(path, id)
    const entry = typeof counted === 'number' ? { countedQuantity: counted } : { serials: counted }
    return done(`${path}/lines/count`, { counts: [{ stockCountLineId, ...entry }], ...more })
  }

  /** Changes the status of a count. Returns the HTTP status. */
  async function move(path: string, status: number): Promise<number> {
    return (await admin.put(`${path}/status`, { status })).status
  }

  /** Ends counting and approves all lines. */
  async function approve(path: string, more: object = {}) {
    await move(path, 3)
    return done(`${path}/approve`, more)
  }

  /** Sends a stock command, such as a transfer or a hold. */
  const command = (name: string, body: object) => done(`/v1/inventory/${name}`, body)

  return {
    ...world,
    done,
    refused,
    createCount,
    createCountEarlier,
    lines,
    lineOf,
    count,
    move,
    approve,
    command,
  }
}
