// Rate cards and the consignments that are charged with them, for one organisation.

import assert from 'node:assert/strict'
import { v7 as uuidv7 } from 'uuid'
import { createConsignments } from '../../src/consignments/create-consignment.ts'
import { ConsignmentStatus, type ConsignmentType } from '../../src/vocabulary/consignments.ts'
import { chargesOf, checkMoneyAfterEach, setUpCharges } from './given-charges.ts'
import { type Caller, openWorld, type World } from './harness.ts'

/** A consignment line of these tests; weight and volume are optional. */
export interface GivenLine {
  productId?: string | null
  quantity: number
  weightKG?: number | null
  volumeM3?: number | null
  unit?: string
}

/** Rate cards and the records that they need, for one organisation. */
export async function ratesOf(world: World, caller: Caller) {
  const ids = await setUpCharges(caller)
  const made = async (path: string, body: object) => {
    const response = await caller.post(path, body)
    assert.equal(response.status, 201, `${path}: ${JSON.stringify(response.body)}`)
    return Object.values(response.body)[0] as string
  }
  const activityTypeId = await made('/v1/activity-types', { code: 'HANDLING', name: 'Handling' })
  const productId = await made(`/v1/partners/${ids.clientId}/products`, {
    ...{ code: 'PLUM', name: 'Plums', weightKG: 2, volumeM3: 0.01 },
    unitConversions: [{ inputMetricType: 2, outputMetricType: 1, conversionRate: 576 }],
  })
  const wrapping = await made('/v1/task-types', { code: 'WRAP', name: 'Wrapping' })

  const charge = (more: object = {}) => ({ metric: 2, application: 1, rateExclTax: 1, ...more })
  const rate = (charges: object[], more: object = {}) => ({
    ...{ name: 'Handling out', kind: 1, basis: 1, activityTypeId, charges },
    ...more,
  })
  const freight = (charges: object[], kind = 2) => ({ name: 'Freight', kind, basis: 1, charges })
  const content = (...rates: object[]) => ({ defaultTaxRateId: ids.taxRateId, rates })

  /** Creates a card for a partner, by default the client; null makes the fallback card. */
  const card = (partnerId: string | null = ids.clientId, relationship = 1) =>
    made('/v1/rate-cards', { name: 'Prices', relationship, partnerId })
  const draft = async (rateCardId: string, of: object, effectiveFrom = '2020-01-01') =>
    made(`/v1/rate-cards/${rateCardId}/versions`, { effectiveFrom, content: of })
  const approve = async (rateCardId: string, versionId: string) => {
    const response = await caller.put(`/v1/rate-cards/${rateCardId}/versions/${versionId}/status`, {
      status: 2,
    })
    assert.equal(response.status, 200, JSON.stringify(response.body))
  }

  const own = chargesOf(world, caller, ids)
  return {
    ...ids,
    ...own,
    /** Adds an ad hoc charge. */
    enter: own.charge,
    ...{ activityTypeId, productId, wrapping, made, charge, rate, freight, content, card, draft, approve },
    /** Creates an approved version of a card. */
    async createApprovedVersion(rateCardId: string, of: object, effectiveFrom?: string): Promise<string> {
      const versionId = await draft(rateCardId, of, effectiveFrom)
      await approve(rateCardId, versionId)
      return versionId
    },
    /** Creates a consignment of the client with lines of plums. */
    async goods(
      lines: GivenLine[],
      more: { type?: number; status?: number; carrierId?: string | null; tasks?: number; to?: object } = {},
    ): Promise<string> {
      const id = uuidv7()
      const { organisationId } = caller.actor
      const consignment = {
        id,
        type: (more.type ?? 2) as ConsignmentType,
        status: (more.status ?? ConsignmentStatus.Pending) as ConsignmentStatus,
        clientId: ids.clientId,
        carrierId: more.carrierId === undefined ? ids.carrierId : more.carrierId,
        warehouseId: ids.warehouseId,
        dateEntered: '2026-03-02T09:00:00',
        destinationAuthorityToLeave: false,
        ...(more.to === undefined ? {} : { destinationAddress: more.to }),
      }
      const newConsignment = {
        consignment,
        lines: lines.map((line, ordinal) => ({
          id: uuidv7(),
          consignmentId: id,
          ordinal,
          productId: line.productId === undefined ? productId : (line.productId ?? undefined),
          productCode: 'PLUM',
          expectedQuantity: line.quantity,
          weightKG: line.weightKG,
          volumeM3: line.volumeM3,
          logisticUnitReferenceNumber: line.unit,
          isManualReconciliationRequired: false,
        })),
        items: [],
        serviceTypes: [],
        tasks:
          more.tasks === undefined
            ? []
            : [{ id: uuidv7(), consignmentId: id, taskTypeId: wrapping, value: more.tasks }],
        notes: [],
        attachments: [],
        source: { organisationId, connectionId: null, userId: null, requestId: null },
      }
      type NewConsignment = Parameters<typeof createConsignments>[2][number]
      await world.database.atomically(tx =>
        createConsignments(tx, organisationId, [newConsignment as unknown as NewConsignment]),
      )
      return id
    },
  }
}

/** Opens a world whose first organisation has the records that rate cards need. */
export async function openRates() {
  const world = await openWorld()
  checkMoneyAfterEach(world.database)
  return { world, ...(await ratesOf(world, world.admin)) }
}
