import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openJobs } from '../../support/given-jobs.ts'

const { admin, stranger, as, clients, carriers, place, newJob, path, move, events, consignments, addTo } =
  await openJobs()

test('a wave pick begins as a numbered Draft with defaults and emits an event', async () => {
  const jobId = await newJob()
  assert.deepEqual((await admin.get(path(jobId))).body, {
    jobId,
    jobNumber: 'WP-000001',
    ...place,
    type: 1,
    status: 1,
    priority: 2,
    wavePickStyle: 1,
    dueDateTime: null,
    reference: null,
    description: null,
    jobConsignments: [],
  })
  const [created, ...others] = await events(jobId)
  assert.deepEqual(others, [])
  assert.equal(created?.type, 301)
  assert.equal(created?.clientId, place.clientId, 'subscriptions filter by it')
  assert.deepEqual(created?.data, {
    organisationId: admin.actor.organisationId,
    jobId,
    jobNumber: 'WP-000001',
    ...place,
    status: 1,
  })
})

test('every field of a wave pick is stored, the due time as wall clock of the warehouse', async () => {
  const jobId = await newJob({
    style: 2,
    priority: 4,
    reference: 'Monday',
    description: 'First wave',
    dueDateTime: '2026-07-01T10:00:00+00:00',
    warehouseId: place.warehouseId.toUpperCase(),
  })
  const { body } = await admin.get(path(jobId))
  assert.deepEqual(
    [body.wavePickStyle, body.priority, body.reference, body.description, body.dueDateTime, body.warehouseId],
    [2, 4, 'Monday', 'First wave', '2026-07-01T22:00:00Z', place.warehouseId],
  )
})

test('no wave pick can be created for an inactive client', async () => {
  const body = { name: 'Asleep', code: 'ASLEEP', relationship: 1, status: 1 }
  const clientId = (await admin.post('/v1/partners', body)).body.partnerId
  const answer = await admin.post('/v1/jobs/wave-pick', { ...place, clientId })
  assert.deepEqual(
    [answer.status, answer.body.ErrorMessages],
    [400, ['clientId refers to an inactive client: activate it first.']],
  )
})

test('an unknown warehouse and an unknown client are reported together', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000'
  const { status, body } = await admin.post('/v1/jobs/wave-pick', {
    warehouseId: nobody,
    clientId: carriers[0],
  })
  assert.equal(status, 400)
  assert.deepEqual(body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: ['warehouseId does not refer to a warehouse.', 'clientId does not refer to a client.'],
  })
  const other = await stranger()
  assert.deepEqual((await other.post('/v1/jobs/wave-pick', place)).body.ErrorMessages, body.ErrorMessages)
  assert.deepEqual((await admin.post('/v1/jobs/wave-pick', { style: 3 })).body.ErrorMessages, [
    'warehouseId is required.',
    'clientId is required.',
    'style must be one of 1 (ParallelPicking), 2 (BulkPicking).',
  ])
})

test('job numbers have neither gaps nor duplicates under parallel creation, and each organisation has its own', async () => {
  const numberOf = async (jobId: string) => (await admin.get(path(jobId))).body.jobNumber as string
  const before = Number((await numberOf(await newJob())).slice(3))
  const refused = Array.from({ length: 5 }, () =>
    admin.post('/v1/jobs/wave-pick', { ...place, clientId: carriers[0] }),
  )
  const ids = await Promise.all(Array.from({ length: 30 }, () => newJob()))
  await Promise.all(refused)
  const numbers = (await Promise.all(ids.map(numberOf))).toSorted()
  assert.deepEqual(
    numbers,
    Array.from({ length: 30 }, (_, i) => `WP-${String(before + 1 + i).padStart(6, '0')}`),
  )
  assert.equal(await numberOf(await newJob()), `WP-${String(before + 31).padStart(6, '0')}`)
})

