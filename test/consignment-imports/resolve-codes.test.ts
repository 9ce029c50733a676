import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportRequest } from '../../src/consignment-imports/import-request.ts'
import { resolveCodes } from '../../src/consignment-imports/resolve-codes.ts'
import { openImports, setUp } from '../support/given-imports.ts'

const { world, clientId, carrierId, warehouseId } = await openImports()
const { admin, database } = world
const create = async (path: string, body: object) => {
  const { status, body: answer } = await admin.post(path, body)
  assert.equal(status, 201)
  return Object.values(answer)[0] as string
}

const request = (more: Partial<ImportRequest> = {}): ImportRequest => ({
  ...{ consignmentType: 1, clientCode: 'kauri', warehouseCode: 'akl' },
  products: [{ productCode: 'apple', items: [{ quantity: 1 }] }],
  ...more,
})
const importWith = (more: Partial<ImportRequest> = {}, client: string | null = null) => ({
  clientId: client,
  request: request(more),
})
const resolve = (...imports: ReturnType<typeof importWith>[]) =>
  resolveCodes(database.db, admin.actor.organisationId, imports)

test('each kind of code finds its record case-insensitively, and an unknown code finds none', async () => {
  const one = importWith({
    ...{ carrierCode: 'swf', serviceTypeCodes: ['exp', 'none'], loadShippingPortCode: 'nzakl' },
    ...{ tasks: [{ taskTypeCode: 'wrap', value: 1 }], dischargeShippingPortCode: 'XXXXX' },
    products: [
      { productCode: 'apple', packageTypeCode: 'box', items: [{ quantity: 1 }] },
      { productCode: 'NONE', packageTypeCode: 'NONE', items: [{ quantity: 1 }] },
    ],
  })
  const codes = await resolve(one)
  assert.deepEqual(codes.client(one), { id: clientId, isActive: true, relationship: 1 })
  assert.deepEqual(codes.carrier('swf'), { id: carrierId, isActive: true, relationship: 2 })
  assert.deepEqual(codes.warehouse('akl'), {
    id: warehouseId,
    isActive: true,
    timezoneId: 'Pacific/Auckland',
  })
  const { id, ...apple } = codes.product(one, 'apple') ?? {}
  assert.ok(id)
  assert.deepEqual(apple, {
    ...{ isActive: true, serialTrackingMode: 1, weightKG: 0.25, volumeM3: 0.0005 },
    ...{ batch: 2, bestBeforeDate: 2, expiryDate: 2, packagingDate: 2, productionDate: 2, sellByDate: 2 },
  })
  for (const found of [
    codes.packageType('box'),
    codes.serviceType('exp'),
    codes.taskType('wrap'),
    codes.shippingPort('nzakl'),
  ])
    assert.equal(found?.isActive, true)
  for (const found of [
    codes.product(one, 'NONE'),
    codes.packageType('NONE'),
    codes.serviceType('none'),
    codes.shippingPort('XXXXX'),
  ])
    assert.equal(found, undefined)
  assert.equal(codes.timezoneId, 'Pacific/Auckland')
  assert.deepEqual(codes.activeWarehouses, [], 'the import names one')
})

test('a client that is known by id is found with its products, whoever has the code now', async () => {
  const other = await create('/v1/partners', { name: 'Other', code: 'OTHER', relationship: 1 })
  const pear = await create(`/v1/partners/${other}/products`, { code: 'PLUM', name: 'Plum' })
  const plum = { products: [{ productCode: 'plum', items: [{ quantity: 1 }] }] }
  const [byId, byCode] = [importWith(plum, other), importWith(plum)]
  const codes = await resolve(byId, byCode)
  assert.deepEqual([codes.client(byId)?.id, codes.client(byCode)?.id], [other, clientId])
  assert.deepEqual([codes.product(byId, 'plum')?.id, codes.product(byCode, 'plum')], [pear, undefined])
})

test('an attribute usage that the product leaves open is that of its client', async () => {
  const strict = await create('/v1/partners', {
    ...{ name: 'Strict', code: 'STRICT', relationship: 1 },
    ...{ productBatchUsage: 3, productExpiryUsage: 3 },
  })
  await create(`/v1/partners/${strict}/products`, { code: 'CAKE', name: 'Cake', expiryUsage: 1 })
  const one = importWith({
    clientCode: 'STRICT',
    products: [{ productCode: 'CAKE', items: [{ quantity: 1 }] }],
  })
  const cake = (await resolve(one)).product(one, 'CAKE')
  assert.deepEqual([cake?.batch, cake?.expiryDate, cake?.sellByDate], [3, 1, 2])
})

test('inactive records are found and marked as inactive', async () => {
  await create('/v1/partners', { name: 'Gone', code: 'GONE', relationship: 1, status: 1 })
  await create('/v1/service-types', { name: 'Gone', code: 'GONE', status: 2 })
  await create('/v1/warehouses', { name: 'Gone', code: 'GONE', timezoneId: 'UTC', status: 2 })
  const one = importWith({ clientCode: 'GONE', serviceTypeCodes: ['GONE'], warehouseCode: 'GONE' })
  const codes = await resolve(one)
  assert.deepEqual(
    [codes.client(one)?.isActive, codes.serviceType('GONE')?.isActive, codes.warehouse('GONE')?.isActive],
    [false, false, false],
  )
})

test('if an import names no warehouse, at most two active ones are listed', async () => {
  const [only, ...more] = (await resolve(importWith(), importWith({ warehouseCode: null }))).activeWarehouses
  assert.deepEqual([only?.id, more], [warehouseId, []])
  for (const code of ['TWO', 'TRE']) await create('/v1/warehouses', { name: code, code, timezoneId: 'UTC' })
  assert.equal((await resolve(importWith({ warehouseCode: null }))).activeWarehouses.length, 2)
})

test('records of another organisation are not found', async () => {
  const other = await world.stranger()
  await setUp(other)
  const one = importWith({}, clientId)
  const codes = await resolveCodes(database.db, other.actor.organisationId, [one])
  assert.equal(codes.client(one), undefined)
})
