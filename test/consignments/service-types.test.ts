import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { openSubRecords } from '../support/given-sub-records.ts'

const { world, consignment, eventsOf, types, made } = await openSubRecords()
const { admin, stranger } = world
const { cold, tail } = types

const read = async (path: string) => (await admin.get(`${path}/service-types`)).body
const codes = async (path: string) =>
  (await read(path)).serviceTypes.map(({ code }: { code: string }) => code)
const put = (path: string, ...serviceTypeIds: unknown[]) =>
  admin.put(`${path}/service-types`, { serviceTypeIds })

test('service types are replaced as a set, and the same set in another order changes nothing', async () => {
  const path = await consignment()
  assert.deepEqual(await read(path), { serviceTypes: [] })
  assert.equal((await put(path)).status, 304)
  assert.equal((await put(path, tail, cold)).status, 200)
  assert.deepEqual(await read(path), {
    serviceTypes: [
      { id: cold, code: 'COLD', name: 'Cold chain' },
      { id: tail, code: 'TAIL', name: 'Tail lift' },
    ],
  })
  assert.equal((await put(path, cold, tail.toUpperCase())).status, 304)
  assert.equal((await put(path, tail)).status, 200)
  assert.deepEqual(await codes(path), ['TAIL'])
  assert.equal((await put(path)).status, 200)
  assert.deepEqual(await codes(path), [])
  const events = await eventsOf(path)
  assert.deepEqual(
    events.map(({ type }) => type),
    [113, 113, 113],
  )
  assert.deepEqual(events[1]?.changes, [
    { field: 'serviceTypes', from: { serviceTypeId: cold, name: 'Cold chain' }, to: null },
  ])
})

test('a service type can be added once, and removed', async () => {
  const path = await consignment()
  const member = `${path}/service-types/${cold}`
  assert.equal((await admin.post(member)).status, 200)
  assert.equal((await admin.post(member)).status, 200)
  assert.deepEqual(await codes(path), ['COLD'])
  assert.equal((await admin.delete(member)).status, 200)
  assert.deepEqual(await codes(path), [])
  assert.deepEqual(
    (await eventsOf(path)).map(({ type }) => type),
    [113, 113],
  )
  const again = await admin.delete(member)
  assert.deepEqual([again.status, again.body.ErrorMessages], [404, ['Service type not found.']])
})

test('an unknown service type is 404, an inactive one cannot be added, and an invalid uuid is a fault', async () => {
  const path = await consignment()
  const theirs = await made('/v1/service-types', { code: 'THEIRS', name: 'Theirs' }, await stranger())
  for (const id of [uuidv7(), theirs]) {
    for (const answer of [await admin.post(`${path}/service-types/${id}`), await put(path, cold, id)]) {
      assert.deepEqual([answer.status, answer.body.ErrorMessages], [404, ['Service type not found.']])
    }
  }
  const retired = await made('/v1/service-types', { code: 'OLD', name: 'Retired', status: 2 })
  assert.deepEqual((await put(path, retired)).body.ErrorMessages, ['Service type Retired is inactive.'])
  assert.deepEqual((await put(path, 'x', 7)).body.ErrorMessages.toSorted(), [
    'serviceTypeIds[0] must be a uuid.',
    'serviceTypeIds[1] must be a string.',
  ])
  assert.deepEqual((await put(path, cold, cold.toUpperCase())).body.ErrorMessages, [
    'serviceTypeIds[1] must not be given a second time.',
  ])
  assert.equal((await admin.put(`${path}/service-types`, {})).status, 400)
  assert.equal((await admin.post(`${path}/service-types/no-uuid`)).status, 400)
  assert.deepEqual([await codes(path), await eventsOf(path)], [[], []])
  assert.equal((await admin.get(`/v1/consignments/${uuidv7()}/service-types`)).status, 404)
})
