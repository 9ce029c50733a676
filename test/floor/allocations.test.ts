// What a consignment has of the stock, as a picker walks to it, and why it has just that. Spec 2.11, 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/new-id.ts'
import { openWaves } from '../support/given-waves.ts'

const world = await openWaves()
const { admin, as, stored, fresh, ready, allocated, locations, products, clientId, carrierId } = world

interface Listed {
  consignmentProductId: string
  warehouseProductId: string
  quantity: number
  isPicked: boolean
  serials: string[]
  warehouseLocationName: string
}

const listOf = async (id: string, by = admin) => {
  const { status, body } = await by.get(`/v1/consignments/${id}/allocations`)
  return status === 200 ? body : status
}
const told = (entries: readonly Listed[]) =>
  entries.map(({ quantity, warehouseLocationName, isPicked, serials }) =>
    [`${quantity} in ${warehouseLocationName}`, isPicked && 'picked', ...serials].filter(Boolean).join(', '),
  )

test('what is to be picked comes in the order of the walk, then what is picked at its dock', async () => {
  const [apples, pears] = [await fresh(), await fresh()]
  await stored(4, { ...apples, warehouseLocationId: locations.A2, batch: 'B7', expiryDate: '2031-05-01' })
  await stored(9, { ...apples, warehouseLocationId: locations.A1, expiryDate: '2031-06-01' })
  await stored(5, { ...pears, warehouseLocationId: locations.A1 })
  await stored(
    2,
    { productId: products.SCALE as string },
    { newSerials: [{ serial: 'S2' }, { serial: 'S1' }] },
  )
  const id = await ready([
    { ...apples, quantity: 7 },
    { ...pears, quantity: 5 },
    { productId: products.SCALE as string, productCode: 'SCALE', quantity: 2, serials: ['S1', 'S2'] },
  ])
  await allocated(id)
  const { allocations } = await listOf(id)
  assert.deepEqual(told(allocations), ['3 in A-01', '5 in A-01', '2 in A-01, S1, S2', '4 in A-02'])
  const [first] = allocations
  assert.equal(first.lineNumber, 1)
  assert.equal(first.partnerProductCode, apples.productCode)
  assert.equal(first.walkingOrder, 1)
  assert.equal(first.expiryDate, '2031-06-01')
  assert.equal(first.inventoryAllocationIds.length, 1)
  // A dock that is passed first is no place to pick from.
  await world.location('GATE', 4, { walkingOrder: 0 })
  const answer = await admin.post(`/v1/consignments/${id}/pick`, {
    picks: [
      { ...idsOf(first), quantity: 2, toLocationName: 'GATE' },
      { ...idsOf(allocations[2]), serials: ['S1', 'S2'], toLocationName: 'GATE' },
    ],
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(told((await listOf(id)).allocations), [
    '1 in A-01',
    '5 in A-01',
    '4 in A-02',
    '2 in GATE, picked',
    '2 in GATE, picked, S1, S2',
  ])
})

const idsOf = ({ consignmentProductId, warehouseProductId }: Listed) => ({
  consignmentProductId,
  warehouseProductId,
})

test('the list names the open wave, and the dock that is set', async () => {
  const of = await fresh()
  await stored(5, of)
  const { jobId, ids } = await world.startedWave([[{ ...of, quantity: 5 }]])
  const [id = ''] = ids
  const route = { defaultDispatchLocationId: locations.DOCK }
  assert.equal((await admin.put(`/v1/consignments/${id}/route`, route)).status, 200)
  const list = await listOf(id)
  assert.deepEqual([list.jobId, list.dispatchLocationName], [jobId, 'DOCK'])
  assert.match(list.jobNumber, /^WP-/)
  assert.deepEqual(told(list.allocations), ['5 in A-01'])
  await world.move(jobId, 5)
  assert.equal((await listOf(id)).jobId, null)
})

test('its client may read the list, a carrier and a stranger may not', async () => {
  const of = await fresh()
  await stored(5, of)
  const id = await ready([{ ...of, quantity: 5 }])
  await allocated(id)
  assert.deepEqual(told((await listOf(id, as(admin, { partnerId: clientId }))).allocations), ['5 in A-01'])
  assert.equal(await listOf(id, as(admin, { partnerId: carrierId })), 403)
  assert.equal(await listOf(id, await world.stranger()), 404)
  assert.equal(await listOf(newId()), 404)
})

test('an explanation of stock that a line has compares it with what it could have had', async () => {
  const of = await fresh({ rotationMethod: 2 })
  const soon = await stored(4, { ...of, expiryDate: '2031-05-01' })
  const late = await stored(4, { ...of, expiryDate: '2031-06-01' })
  const held = await stored(4, { ...of, inventoryHoldId: await world.hold() })
  const id = await ready([{ ...of, quantity: 4 }])
  const [line] = await allocated(id)
  const explained = async () => {
    const { body } = await admin.get(`/v1/consignments/${id}/allocation-preview?IncludeAllocated=true`)
    const [first] = body.lines
    return {
      rotation: first.rotationMethod,
      stock: first.stock.map((one: Record<string, unknown>) => [
        one.warehouseProductId,
        one.quantity,
        one.allocatedQuantity,
        one.rule,
        one.keptOut,
      ]),
    }
  }
  assert.deepEqual(await explained(), {
    rotation: 2,
    stock: [
      [soon, 4, 4, 'Rotation', null],
      [late, 0, 0, 'Rotation', null],
      [held, 0, 0, null, 'is on hold'],
    ],
  })
  const plain = await admin.get(`/v1/consignments/${id}/allocation-preview`)
  assert.deepEqual(plain.body.lines, [])
  // By hand it gets the later one.
  assert.equal((await admin.post(`/v1/consignments/${id}/release`)).status, 200)
  await allocated(id, {
    lines: [
      {
        consignmentProductId: line?.consignmentProductId,
        stock: [{ warehouseProductId: late, quantity: 4 }],
      },
    ],
  })
  assert.deepEqual((await explained()).stock, [
    [soon, 4, 0, 'Rotation', null],
    [late, 0, 4, 'Rotation', null],
    [held, 0, 0, null, 'is on hold'],
  ])
})

test('serials that a line has by name are explained as asked for', async () => {
  const productId = await world.product('METER', { serialTrackingMode: 2 })
  await stored(2, { productId }, { newSerials: [{ serial: 'M1' }, { serial: 'M2' }] })
  const id = await ready([{ productId, productCode: 'METER', quantity: 1, serials: ['M2'] }])
  await allocated(id)
  const { body } = await admin.get(`/v1/consignments/${id}/allocation-preview?IncludeAllocated=true`)
  const [{ wanted, short, stock }] = body.lines
  assert.deepEqual([wanted, short, stock[0].quantity, stock[0].allocatedQuantity], [1, 0, 1, 1])
})
