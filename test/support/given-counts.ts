// Stock counts for tests: a world with stock, and verbs that make, count and approve.

import assert from 'node:assert/strict'
import { openStock } from './given-stock.ts'
import type { Caller } from './harness.ts'

/** A line of a count as lists show it. */
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

/** A world with stock (`openStock`) and verbs for counts of its warehouse. */
export async function openCounts() {
  const world = await openStock()
  const { admin, warehouseId } = world

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

  /** Makes a count of some products and returns its path. */
  const counting = async (scope: object): Promise<string> =>
    `/v1/stock-counts/${(await done('/v1/stock-counts', { warehouseId, ...scope })).stockCountId}`

  const lines = async (path: string): Promise<Line[]> =>
    (await admin.get(`${path}/lines`)).body.stockCountLines

  /** The line of a row of stock. */
  async function lineOf(path: string, warehouseProductId: string): Promise<Line> {
    const line = (await lines(path)).find(one => one.warehouseProductId === warehouseProductId)
    assert.ok(line, 'the count has no line for that row')
    return line
  }

  /** Counts a row of stock: so many, or these serials. */
  async function count(path: string, id: string, seen: number | string[], more: object = {}) {
    const { stockCountLineId } = await lineOf(path, id)
    const what = typeof seen === 'number' ? { countedQuantity: seen } : { serials: seen }
    return done(`${path}/lines/count`, { counts: [{ stockCountLineId, ...what }], ...more })
  }

  /** Moves a count to a status. */
  async function move(path: string, status: number): Promise<number> {
    return (await admin.put(`${path}/status`, { status })).status
  }

  /** Ends counting and approves all of it. */
  async function approve(path: string, more: object = {}) {
    await move(path, 3)
    return done(`${path}/approve`, more)
  }

  /** A transfer, a hold or another command of stock. */
  const command = (name: string, body: object) => done(`/v1/inventory/${name}`, body)

  return { ...world, done, refused, counting, lines, lineOf, count, move, approve, command }
}
