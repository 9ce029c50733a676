// Consignments that can be charged and closed, the records that charges refer to, and helpers for charging.

import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { proveMoney } from '../../src/billing/proofs/check-money.ts'
import { createConsignments } from '../../src/consignments/create-consignment.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus, type ConsignmentType } from '../../src/vocabulary/consignments.ts'
import { type Caller, openWorld, type World } from './harness.ts'

/** The fields of a transaction that tests read. */
export interface RaisedTransaction {
  id: string
  status: number
  partnerId: string
  date: string
  type: number
  amountExclTax: number
  consignmentChargeId: string
}

/** The records that charges of an organisation refer to. */
export interface ChargeSetUp {
  clientId: string
  carrierId: string
  warehouseId: string
  taxRateId: string
  revenueAccountId: string
  costCentreId: string
}

/**
 * The client KAURI, the carrier SWF, the warehouse AKL in Auckland, a tax rate of 15 percent, a revenue
 * account and a cost centre.
 */
export async function setUpCharges(caller: Caller): Promise<ChargeSetUp> {
  const made = async (path: string, body: object) => {
    const answer = await caller.post(path, body)
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`)
    return Object.values(answer.body)[0] as string
  }
  return {
    clientId: await made('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 }),
    carrierId: await made('/v1/partners', { name: 'Swift', code: 'SWF', relationship: 2 }),
    warehouseId: await made('/v1/warehouses', {
      name: 'Auckland',
      code: 'AKL',
      timezoneId: 'Pacific/Auckland',
    }),
    taxRateId: await made('/v1/tax-rates', { name: 'GST', percent: 15 }),
    revenueAccountId: await made('/v1/revenue-accounts', { code: '200', name: 'Handling' }),
    costCentreId: await made('/v1/cost-centres', { code: 'N', name: 'North' }),
  }
}

/** Helpers for consignments, charges and the transactions raised from them, in one organisation. */
export function chargesOf(world: World, caller: Caller, ids: ChargeSetUp) {
  const { organisationId } = caller.actor
  const path = (id: string) => `/v1/consignments/${id}`

  /** Creates consignments of the client; Complete by default. */
  async function consignments(
    n: number,
    more: { status?: number; type?: number; carrierId?: string | null } = {},
  ): Promise<string[]> {
    const made = Array.from({ length: n }, () => ({
      consignment: {
        id: uuidv7(),
        type: (more.type ?? 2) as ConsignmentType,
        status: (more.status ?? ConsignmentStatus.Complete) as ConsignmentStatus,
        clientId: ids.clientId,
        carrierId: more.carrierId === undefined ? ids.carrierId : more.carrierId,
        warehouseId: ids.warehouseId,
        referenceNumber: 'R-1',
        dateEntered: '2026-03-01T09:00:00',
        destinationAuthorityToLeave: false,
      },
      lines: [],
      items: [],
      serviceTypes: [],
      tasks: [],
      notes: [],
      attachments: [],
      source: { organisationId, connectionId: null, userId: null, requestId: null },
    }))
    await world.database.atomically(tx => createConsignments(tx, organisationId, made))
    return made.map(({ consignment }) => consignment.id)
  }

  return {
    consignments,
    consignment: async (more: Parameters<typeof consignments>[1] = {}) =>
      (await consignments(1, more))[0] as string,
    /** The body of a charge, with the given changes. */
    adhoc: (more: object = {}) => ({
      chargeApplication: 1,
      metricValue: 2,
      chargeRateExclTax: 10.5,
      taxRateId: ids.taxRateId,
      ...more,
    }),
    /** Adds a charge and returns its id. */
    async charge(
      id: string,
      kind: 'client-activity' | 'client-freight' | 'carrier-freight',
      more: object = {},
    ): Promise<string> {
      const body = {
        chargeApplication: 1,
        metricValue: 2,
        chargeRateExclTax: 10.5,
        taxRateId: ids.taxRateId,
        ...more,
      }
      const answer = await caller.post(`${path(id)}/charges/${kind}/adhoc`, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.consignmentChargeId
    },
    charges: async (id: string, by = caller) => (await by.get(`${path(id)}/charges`)).body,
    include: (id: string, chargeId: string, isIncluded: boolean) =>
      caller.put(`${path(id)}/charges/${chargeId}`, { isIncluded }),
    close: (id: string, closedTransactionDate?: string) =>
      caller.put(`${path(id)}/status`, { status: ConsignmentStatus.Closed, closedTransactionDate }),
    reopen: (id: string) => caller.put(`${path(id)}/reopen`),
    /** All transactions ever raised from a consignment, in their order. */
    transactionsOf: (id: string) =>
      world.database.db.rows<RaisedTransaction>(sql`
        select id, status, partner_id, date, type, amount_excl_tax, consignment_charge_id
          from schedule_transaction
        where organisation_id = ${organisationId} and consignment_id = ${id} order by created_utc,
          consignment_charge_id`),
    /** The events about a schedule, in their order. */
    events: (id: string) =>
      world.database.db.rows<{
        type: number
        data: object
        clientId: string | null
        carrierId: string | null
      }>(sql`
        select type, data, client_id, carrier_id from event where organisation_id = ${organisationId}
          and subject_id = ${id} order by created_utc, id`),
  }
}

/** Verifies all amounts in the database after every test of a file. */
export function checkMoneyAfterEach({ db }: Database): void {
  afterEach(async () => assert.deepEqual((await proveMoney(db)).differences, []))
}

/** Opens a world whose first organisation is ready for charging. */
export async function openCharges() {
  const world = await openWorld()
  checkMoneyAfterEach(world.database)
  const ids = await setUpCharges(world.admin)
  return { world, ...ids, ...chargesOf(world, world.admin, ids) }
}
