// Outwards consignments for tests, and their allocations.

import assert from 'node:assert/strict'
import { createConsignments } from '../../src/consignments/create-consignment.ts'
import type { LineRow } from '../../src/consignments/line-rows.ts'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { createUnits } from '../../src/stock/logistic-units/unit-references.ts'
import { ConsignmentStatus, ConsignmentType } from '../../src/vocabulary/consignments.ts'
import { openStock } from './given-stock.ts'

/** A line of a consignment; the product defaults to APPLE. */
export type Line = Partial<LineRow> & { quantity: number; serials?: string[] }

/** The fields of a consignment other than its lines. */
export interface Facts {
  status?: ConsignmentStatus
  priority?: number
  expectedDispatchDateTime?: string
  dateEntered?: string
}

/** A world with stock (`openStock`) and verbs for outwards consignments. */
export async function openAllocation() {
  const world = await openStock()
  const { admin, database, clientId, warehouseId, products } = world
  const { organisationId } = admin.actor
  const source = { ...admin.actor, requestId: 'test' }

  /**
   * Creates consignments that are ReadyToPick, without allocating anything to them, and returns their ids.
   */
  async function readyAll(wanted: readonly { lines: readonly Line[]; facts?: Facts }[]): Promise<string[]> {
    const made = wanted.map(({ lines, facts = {} }) => {
      const id = newId()
      const rows = lines.map(({ quantity, serials: _, ...line }, ordinal) => ({
        ...{ id: newId(), consignmentId: id, ordinal, productId: products.APPLE, productCode: 'APPLE' },
        expectedQuantity: quantity,
        ...line,
      }))
      const items = lines.flatMap(({ serials = [] }, n) =>
        serials.map((serial, ordinal) => ({
          ...{ consignmentProductId: rows[n]?.id as string, ordinal, serial, quantity: 1 },
        })),
      )
      const { priority: _, status = ConsignmentStatus.ReadyToPick, ...more } = facts
      const consignment = {
        ...{ id, type: ConsignmentType.Outwards, status, clientId, warehouseId },
        ...{ dateEntered: '2026-11-01T08:00:00', destinationAuthorityToLeave: false, ...more },
      }
      return {
        consignment,
        lines: rows,
        items,
        serviceTypes: [],
        tasks: [],
        notes: [],
        attachments: [],
        source,
      }
    })
    await database.atomically(async tx => {
      await createConsignments(tx, organisationId, made)
      for (const [i, { facts }] of wanted.entries())
        if (facts?.priority)
          await tx.run(sql`update consignment set priority = ${facts.priority}
            where organisation_id = ${organisationId} and id = ${made[i]?.consignment.id}`)
    })
    return made.map(({ consignment }) => consignment.id)
  }

  const ready = async (lines: readonly Line[], facts: Facts = {}) =>
    (await readyAll([{ lines, facts }]))[0] as string

  /** Reads the allocations of a consignment: rows and quantities, ordered by line and creation. */
  const allocationsOf = async (consignmentId: string) =>
    (
      await database.db.rows<{ stock: string; quantity: number; serial: string | null; ordinal: number }>(sql`
        select a.warehouse_product_id as stock, a.quantity, i.serial, l.ordinal
        from inventory_allocation a
        join consignment_product l on l.organisation_id = a.organisation_id
          and l.id = a.consignment_product_id
        left join warehouse_product_item i on i.organisation_id = a.organisation_id
          and i.id = a.warehouse_product_item_id
        where a.organisation_id = ${organisationId} and a.consignment_id = ${consignmentId}
        order by l.ordinal, a.created_utc, a.id`)
    ).map(({ ordinal: _, serial, ...rest }) => (serial === null ? rest : { ...rest, serial }))

  /** Allocates stock to a consignment, and returns the allocation state of its lines. */
  async function allocated(consignmentId: string, body?: object) {
    const answer = await admin.post(`/v1/consignments/${consignmentId}/allocate`, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.lines as { consignmentProductId: string; allocated: number; short: number }[]
  }

  /** Creates a consignment of one line, allocates stock to it, and returns [row, quantity] pairs. */
  async function allocateLine(line: Line): Promise<[string, number][]> {
    const id = await ready([line])
    await allocated(id)
    return (await allocationsOf(id)).map(({ stock, quantity }) => [stock, quantity])
  }

  /** Creates a logistic unit in a location, by default A-01. */
  async function unit(referenceNumber: string, warehouseLocationId = world.locations.A1): Promise<string> {
    const unit = {
      unit: { referenceNumber, isNew: true },
      partnerId: clientId,
      warehouseId,
      warehouseLocationId,
    }
    const [id] = await database.atomically(tx => createUnits(tx, { organisationId }, [unit]))
    return id as string
  }

  /** Creates a hold, and returns its id. */
  async function hold(): Promise<string> {
    const id = newId()
    await database.atomically(tx =>
      tx.run(sql`insert into inventory_hold (organisation_id, id, kind, reason)
        values (${organisationId}, ${id}, 2, 'Glass')`),
    )
    return id
  }

  let made = 0
  /** Creates a product, so that tests do not take each other's stock. */
  async function fresh(more: object = {}) {
    const code = `P${made++}`
    return { productId: await world.product(code, more), productCode: code }
  }

  /** Reads the types of the events about a consignment, except for its creation. */
  const events = async (consignmentId: string) =>
    (
      await database.db.rows<{ type: number }>(sql`
        select type from event where organisation_id = ${organisationId} and subject_id = ${consignmentId}
          and type <> 101 order by id`)
    ).map(({ type }) => type)

  return {
    ...world,
    organisationId,
    unit,
    hold,
    fresh,
    ready,
    readyAll,
    allocationsOf,
    allocated,
    allocateLine,
    events,
  }
}
