import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { hazardCategoryId, hazardClassId } from '../../src/reference-data/load-reference-data.ts'
import { openWorld } from '../support/harness.ts'

const { admin, as } = await openWorld()
const anybody = as(admin, { scopes: [] })

const classes = async (query: string) => (await anybody.get(`/v1/dg-hazard-classes?${query}`)).body
const names = (page: { dgHazardClasses: { name: string }[] }) => page.dgHazardClasses.map(({ name }) => name)

test('classes are listed in the order of their standard, to any valid token', async () => {
  const all = await classes('PageSize=500')
  assert.equal(all.total, all.dgHazardClasses.length)
  const first = all.dgHazardClasses[0]
  assert.deepEqual(first, { id: hazardClassId(1, '2.1'), name: 'Explosives', dgStandard: 1 })
  const unClasses = names(await classes('DgStandard=3'))
  assert.deepEqual(
    unClasses.map(name => name.slice(0, 7)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => `Class ${n}`),
  )
  const ghs = names(await classes('dgstandard=2&PageSize=50'))
  assert.ok(
    ghs.indexOf('Flammable liquids') < ghs.indexOf('Pyrophoric solids'),
    'chapter 2.6 comes before 2.10',
  )
})

test('classes are searched by name within a standard', async () => {
  assert.deepEqual(names(await classes('SearchText=FLAMMABLE LIQ&DgStandard=4')), [
    'Class 3 Flammable liquids',
  ])
  assert.equal((await classes('SearchText=flammable liq')).total, 4)
  assert.deepEqual(await classes('SearchText=%25'), { index: 1, total: 0, dgHazardClasses: [] })
  assert.equal(
    (await anybody.get('/v1/dg-hazard-classes?DgStandard=5&PageIndex=0')).body.ErrorMessages.length,
    2,
  )
})

test('the categories of a class are listed and searched by name or code', async () => {
  const id = hazardClassId(4, '3')
  const list = `/v1/dg-hazard-classes/${id}/dg-hazard-categories`
  const { body } = await anybody.get(list)
  assert.deepEqual(body, {
    index: 1,
    total: 3,
    dgHazardCategories: ['I', 'II', 'III'].map(group => ({
      id: hazardCategoryId(id, `PG ${group}`),
      name: `Packing group ${group}`,
    })),
  })
  assert.equal(
    (await anybody.get(`${list}?SearchText=pg%20iii`)).body.dgHazardCategories[0].name,
    'Packing group III',
  )
  assert.equal((await anybody.get(`${list}?SearchText=group%20ii`)).body.total, 2)
  assert.equal((await anybody.get(`${list}?PageSize=2&PageIndex=2`)).body.dgHazardCategories.length, 1)
  const unknown = await anybody.get(`/v1/dg-hazard-classes/${uuidv7()}/dg-hazard-categories`)
  assert.equal(unknown.status, 404)
  assert.deepEqual(unknown.body.ErrorMessages, ['Hazard class not found.'])
})
