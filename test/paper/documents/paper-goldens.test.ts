// Compares the text of every document, and a picture of its first page, with stored ones. `npm run goldens`
// renews them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { hazardClassId } from '../../../src/reference-data/load-reference-data.ts'
import { openCharges } from '../../support/given-charges.ts'
import { goods, openInwards, serialGoods } from '../../support/given-inwards.ts'
import { openWaves } from '../../support/given-waves.ts'
import { assertLooksLikeGolden, assertMatchesGolden } from '../../support/golden.ts'
import type { Caller } from '../../support/harness.ts'
import { type Picture, picturesOf, placedLinesOf, withoutLines } from '../../support/pdf.ts'

const inwards = await openInwards()
const outwards = await openWaves()
const charges = await openCharges()

// The prefix of an organisation's numbers depends on the tests before it.
for (const { database } of [inwards, outwards, charges.world])
  await database.atomically(tx =>
    tx.run(sql`update organisation set name = 'Northwind Logistics', consignment_prefix = 'NWL'`),
  )

/** Replaces today's dates and times in a line, because they differ from run to run. */
const withoutToday = (line: string): string =>
  line.replace(/\b(\d{1,2} \w{3} \d{4})( \d{2}:\d{2})?/g, (all, day, time = '') =>
    Math.abs(Date.parse(`${day} UTC`) - Date.now()) < 3 * 86_400_000 ? `‹today${time && ', now'}›` : all,
  )

const dpi = 100

async function checkPaper(caller: Caller, path: string, name: string): Promise<void> {
  const { status, bytes } = await caller.get(path)
  assert.equal(status, 200, bytes.toString())
  const pages = await placedLinesOf(bytes)
  const lines = pages.flatMap((page, i) => [`# page ${i + 1}`, ...page.map(({ text }) => withoutToday(text))])
  await assertMatchesGolden(new URL(`./goldens/${name}.txt`, import.meta.url), lines)
  const datedLines = pages[0]?.filter(({ text }) => withoutToday(text) !== text) ?? []
  const [first] = await picturesOf(bytes, dpi)
  const picture = withoutLines(first as Picture, datedLines, dpi)
  await assertLooksLikeGolden(new URL(`./goldens/${name}.png`, import.meta.url), picture)
}

const pathOf = (consignmentId: string, name: string) => `/v1/consignments/${consignmentId}/${name}-pdf`
const address = (name: string, city: string) => ({
  name,
  streetAddress: '12 Cuba Street',
  city,
  postCode: '6011',
  country: 'New Zealand',
})

test('inwards documents: the detail, the receiving sheet and the receipt confirmation', async () => {
  const { admin, announce, received, linesOf: idsOf, locations } = inwards
  const id = await announce(
    [
      goods('APPLE', 40, { batch: 'L1', expiryDate: '2027-03-01T00:00:00Z' }),
      goods('PEAR', 5),
      serialGoods('SCALE', ['S-1', 'S-2', 'S-3']),
    ],
    {
      referenceNumber: 'PO-88412',
      carrierCode: 'SWF',
      enteredDate: '2026-03-01T08:00:00Z',
      containerNumber: 'MSKU1234565',
      originAddress: address('Kauri Mill', 'Napier'),
      destinationAddress: address('Auckland DC', 'Auckland'),
      deliveryInstructions: 'Dock 3.',
      notes: [{ note: 'Count before signing.', displayOnPrintOut: true }],
    },
  )
  await checkPaper(admin, `${pathOf(id, 'detail')}?IncludeShipping=true`, 'consignment-detail')
  await checkPaper(admin, pathOf(id, 'receipt-confirmation'), 'receiving-sheet')
  const [apple, pear] = await idsOf(id)
  await received(id, {
    receipts: [
      { consignmentProductId: apple, quantity: 38, warehouseLocationId: locations.A1 },
      {
        consignmentProductId: pear,
        quantity: 6,
        warehouseLocationId: locations.B1,
        hold: { kind: 2, reason: 'Wet' },
      },
    ],
  })
  await checkPaper(admin, pathOf(id, 'receipt-confirmation'), 'receipt-confirmation')
})