test('a change keeps absent fields and emits one event, and repeating it changes nothing', async () => {
  const jobId = await newJob({ reference: 'Monday', dueDateTime: '2026-07-01T10:00:00Z' })
  const change = {
    reference: 'Tuesday',
    description: null,
    priority: 2,
    style: 2,
    dueDateTime: '2026-07-01T10:30',
  }
  assert.equal((await admin.put(path(jobId), change)).status, 200)
  assert.equal((await admin.put(path(jobId), change)).status, 304)
  assert.equal((await admin.put(path(jobId), {})).status, 304)
  const { body } = await admin.get(path(jobId))
  assert.deepEqual(
    [body.reference, body.description, body.priority, body.wavePickStyle, body.dueDateTime],
    ['Tuesday', null, 2, 2, '2026-07-01T10:30:00Z'],
  )
  const updates = (await events(jobId)).filter(({ type }) => type === 302)
  assert.equal(updates.length, 1)
  assert.deepEqual(updates[0]?.changes, [
    { field: 'reference', from: 'Monday', to: 'Tuesday' },
    { field: 'wavePickStyle', from: 1, to: 2 },
    { field: 'dueDateTime', from: '2026-07-01T10:00:00Z', to: '2026-07-01T10:30:00Z' },
  ])
})

test('an open wave pick moves freely, each move emits the previous status, and ended ones stay ended', async () => {
  const jobId = await newJob()
  for (const [status, answer] of [
    [2, 200],
    [2, 304],
    [3, 200],
    [1, 200],
    [4, 400],
    [2, 200],
    [4, 200],
    [4, 304],
  ] as const) {
    assert.equal((await move(jobId, status)).status, answer)
  }
  const moves = (await events(jobId)).filter(({ type }) => type === 303)
  assert.deepEqual(
    moves.map(({ data }) => [data.previousStatus, data.status]),
    [
      [1, 2],
      [2, 3],
      [3, 1],
      [1, 2],
      [2, 4],
    ],
  )
  const back = await move(jobId, 1)
  assert.deepEqual(
    [back.status, back.body.ErrorMessages],
    [400, ['The job is Complete and cannot change any more: create another one.']],
  )
  const changed = await admin.put(path(jobId), { reference: 'Too late' })
  const { jobNumber } = (await admin.get(path(jobId))).body
  assert.deepEqual(
    [changed.status, changed.body.ErrorMessages],
    [400, [`Job ${jobNumber} is Complete and cannot change any more: create another one.`]],
  )
  assert.equal((await move(jobId, 6)).status, 400)
  assert.equal((await move(jobId, -1)).status, 400, 'Open is only a filter')
})

test('an export requested by hand emits an event, even for an ended wave pick', async () => {
  const jobId = await newJob()
  await move(jobId, 5)
  assert.equal((await admin.post(path(jobId, '/trigger-action'))).status, 200)
  const last = (await events(jobId)).at(-1)
  assert.deepEqual(
    [last?.type, last?.data.jobId, last?.data.status, last?.clientId],
    [304, jobId, 5, place.clientId],
  )
})

test('only one of several parallel moves to the same status changes it', async () => {
  const jobId = await newJob()
  const answers = await Promise.all(Array.from({ length: 8 }, () => move(jobId, 2)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(304)])
  assert.equal((await events(jobId)).filter(({ type }) => type === 303).length, 1)
})

test("a client's token sees its own wave picks and changes none; a carrier's sees none", async () => {
  const [own, others] = [await newJob(), await newJob({ clientId: clients[1] })]
  const [consignment] = await consignments({})
  await addTo(own, [consignment as string])
  const client = as(admin, { partnerId: place.clientId })
  assert.equal((await client.get(path(own))).body.jobConsignments.length, 1)
  assert.equal((await client.get(path(others))).status, 404)
  for (const answer of [
    await client.post('/v1/jobs/wave-pick', place),
    await client.put(path(own), { reference: 'Mine' }),
    await client.put(path(own, '/status'), { status: 2 }),
    await client.post(path(own, '/consignments/add'), { consignmentIds: [] }),
    await client.post(path(own, '/consignments/remove'), { consignmentIds: [consignment] }),
  ]) {
    assert.equal(answer.status, 403)
    assert.match(answer.body.ErrorMessages[0], /^A token that belongs to a client cannot /)
  }
  const carrier = as(admin, { partnerId: carriers[0] as string })
  assert.equal((await carrier.get(path(own))).status, 403)
  assert.equal((await carrier.get('/v1/jobs')).status, 403)
})
