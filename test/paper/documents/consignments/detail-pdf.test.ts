import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goods, openInwards, serialGoods } from '../../../support/given-inwards.ts'
import { openPrinters } from '../../../support/given-paper-printers.ts'
import { linesOf, textOf } from '../../../support/pdf.ts'

const world = await openInwards()
const { admin, clientId, carrierId, warehouseId, announce, received, linesOf: idsOf } = world
const { printers, job } = await openPrinters(world, warehouseId)

const detail = async (id: string, query = '', caller = admin) => {
  const { status, bytes } = await caller.get(`/v1/consignments/${id}/detail-pdf?${query}`)
  assert.equal(status, 200, bytes.toString())
  return textOf(bytes)
}

test('the detail has everything that is known about a consignment', async () => {
  const id = await announce(
    [
      goods('APPLE', 1200, { batch: 'L23', expiryDate: '2027-03-01', goodsDescription: 'Crisp and red' }),
      serialGoods('SCALE', ['SN-1', 'SN-2']),
    ],
    {
      referenceNumber: 'REF-1',
      poNumber: 'PO-7',
      carrierCode: 'SWF',
      carrierReference: 'SW-99',
      containerNumber: 'MSKU1234565',
      containerSize: 3,
      containerType: 4,
      containerSealNumber: 'SEAL-5',
      deliveryInstructions: 'Ring twice.',
      destinationAddress: { name: 'Auckland shed', city: 'Auckland', country: 'New Zealand' },
      originAddress: { name: 'Farm', streetAddress: '1 Orchard Road', city: 'Hastings' },
      originAddressAttention: 'Mere',
      notes: [
        { note: 'Keep cold.', displayOnPrintOut: true },
        { note: 'Margin is thin.', displayOnPrintOut: false },
      ],
      tasks: [{ taskTypeCode: 'WRAP', value: 3 }],
      serviceTypeCodes: ['EXP'],
    },
  )
  const text = await detail(id)
  for (const expected of [
    'Kauri Foods (KAURI)',
    'REF-1',
    'PO-7',
    'Swift',
    'SW-99',
    'MSKU1234565',
    '40 ft Refrigerated high cube',
    'SEAL-5',
    'Ring twice.',
    'Express',
    'Auckland shed',
    '1 Orchard Road',
    'Attention: Mere',
    'Keep cold.',
    'Crisp and red',
    'Batch L23 · Expiry 1 Mar 2027',
    '1,200',
    'SN-1',
    'Wrapping',
    'Ready to receive',
    'Ada Storekeeper',
  ])
    assert.ok(text.includes(expected), `${expected} in\n${text}`)
  assert.ok(!text.includes('Margin is thin.'))
})

test('without shipping, carrier and container are omitted', async () => {
  const id = await announce([goods('APPLE', 1)], { carrierCode: 'SWF', containerNumber: 'MSKU1234565' })
  assert.match(await detail(id), /MSKU1234565/)
  const without = await detail(id, 'IncludeShipping=false')
  assert.doesNotMatch(without, /MSKU1234565|Swift/)
})

test('received quantities are beside the expected ones, with totals below', async () => {
  const id = await announce([goods('APPLE', 10), goods('PEAR', 5)])
  const [apple] = await idsOf(id)
  await received(id, { receipts: [{ consignmentProductId: apple, quantity: 8 }] })
  const text = await detail(id)
  assert.match(text, /Expected Received Short/)
  assert.match(text, /APPLE 10 8 2/)
  assert.match(text, /Total 15 8 7/)
})

test('the weight is that of the goods that came, once some did', async () => {
  const id = await announce([{ ...goods('APPLE', 0), items: [{ quantity: 10, weightKG: 3 }] }])
  assert.match(await detail(id), /APPLE 10 3 /)
  const [apple] = await idsOf(id)
  await received(id, { receipts: [{ consignmentProductId: apple, quantity: 4, weightKG: 17 }] })
  assert.match(await detail(id), /APPLE 10 4 6 17/)
})

test('a Void consignment has a detail', async () => {
  const id = await announce([goods('APPLE', 1)])
  assert.equal((await admin.put(`/v1/consignments/${id}/void`, {})).status, 200)
  assert.match(await detail(id), /Void/)
})

test('the client and the carrier can download it, others cannot', async () => {
  const id = await announce([goods('APPLE', 1)], { carrierCode: 'SWF' })
  await detail(id, '', world.as(admin, { partnerId: clientId }))
  await detail(id, '', world.as(admin, { partnerId: carrierId }))
  const other = await announce([goods('APPLE', 1)])
  const carrier = world.as(admin, { partnerId: carrierId })
  assert.equal((await carrier.get(`/v1/consignments/${other}/detail-pdf`)).status, 404)
  assert.equal((await (await world.stranger()).get(`/v1/consignments/${id}/detail-pdf`)).status, 404)
})

test('it is printed with the options of the specification', async () => {
  const id = await announce([goods('APPLE', 1)], { carrierCode: 'SWF' })
  const { status, body } = await admin.post(`/v1/consignments/${id}/detail-pdf/print`, {
    orientation: 1,
    includeShipping: false,
    printOption: { printerId: printers.document },
  })
  assert.equal(status, 200, JSON.stringify(body))
  const { content, copies, kind } = await job(body.printJobId)
  assert.deepEqual([copies, kind], [1, 1])
  assert.doesNotMatch(await textOf(content), /Swift/)
})

test('the logos of the organisation and of the client are on it', async () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const logo = { fileName: 'logo.png', contentType: 'image/png', content: png }
  const id = await announce([goods('APPLE', 1)])
  assert.equal((await admin.get('/v1/organisation/logo')).status, 404)
  for (const path of ['/v1/organisation/logo', `/v1/partners/${clientId}/logo`])
    assert.equal((await admin.put(path, { logo })).status, 200)
  assert.deepEqual((await admin.get('/v1/organisation/logo')).bytes, Buffer.from(png, 'base64'))
  const [first = []] = await linesOf((await admin.get(`/v1/consignments/${id}/detail-pdf`)).bytes)
  assert.ok(!first.slice(0, 2).some(line => line.includes('Organisation ')), first.join('\n'))
})
