// Creates one record of every kind in an organisation, for the tests that call every endpoint.

import assert from 'node:assert/strict'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { submitPrintJob } from '../../src/paper/print-jobs/submit.ts'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { loadReferenceData } from '../../src/reference-data/load-reference-data.ts'
import { PrintJobKind } from '../../src/vocabulary/paper.ts'
import { contextIn, request, setUp } from './given-imports.ts'
import { type Caller, endpoints, type World } from './harness.ts'
import { until } from './service-process.ts'

/**
 * The ids of records, by the path that ends with their parameter, such as
 * `/v1/warehouses/:warehouseId/zones/:warehouseZoneId`.
 */
export type Records = Readonly<Record<string, string>>

/** The parameters of records that belong to no organisation. */
export const sharedRecords = ['/v1/dg-hazard-classes/:dgHazardClassId', '/v1/shipping-ports/:shippingPortId']

const named = ['tax-rates', 'consumable-types', 'unit-types', 'product-groups', 'product-attributes']
const coded = ['service-types', 'task-types', 'package-types', 'cost-centres', 'revenue-accounts']

/** The sub-records of consignments that are addressed by the id of their type. */
const addressedByType = {
  consumables: 'consumableTypeId',
  tasks: 'taskTypeId',
  'service-types': 'serviceTypeId',
}
const textFile = {
  fileName: 'note.txt',
  contentType: 'text/plain',
  content: Buffer.from('Ring twice').toString('base64'),
}

