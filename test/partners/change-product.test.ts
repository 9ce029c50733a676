import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { hazardCategoryId } from '../../src/reference-data/load-reference-data.ts'
import { acute, flammable, openProducts } from '../support/given-products.ts'

const { world, products, create, carton, inner } = await openProducts()
const { admin, stranger } = world

test('unit conversions and hazard classes are replaced as sets, and the same set is no change', async () => {
  const id = await create({ code: 'SETS', name: 'Sets' })
  const put = async (body: object) => (await admin.put(`${products}/${id}`, body)).status
  const read = async () => (await admin.get(`${products}/${id}`)).body
  const toItems = (unitTypeId: string, conversionRate: number) => ({
    inputMetricType: 3,
    inputUnitTypeId: unitTypeId,
    outputMetricType: 1,
    conversionRate,
  })
  const rates = async () =>
    (await read()).unitConversions.map((step: { itemConversionRate: number }) => step.itemConversionRate)
  assert.equal(await put({ unitConversions: [toItems(carton, 12), toItems(inner, 6)] }), 200)
  assert.equal(await put({ unitConversions: [toItems(carton, 12), toItems(inner, 6)] }), 304)
  assert.deepEqual(await rates(), [12, 6])
  assert.equal(
    await put({ unitConversions: [toItems(inner, 6), toItems(carton, 12)] }),
    200,
    'the order is part of the set',
  )
  assert.equal(
    await put({ unitConversions: [{ ...toItems(inner, 6), barcode: 'X' }, toItems(carton, 12)] }),
    200,
  )
  assert.equal(await put({ unitConversions: [toItems(inner, 7)] }), 200)
  assert.deepEqual(await rates(), [7])
  assert.equal(await put({ name: 'Sets still' }), 200)
  assert.deepEqual(await rates(), [7], 'an absent set stays')
  assert.equal(await put({ unitConversions: [] }), 200)
  assert.equal(await put({ unitConversions: [] }), 304)

  const hazardsOf = (...codes: string[]) => ({
    dgHazardClasses: codes.map(code => ({
      dgHazardClassId: flammable,
      dgHazardCategoryId: hazardCategoryId(flammable, code),
    })),
  })
  const both = { dgHazardClasses: [...hazardsOf('1').dgHazardClasses, { dgHazardClassId: acute }] }
  assert.equal(await put(hazardsOf('1')), 200)
  assert.equal(await put(hazardsOf('1')), 304)
  assert.equal(await put(hazardsOf('2')), 200)
  assert.equal(await put(both), 200)
  assert.equal(await put(both), 304)
  assert.equal(
    await put({ dgHazardClasses: both.dgHazardClasses.toReversed() }),
    200,
    'the first class is the primary one',
  )
  assert.equal((await read()).dgHazardClasses.length, 2)
  assert.equal(await put({ dgHazardClasses: [{ dgHazardClassId: flammable }] }), 200)
  assert.deepEqual(
    (await read()).dgHazardClasses.map((hazard: { dgHazardCategory: unknown }) => hazard.dgHazardCategory),
    [null],
  )
  assert.equal(await put(hazardsOf()), 200)
  assert.equal(await put(hazardsOf()), 304)
})

test('unknown records, and records of another organisation, are reported together by field', async () => {
  const theirs = Object.values((await (await stranger()).post('/v1/unit-types', { name: 'Theirs' })).body)[0]
  const nobody = uuidv7()
  const body = {
    productGroupId: nobody,
    unitTypeId: theirs,
    productUnitTypeId: carton,
    dgHazardClasses: [
      { dgHazardClassId: nobody },
      { dgHazardClassId: acute, dgHazardCategoryId: hazardCategoryId(flammable, '1') },
      { dgHazardClassId: flammable, dgHazardCategoryId: hazardCategoryId(flammable, '1') },
    ],
    unitConversions: [
      { inputMetricType: 3, inputUnitTypeId: nobody, outputMetricType: 1, conversionRate: 1 },
    ],
  }
  const expected = {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      'unitTypeId does not refer to a unit type.',
      'unitConversions[0].inputUnitTypeId does not refer to a unit type.',
      'productGroupId does not refer to a product group.',
      'dgHazardClasses[0].dgHazardClassId does not refer to a hazard class.',
      'dgHazardClasses[1].dgHazardCategoryId does not refer to a category of its hazard class.',
    ],
  }
  const refused = await admin.post(products, { code: 'REFS', name: 'Refs', ...body })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body, expected)
  const id = await create({ code: 'REFS', name: 'Refs' })
  assert.deepEqual((await admin.put(`${products}/${id}`, body)).body, expected)
})
