import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCharges } from '../../../support/given-charges.ts'
import { textOf } from '../../../support/pdf.ts'

const { world, clientId, carrierId, consignment, charge, close } = await openCharges()
const { admin } = world

/** Creates a schedule with the pending charges of a partner, and returns its id. */
async function schedule(partnerId: string, more: object = {}): Promise<string> {
  const { status, body } = await admin.post('/v1/schedules', { partnerId, date: '2026-03-31', ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body.partnerScheduleId
}
const statement = async (id: string, caller = admin) => {
  const { status, bytes } = await caller.get(`/v1/schedules/${id}/statement-pdf`)
  assert.equal(status, 200, bytes.toString())
  return textOf(bytes)
}

test('a draft statement is titled so, groups by activity and rounds tax once per rate', async () => {
  const id = await consignment()
  await charge(id, 'client-activity', { particulars: 'Handling', metricValue: 3, chargeRateExclTax: 0.11 })
  await charge(id, 'client-freight', {
    particulars: 'To Wellington',
    metricValue: 1,
    chargeRateExclTax: 1234.5,
  })
  assert.equal((await close(id, '2026-03-02')).status, 200)
  const scheduleId = await schedule(clientId, { referenceNumber: 'MAR-26' })
  const text = await statement(scheduleId)
  assert.match(text, /Draft statement/)
  assert.match(text, /MAR-26/)
  assert.match(text, /Services\n.*Handling 3 0\.11 0\.33\nSubtotal Services 0\.33/)
  assert.match(text, /Freight\n.*To Wellington 1 1,234\.50 1,234\.50\nSubtotal Freight 1,234\.50/)
  assert.match(text, /Total excluding tax 1,234\.83/)
  assert.match(text, /GST 15 % 185\.22/)
  assert.match(text, /Total including tax 1,420\.05/)

  assert.equal((await admin.put(`/v1/schedules/${scheduleId}/status`, { status: 2 })).status, 200)
  assert.match(await statement(scheduleId), /^Kauri.*\nStatement|\nStatement\n/)
  const settings = {
    taxNumber: '12-345-678',
    taxName: 'GST',
    address: '1 Quay Street\nAuckland',
    bankDetails: '12-3456-0001',
  }
  assert.equal((await admin.put('/v1/organisation', settings)).status, 200)
  assert.doesNotMatch(await statement(scheduleId), /Tax invoice/, 'what stands on it was frozen')
  for (const status of [1, 2])
    assert.equal((await admin.put(`/v1/schedules/${scheduleId}/status`, { status })).status, 200)
  const invoice = await statement(scheduleId)
  for (const expected of ['Tax invoice', 'GST number 12-345-678', '1 Quay Street', '12-3456-0001'])
    assert.ok(invoice.includes(expected), `${expected} in\n${invoice}`)
  assert.equal((await admin.put('/v1/organisation', { taxNumber: null })).status, 200)
})

test('it is addressed to its partner, and keeps the address that it was approved with', async () => {
  const id = await consignment()
  await charge(id, 'client-activity', { particulars: 'Handling', metricValue: 1, chargeRateExclTax: 10 })
  assert.equal((await close(id, '2026-03-04')).status, 200)
  const address = (billingAddress: string) => admin.put(`/v1/partners/${clientId}`, { billingAddress })
  assert.equal((await address('PO Box 7\nNelson 7010')).status, 200)
  const scheduleId = await schedule(clientId)
  assert.match(await statement(scheduleId), /PO Box 7/)
  assert.equal((await admin.put(`/v1/schedules/${scheduleId}/status`, { status: 2 })).status, 200)
  assert.equal((await address('1 New Road')).status, 200)
  const approved = await statement(scheduleId)
  assert.match(approved, /PO Box 7/)
  assert.match(approved, /Nelson 7010/)
  assert.doesNotMatch(approved, /1 New Road/)
})

test('each line tells its tax rate where there is more than one', async () => {
  const id = await consignment()
  const { body } = await admin.post('/v1/tax-rates', { name: 'Zero-rated', percent: 0 })
  await charge(id, 'client-activity', { particulars: 'Handling', metricValue: 1, chargeRateExclTax: 10 })
  const zeroRated = { particulars: 'Export freight', taxRateId: Object.values(body)[0] as string }
  await charge(id, 'client-freight', { ...zeroRated, metricValue: 1, chargeRateExclTax: 20 })
  assert.equal((await close(id, '2026-03-03')).status, 200)
  const text = await statement(await schedule(clientId))
  assert.match(text, /Handling 1 10\.00 15 % 10\.00/)
  assert.match(text, /Export freight 1 20\.00 0 % 20\.00/)
})

test('a carrier gets a carrier statement, and each partner sees only its own', async () => {
  const id = await consignment()
  await charge(id, 'carrier-freight')
  assert.equal((await close(id, '2026-03-02')).status, 200)
  const scheduleId = await schedule(carrierId)
  assert.equal((await admin.put(`/v1/schedules/${scheduleId}/status`, { status: 2 })).status, 200)
  const settings = { bankDetails: '12-3456-0001', paymentTerms: 'Within 14 days.' }
  assert.equal((await admin.put('/v1/organisation', settings)).status, 200)
  const text = await statement(scheduleId, world.as(admin, { partnerId: carrierId }))
  assert.match(text, /Carrier statement/)
  // The organisation pays the carrier.
  assert.doesNotMatch(text, /12-3456-0001|Within 14 days/)
  const client = world.as(admin, { partnerId: clientId })
  assert.equal((await client.get(`/v1/schedules/${scheduleId}/statement-pdf`)).status, 404)
  const reader = world.as(admin, { scopes: ['consignment'] })
  assert.equal((await reader.get(`/v1/schedules/${scheduleId}/statement-pdf`)).status, 403)
})