/** Creates one record of every kind in a caller's organisation. */
export async function recordsOf(world: World, caller: Caller): Promise<Records> {
  const records: Record<string, string> = {}
  /** Posts a body and keeps the id in the response under the path with this parameter. */
  const make = async (path: string, parameter: string, body: object) => {
    const filled = fill(path, parameter => records[parameter] as string)
    const { status, body: answer } = await caller.post(filled, body)
    assert.ok(status < 300, `${filled}: ${JSON.stringify(answer)}`)
    records[`${path.replace(/\/(create|event|wave-pick)$/, '')}/:${parameter}`] =
      typeof answer === 'string' ? answer : ([Object.values(answer)[0]].flat()[0] as string)
  }
  const context = contextIn(world)
  const { clientId, warehouseId } = await setUp(caller)
  records['/v1/partners/:partnerId'] = clientId
  records['/v1/warehouses/:warehouseId'] = warehouseId
  await make('/v1/partners/:partnerId/products', 'partnerProductId', { code: 'PLUM', name: 'Plums' })
  await make('/v1/partners/:partnerId/code-aliases', 'codeAliasId', {
    ...{ kind: 'product', code: 'PLOM', replacement: 'PLUM' },
  })
  await make('/v1/warehouses/:warehouseId/zones', 'warehouseZoneId', { name: 'Cold' })
  await make('/v1/warehouses/:warehouseId/locations', 'warehouseLocationId', { name: 'A-01', type: 1 })
  for (const path of named)
    await make(`/v1/${path}`, 'id', { name: 'Thing', ...(path === 'tax-rates' ? { percent: 15 } : {}) })
  for (const path of coded) await make(`/v1/${path}`, 'id', { name: 'Thing', code: 'THING' })
  await make('/v1/users', 'userId', { email: 'grace@example.com', fullName: 'Grace Shipper' })
  await make('/v1/custom-apps', 'customAppId', { name: 'App', grantType: 2, scopes: ['partner.read'] })

  const subscriptions = '/v1/webhook-subscriptions'
  await make(`${subscriptions}/create`, 'webhookSubscriptionId', {
    webhookUrl: 'https://127.0.0.1:1/',
    eventType: 101,
  })
  assert.equal((await caller.post('/v1/consignment-imports', request({ clientCode: 'NOBODY' }))).status, 202)
  const carried = request({ carrierCode: 'SWF' })
  const billed = (await caller.post('/v1/consignment-imports', carried)).body.consignmentId
  const { consignmentId } = (await caller.post('/v1/consignment-imports', carried)).body
  records['/v1/consignments/:consignmentId'] = consignmentId
  await until(async () => {
    await processDueImports(context)
    return (await caller.get(`/v1/consignments/${consignmentId}`)).status === 200
  }, 'The import did not become a consignment.')
  const waiting = await caller.get('/v1/consignment-imports?Status=2')
  records['/v1/consignment-imports/:consignmentImportId'] = waiting.body.consignmentImports[0].id
  const member = `${subscriptions}/:webhookSubscriptionId`
  const { deliveries } = (await caller.get(`${subscriptions}/${records[member]}/deliveries`)).body
  records[`${member}/deliveries/:deliveryId`] = deliveries[0].id

  const consignment = '/v1/consignments/:consignmentId'
  await make(`${consignment}/tracking`, 'consignmentTrackingId', {})
  await make(`${consignment}/notes`, 'consignmentNoteId', { note: 'Ring twice', attachments: [textFile] })
  const note = `${consignment}/notes/:consignmentNoteId`
  const { attachments } = (await caller.get(fill(note, parameter => records[parameter] as string))).body
  records[`${note}/attachments/:consignmentNoteAttachmentId`] = attachments[0].id
  await make(`${consignment}/products`, 'consignmentProductId', { products: request().products })
  await make(`${consignment}/pods`, 'consignmentPodId', { signatoryName: 'Ann' })
  for (const [collection, parameter] of Object.entries(addressedByType)) {
    const typeId = records[`/v1/${parameter.replace('TypeId', '-types')}/:id`] as string
    records[`${consignment}/${collection}/:${parameter}`] = typeId
    const { status } = await caller.post(
      `/v1/consignments/${consignmentId}/${collection}/${typeId}`,
      collection === 'service-types' ? undefined : { value: 1 },
    )
    assert.equal(status, 200, collection)
  }
  const charge = {
    chargeApplication: 1,
    metricValue: 2,
    chargeRateExclTax: 5,
    taxRateId: records['/v1/tax-rates/:id'],
  }
  const charged = await caller.post(`/v1/consignments/${consignmentId}/charges/client-activity/adhoc`, charge)
  records[`${consignment}/charges/:consignmentChargeId`] = charged.body.consignmentChargeId
  await make('/v1/faf-profiles', 'fafProfileId', { name: 'Fuel' })
  await make('/v1/faf-profiles/:fafProfileId/rates', 'fafProfileRateId', {
    fafPercent: 0.1,
    effectiveFromUtc: '2026-01-01T00:00:00Z',
  })
  await make('/v1/activity-types', 'id', { code: 'HANDLING', name: 'Handling' })
  const areas = [{ country: 'NZ', postcodeFrom: '0600', postcodeTo: '2999' }]
  await make('/v1/localities', 'id', { name: 'Auckland', areas })
  await make('/v1/rate-cards', 'rateCardId', { name: 'Prices', relationship: 1, partnerId: clientId })
  await make('/v1/rate-cards/:rateCardId/versions', 'rateCardVersionId', {
    effectiveFrom: '2026-01-01',
    content: { defaultTaxRateId: records['/v1/tax-rates/:id'], rates: [] },
  })
  await make('/v1/rate-card-back-tests', 'rateCardBackTestId', {
    ...{ dateFrom: '2026-01-01', dateTo: '2026-12-31' },
    rateCardVersionId: records['/v1/rate-cards/:rateCardId/versions/:rateCardVersionId'],
  })
  // Another back-test cannot be requested while this one waits.
  await caller.delete(`/v1/rate-card-back-tests/${records['/v1/rate-card-back-tests/:rateCardBackTestId']}`)
  // Another consignment is billed, so that the schedule has transactions.
  await caller.post(`/v1/consignments/${billed}/charges/client-activity/adhoc`, charge)
  await caller.put(`/v1/consignments/${billed}/status`, { status: 0 })
  const stock = await world.database.db.row<{ id: string }>(sql`
    select warehouse_product_id as id from inventory_transaction where consignment_id = ${billed} limit 1`)
  records['/v1/inventory/:warehouseProductId'] = stock.id
  const item = newId()
  await world.database.inOneStatement(tx =>
    tx.run(sql`insert into warehouse_product_item (organisation_id, id, product_id, serial)
      select organisation_id, ${item}, product_id, 'S1' from warehouse_product where id = ${stock.id}`),
  )
  records['/v1/inventory-items/:warehouseProductItemId'] = item
  await caller.put(`/v1/consignments/${billed}/status`, { status: 6, closedTransactionDate: '2026-02-28' })
  await make('/v1/schedules', 'partnerScheduleId', { date: '2026-03-01', partnerId: clientId })
  const schedule = await caller.get(`/v1/schedules/${records['/v1/schedules/:partnerScheduleId']}`)
  records['/v1/schedule-transactions/:scheduleTransactionId'] = schedule.body.transactions[0].id

  await make('/v1/schedule-transactions', 'scheduleTransactionId', {
    ...{ ...charge, partnerId: clientId, date: '2026-03-15' },
  })
  for (const path of [`/v1/partners/${clientId}`, '/v1/organisation'])
    assert.equal((await caller.put(`${path}/billing-rule`, { period: 4 })).status, 200, path)
  await make('/v1/billing-runs', 'billingRunId', { partnerId: clientId, periodTo: '2026-03-10' })

  const stockToHold = [{ warehouseProductId: stock.id, quantity: 1 }]
  await make('/v1/inventory/holds', 'inventoryHoldId', { kind: 1, reason: 'Wet', stock: stockToHold })
  const warehouseLocationId = records['/v1/warehouses/:warehouseId/locations/:warehouseLocationId']
  const unit = { partnerId: clientId, warehouseId, warehouseLocationId, referenceNumber: 'PALLET' }
  await make('/v1/logistic-units', 'logisticUnitId', unit)
  await make('/v1/stock-counts', 'stockCountId', {
    ...{ warehouseId, partnerId: clientId, warehouseLocationIds: [warehouseLocationId] },
  })

  await make('/v1/jobs/wave-pick', 'jobId', { warehouseId, clientId })
  const { partnerProductId } = (await caller.get(`/v1/inventory/${stock.id}`)).body
  await caller.post(`/v1/warehouses/${warehouseId}/locations`, {
    ...{ name: 'P-01', type: 1, isPickface: true, partnerProductId, minQuantity: 1, targetQuantity: 1 },
  })
  await make('/v1/jobs/replenishment', 'jobId', { warehouseId, clientId })

  await make('/v1/printers', 'printerId', { name: 'Office', type: 2, warehouseId })
  await make('/v1/printer-bridges', 'printerBridgeId', { name: 'Site PC', warehouseId })
  const printer = { id: records['/v1/printers/:printerId'] as string }
  const printerBridgeId = records['/v1/printer-bridges/:printerBridgeId'] as string
  await world.database.atomically(async tx => {
    await tx.run(sql`update printer_bridge set last_seen_utc = now() where id = ${printerBridgeId}`)
    await tx.run(sql`update printer set printer_bridge_id = ${printerBridgeId}, is_reachable = true
      where id = ${printer.id}`)
  })
  const { printJobId } = await world.database.inOneStatement(tx =>
    submitPrintJob(
      tx,
      caller.actor,
      { ...printer, name: 'Printer' },
      {
        kind: PrintJobKind.TestPage,
        readScopes: 'print',
        name: 'Test page',
        contentType: 'application/pdf',
        content: Buffer.from('%PDF-1.7'),
        partnerId: clientId,
      },
    ),
  )
  records['/v1/print-jobs/:printJobId'] = printJobId
  records['/v1/printer-bridges/:printerBridgeId/jobs/:printJobId'] = printJobId
  // A job that still waits could not be printed again.
  await caller.put(`/v1/print-jobs/${printJobId}/cancel`)

  for (const path of sharedRecords) records[path] = await sharedRecord(world, caller, path)
  return records
}