test('outwards documents: the picking list, the dangerous goods declarations and the dispatch confirmation', async () => {
  const { admin, fresh, ready, stored, unit, allocated, locations } = outwards
  const paint = await fresh({
    name: 'Enamel paint, gloss white, 4 l',
    isDangerousGood: true,
    dgUnNumber: '1263',
    dgProperShippingName: 'Paint',
    dgPackagingGroup: 2,
    dgFlashpointDegC: '23',
    dgHazchemEac: '3YE',
    weightKG: 5.2,
    volumeM3: 0.006,
    dgHazardClasses: [{ dgHazardClassId: hazardClassId(3, '3') }],
  })
  const honey = await fresh({ name: 'Manuka honey, 500 g', weightKG: 0.7, pickInstructions: 'Upright.' })
  await stored(12, { productId: paint.productId, warehouseLocationId: locations.B1 })
  await stored(30, {
    productId: honey.productId,
    batch: 'L117',
    expiryDate: '2029-03-31',
    logisticUnitId: await unit('PAL-7'),
  })
  const id = await ready([
    { ...paint, quantity: 12 },
    { ...honey, quantity: 36 },
  ])
  await allocated(id)
  await checkPaper(admin, pathOf(id, 'picking-list'), 'picking-list')
  await checkPaper(admin, pathOf(id, 'dg-declaration'), 'dg-declaration-provisional')
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status: 7 })).status, 200)
  await checkPaper(admin, pathOf(id, 'dg-declaration'), 'dg-declaration')
  await checkPaper(admin, pathOf(id, 'dispatch-confirmation'), 'dispatch-confirmation')
})

for (const [style, name] of [
  [1, 'wave-pick-list-parallel'],
  [2, 'wave-pick-list-bulk'],
] as const) {
  test(`wave pick list: ${name}`, async () => {
    const { admin, fresh, stored, startedWave, locations } = outwards
    const a = await fresh({ name: 'Rolled oats, 1 kg' })
    const b = await fresh({ name: 'Sea salt, 250 g' })
    await stored(20, { productId: a.productId })
    await stored(9, { productId: b.productId, warehouseLocationId: locations.A2 })
    const { jobId } = await startedWave(
      [
        [
          { ...a, quantity: 4 },
          { ...b, quantity: 2 },
        ],
        [{ ...a, quantity: 3 }],
      ],
      { style, description: 'Morning wave' },
    )
    await checkPaper(admin, `/v1/jobs/${jobId}/wave-pick/picking-list-pdf`, name)
  })
}

test('the statement of a schedule: the tax invoice', async () => {
  const { world, clientId, consignment, charge, close } = charges
  const { admin } = world
  const id = await consignment()
  await charge(id, 'client-activity', { particulars: 'Handling', metricValue: 3, chargeRateExclTax: 0.11 })
  await charge(id, 'client-freight', { particulars: 'To Wellington', chargeRateExclTax: 1_234.5 })
  assert.equal((await close(id, '2026-03-02')).status, 200)
  const settings = {
    taxNumber: '12-345-678',
    taxName: 'GST',
    paymentTerms: 'Within 14 days.',
    address: '1 Quay Street\nAuckland',
    bankDetails: '12-3456-0001',
  }
  assert.equal((await admin.put('/v1/organisation', settings)).status, 200)
  const schedule = { partnerId: clientId, date: '2026-03-31', referenceNumber: 'MAR-26' }
  const { partnerScheduleId } = (await admin.post('/v1/schedules', schedule)).body
  assert.equal((await admin.put(`/v1/schedules/${partnerScheduleId}/status`, { status: 2 })).status, 200)
  await checkPaper(admin, `/v1/schedules/${partnerScheduleId}/statement-pdf`, 'tax-invoice')
})
