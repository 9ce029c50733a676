import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { openSubRecords } from '../support/given-sub-records.ts'

const { world, consignment, eventsOf, types, made, imported } = await openSubRecords()
const { admin, stranger } = world

const kinds = [
  {
    collection: 'consumables',
    idName: 'consumableTypeId',
    nameOf: 'consumableTypeName',
    event: 107,
    noun: 'Consumable',
    setUp: '/v1/consumable-types',
  },
  {
    collection: 'tasks',
    idName: 'taskTypeId',
    nameOf: 'taskTypeName',
    event: 106,
    noun: 'Task',
    setUp: '/v1/task-types',
  },
]

for (const { collection, idName, nameOf, event, noun, setUp } of kinds) {
  const [one, two, names] =
    collection === 'tasks'
      ? [types.label, types.weigh, ['Labelling', 'Weighing']]
      : [types.film, types.strap, ['Film', 'Strap']]
  const set = (...entries: [id: string, value: number][]) => ({
    [collection]: entries.map(([id, value]) => ({ [idName]: id, value })),
  })
  const read = async (path: string) => (await admin.get(`${path}/${collection}`)).body
  const entries = async (path: string) =>
    (await read(path))[collection].map((entry: Record<string, unknown>) => [entry.name, entry.value])
  const events = async (path: string) => (await eventsOf(path)).map(({ type }) => type)

  test(`${collection} are replaced as a set, and the same set again changes nothing and raises no event`, async () => {
    const path = await consignment()
    assert.deepEqual(await read(path), { [collection]: [] })
    const put = async (body: object) => (await admin.put(`${path}/${collection}`, body)).status
    assert.equal(await put(set()), 304, 'empty stays empty')
    assert.equal(await put(set([two, 2], [one, 1.2345])), 200)
    assert.deepEqual(await read(path), {
      [collection]: [
        { [idName]: one, name: names[0], value: 1.2345 },
        { [idName]: two, name: names[1], value: 2 },
      ],
    })
    assert.equal(await put(set([one.toUpperCase(), 1.2345], [two, 2.0])), 304)
    assert.equal(await put(set([one, 3])), 200)
    assert.deepEqual(await entries(path), [[names[0], 3]])
    assert.equal(await put(set()), 200)
    assert.deepEqual(await entries(path), [])
    const changes = await eventsOf(path)
    assert.deepEqual(
      changes.map(({ type }) => type),
      [event, event, event],
    )
    assert.deepEqual(changes[1]?.changes, [
      { field: collection, from: { [idName]: two, name: names[1], value: 2 }, to: null },
      {
        field: collection,
        from: { [idName]: one, name: names[0], value: 1.2345 },
        to: { [idName]: one, name: names[0], value: 3 },
      },
    ])
  })

  test(`an entry that stays in a replaced set of ${collection} keeps its id`, async () => {
    const path = await consignment()
    const idOf = async () =>
      (await admin.get(path)).body[collection].find((entry: Record<string, unknown>) => entry[idName] === one)
    await admin.put(`${path}/${collection}`, set([one, 1]))
    const before = await idOf()
    assert.deepEqual(before, { id: before.id, [idName]: one, [nameOf]: names[0], value: 1 })
    await admin.put(`${path}/${collection}`, set([one, 2], [two, 1]))
    assert.deepEqual(await idOf(), { ...before, value: 2 })
  })

  test(`an entry of ${collection} can be added, changed and removed`, async () => {
    const path = await consignment()
    const member = `${path}/${collection}/${one}`
    assert.equal((await admin.post(member, { value: 1 })).status, 200)
    assert.equal(
      (await admin.post(member, { value: 1 })).status,
      200,
      'added again: no entry more, and nothing to tell',
    )
    assert.deepEqual(await events(path), [event])
    assert.equal(
      (await admin.post(member, { value: 2 })).status,
      200,
      'added again with another value: it has that',
    )
    assert.equal((await admin.put(member, { value: 2 })).status, 304)
    assert.equal((await admin.put(member, { value: 0 })).status, 200)
    assert.deepEqual(await entries(path), [[names[0], 0]])
    assert.equal((await admin.delete(member)).status, 200)
    assert.deepEqual(await entries(path), [])
    assert.deepEqual(await events(path), [event, event, event, event])
    const last = (await eventsOf(path)).at(-1)
    assert.deepEqual(last?.changes, [
      { field: collection, from: { [idName]: one, name: names[0], value: 0 }, to: null },
    ])
    for (const gone of [await admin.delete(member), await admin.put(member, { value: 1 })]) {
      assert.deepEqual([gone.status, gone.body.ErrorMessages], [404, [`${noun} not found.`]])
    }
  })

  test(`a type of ${collection} of another organisation is unknown, and the request changes nothing`, async () => {
    const path = await consignment()
    const theirs = await made(setUp, { name: 'Theirs', code: 'THEIRS' }, await stranger())
    for (const id of [uuidv7(), theirs]) {
      for (const answer of [
        await admin.post(`${path}/${collection}/${id}`, { value: 1 }),
        await admin.put(`${path}/${collection}`, set([one, 1], [id, 1])),
      ]) {
        assert.deepEqual([answer.status, answer.body.ErrorMessages], [404, [`${noun} type not found.`]])
      }
    }
    assert.deepEqual([await entries(path), await events(path)], [[], []])
    assert.equal((await admin.post(`${path}/${collection}/no-uuid`, { value: 1 })).status, 400)
    assert.equal((await admin.get(`/v1/consignments/${uuidv7()}/${collection}`)).status, 404)
  })

  test(`an inactive type of ${collection} cannot be added, but stays where it is assigned`, async () => {
    const path = await consignment()
    const retired = await made(setUp, { name: `Retired ${collection}`, code: 'OLD' })
    await admin.post(`${path}/${collection}/${retired}`, { value: 1 })
    await admin.put(`${setUp}/${retired}`, { status: 2 })
    assert.equal((await admin.put(`${path}/${collection}`, set([retired, 2], [one, 1]))).status, 200)
    await admin.delete(`${path}/${collection}/${retired}`)
    const { status, body } = await admin.post(`${path}/${collection}/${retired}`, { value: 1 })
    assert.deepEqual(
      [status, body.ErrorType, body.ErrorMessages],
      [400, 'Verification Failed', [`${noun} type Retired ${collection} is inactive.`]],
    )
  })

  test(`faults of ${collection} are reported by field`, async () => {
    const path = await consignment()
    const faults = async (body: unknown) => {
      const answer = await admin.put(`${path}/${collection}`, body)
      return [answer.status, ...answer.body.ErrorMessages.toSorted()]
    }
    assert.deepEqual(await faults({}), [400, `${collection} is required.`])
    assert.deepEqual(await faults({ [collection]: null }), [400, `${collection} must be an array.`])
    assert.deepEqual(await faults(set([one, 1], [two, 1], [one.toUpperCase(), 2])), [
      400,
      `${collection}[2].${idName} must not be given a second time.`,
    ])
    assert.deepEqual(
      await faults({ [collection]: [{ [idName]: 'x', value: -1 }, { value: 1.00001 }, { value: '1' }, 7] }),
      [
        400,
        `${collection}[0].${idName} must be a uuid.`,
        `${collection}[0].value must be 0 or more.`,
        `${collection}[1].${idName} is required.`,
        `${collection}[1].value must have at most 4 decimal places.`,
        `${collection}[2].${idName} is required.`,
        `${collection}[2].value must be a number.`,
        `${collection}[3] must be an object.`,
      ],
    )
    for (const body of [{}, { value: null }, { value: 'x' }, { value: 100_000_000_000 }]) {
      assert.equal((await admin.post(`${path}/${collection}/${one}`, body)).status, 400, JSON.stringify(body))
      assert.equal((await admin.put(`${path}/${collection}/${one}`, body)).status, 400, JSON.stringify(body))
    }
  })
}

test('tasks of an import behave like any other tasks', async () => {
  const path = `/v1/consignments/${await imported({ tasks: [{ taskTypeCode: 'label', value: 2.5 }] })}`
  assert.deepEqual((await admin.get(`${path}/tasks`)).body, {
    tasks: [{ taskTypeId: types.label, name: 'Labelling', value: 2.5 }],
  })
  assert.equal((await admin.put(`${path}/tasks/${types.label}`, { value: 2.5 })).status, 304)
})