async function sharedRecord(world: World, caller: Caller, path: string): Promise<string> {
  const list = path.slice(0, path.indexOf('/:'))
  const first = async () =>
    Object.values((await caller.get(list)).body).find(Array.isArray)?.[0]?.id as string | undefined
  const known = await first()
  if (known !== undefined) return known
  const client = await world.database.openConnection()
  await loadReferenceData(client)
  await client.end()
  return (await first()) as string
}

/** The parameters of a path, each as the path that ends with it. */
export const parameters = (path: string): string[] =>
  [...path.matchAll(/:\w+/g)].map(({ index, 0: name }) => path.slice(0, index + name.length))

/** The parameters for which `recordsOf` creates no record. A new endpoint needs its record there. */
export const withoutRecord = (records: Records): string[] => [
  ...new Set(
    endpoints.flatMap(({ path }) => parameters(path)).filter(parameter => records[parameter] === undefined),
  ),
]

/** Fills in the parameters of a path. */
export const fill = (path: string, idOf: (parameter: string) => string): string =>
  parameters(path).reduceRight(
    (filled, parameter) =>
      filled.replace(parameter, `${parameter.slice(0, parameter.lastIndexOf('/'))}/${idOf(parameter)}`),
    path,
  )

/**
 * Fills in the parameters of a path with the ids of records. Replenishment paths get the replenishment job.
 */
export const addressOf = (records: Records, path: string): string =>
  fill(path, parameter =>
    parameter === '/v1/jobs/:jobId' && path.includes('/replenishment')
      ? (records['/v1/jobs/replenishment/:jobId'] as string)
      : (records[parameter] as string),
  )
