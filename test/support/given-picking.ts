// Outwards consignments that are picked, for tests, and where their goods and serials are.

import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/db.ts'
import { type Line, openAllocation } from './given-allocation.ts'

/** A world with allocated stock (`openAllocation`), and verbs for picking and dispatch. */
export async function openPicking() {
  const world = await openAllocation()
  const { admin, database, organisationId, ready, allocated } = world

  /** A consignment with the available stock allocated to its lines. */
  async function newConsignment(...lines: Line[]) {
    const id = await ready(lines)
    const ids = (await allocated(id)).map(({ consignmentProductId }) => consignmentProductId)
    return { id, lines: ids, line: ids[0] as string }
  }

  const command = (id: string, name: string, body?: object) =>
    admin.post(`/v1/consignments/${id}/${name}`, body)
  async function run(id: string, name: string, body?: object) {
    const { status, body: answer } = await command(id, name, body)
    assert.equal(status, 200, JSON.stringify(answer))
    return answer
  }
  async function refusalsOf(id: string, name: string, body: object): Promise<string[]> {
    const { status, body: answer } = await command(id, name, body)
    assert.equal(status, 400, JSON.stringify(answer))
    return answer.ErrorMessages
  }
  /** Changes the status of a consignment. Returns 200, or the refusals. */
  const move = async (id: string, status: number) => {
    const answer = await admin.put(`/v1/consignments/${id}/status`, { status })
    return answer.status === 200 ? 200 : answer.body.ErrorMessages
  }

  /** The stock of a product by location: quantity, allocated quantity, unit and whether it is on hold. */
  const stockOf = (productId: string) =>
    database.db.rows<{
      place: string
      onHand: number
      allocated: number
      unit: string | null
      isHeld: boolean
    }>(sql`
      select l.name as place, p.on_hand_quantity as on_hand, p.allocated_quantity as allocated,
        u.reference_number as unit, p.inventory_hold_id is not null as is_held
      from warehouse_product p
      join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
      where p.organisation_id = ${organisationId} and p.product_id = ${productId} and not p.is_depleted
      order by l.name, p.inventory_hold_id nulls first, u.reference_number`)
  /** The stock of a product as [location, quantity, allocated quantity]. */
  const locationsOf = async (productId: string) =>
    (await stockOf(productId)).map(({ place, onHand, allocated: promised }) => [place, onHand, promised])

  /** The quantities of a line, as the ledger has them. */
  const figures = (lineId: string) =>
    database.db.row<Record<string, number>>(sql`
      select allocated_quantity as allocated, picked_quantity as picked, dispatched_quantity as dispatched,
        dispatched_weight_kg as weight from consignment_product where id = ${lineId}`)

  /** The location of each serial of a product; null once it has left. */
  const serialsIn = async (productId: string) =>
    Object.fromEntries(
      (
        await database.db.rows<{ serial: string; place: string | null }>(sql`
          select i.serial, l.name as place from warehouse_product_item i
          left join warehouse_product p
            on p.organisation_id = i.organisation_id and p.id = i.warehouse_product_id
          left join warehouse_location l
            on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
          where i.organisation_id = ${organisationId} and i.product_id = ${productId}`)
      ).map(({ serial, place }) => [serial, place]),
    )

  return {
    ...world,
    newConsignment,
    command,
    run,
    refusalsOf,
    move,
    stockOf,
    locationsOf,
    figures,
    serialsIn,
  }
}
