// Inwards consignments for tests, created by processing imports and ready to be received.

import assert from 'node:assert/strict'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { sql } from '../../src/platform/database/db.ts'
import { contextIn, request } from './given-imports.ts'
import { openStock } from './given-stock.ts'

/** Opens a world with stock, and helpers that receive consignments into it. */
export async function openInwards() {
  const world = await openStock()
  const { admin, database } = world
  const { organisationId } = admin.actor
  const context = contextIn(world)

  /** Imports a consignment and moves it to a status; ReadyToReceive by default. */
  async function announce(products: object[], more: object = {}, status: number | null = 4): Promise<string> {
    const { status: accepted, body } = await admin.post(
      '/v1/consignment-imports',
      request({ products, ...more }),
    )
    assert.equal(accepted, 202, JSON.stringify(body))
    while (await processDueImports(context)) {}
    const id: string = body.consignmentId
    if (status !== null) assert.equal((await move(id, status)).status, 200)
    return id
  }
  const move = (id: string, status: number) => admin.put(`/v1/consignments/${id}/status`, { status })
  const read = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body
  const linesOf = async (id: string): Promise<string[]> =>
    (await read(id)).products.map((line: { id: string }) => line.id)
  const receive = (id: string, body: object) => admin.post(`/v1/consignments/${id}/receive`, body)
  /** Receives goods, asserts success and returns the response body. */
  async function received(id: string, body: object) {
    const answer = await receive(id, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  /** The messages of a refusal. */
  async function refusalMessages(answer: Promise<{ status: number; body: { ErrorMessages: string[] } }>) {
    const { status, body } = await answer
    assert.equal(status, 400, JSON.stringify(body))
    return body.ErrorMessages
  }
  /** What was received for a consignment, by row of stock. */
  const stockOf = (id: string) =>
    database.db.rows<Record<string, unknown>>(sql`
      select d.code, l.name as location, sum(t.quantity) as quantity, sum(t.weight_kg) as weight,
        sum(t.volume_m3) as volume, p.batch, p.received_date, h.kind as hold, h.reason, u.sscc_number as sscc,
        p.id
      from inventory_transaction t
      join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
      join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
      join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      left join inventory_hold h on h.organisation_id = p.organisation_id and h.id = p.inventory_hold_id
      left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
      where t.organisation_id = ${organisationId} and t.consignment_id = ${id}
      group by d.code, l.name, p.batch, p.received_date, h.kind, h.reason, u.sscc_number, p.id
      order by d.code, p.batch, h.kind, p.id`)
  /** The types of a consignment's events from 102 on, in their order. */
  const eventTypesOf = async (id: string) =>
    (
      await database.db.rows<{ type: number }>(
        sql`select type from event where subject_id = ${id} and type > 101 order by id`,
      )
    ).map(({ type }) => type)

  return {
    ...world,
    context,
    announce,
    move,
    read,
    linesOf,
    receive,
    received,
    refusalMessages,
    stockOf,
    eventTypesOf,
  }
}

/** A line of an import. */
export const goods = (productCode: string, quantity: number, more: object = {}) => ({
  productCode,
  items: [{ quantity }],
  ...more,
})
/** A line of an import with serials. */
export const serialGoods = (productCode: string, serials: string[], more: object = {}) => ({
  productCode,
  items: serials.map(serial => ({ serial, quantity: 1 })),
  ...more,
})
