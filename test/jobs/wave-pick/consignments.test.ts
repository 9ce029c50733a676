import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { openJobs } from '../../support/given-jobs.ts'
import { untilServed } from '../../support/until-served.ts'

const jobs = await openJobs()
const {
  admin,
  database,
  stranger,
  place,
  newJob,
  consignments,
  path,
  addTo,
  removeFrom,
  move,
  members,
  events,
} = jobs

const numberOf = async (id: string) =>
  (await admin.get(`/v1/consignments/${id}`)).body.consignmentNumber as string

test('consignments are added in the given order, listed as summaries, and show the job in their detail', async () => {
  const jobId = await newJob({ reference: 'Monday', priority: 3, dueDateTime: '2026-07-01T10:00:00Z' })
  const [a, b, c] = (await consignments({ text: 'first' }, { text: 'second' }, { text: 'third' })) as [
    string,
    string,
    string,
  ]
  const first = await addTo(jobId, [b, a, b.toUpperCase()])
  assert.deepEqual([first.status, first.bytes.length], [200, 0])
  assert.equal((await addTo(jobId, [c])).status, 200)
  assert.deepEqual(await members(jobId), [b, a, c])
  const { consignments: listed } = (await admin.get(path(jobId, '/consignments'))).body
  assert.deepEqual((await admin.get(path(jobId))).body.jobConsignments, listed)
  assert.deepEqual(
    listed,
    (
      await admin.get(
        `/v1/consignments?ConsignmentNumbers=${(await Promise.all([b, a, c].map(numberOf))).join()}`,
      )
    ).body.consignments.toSorted(
      (x: { id: string }, y: { id: string }) => [b, a, c].indexOf(x.id) - [b, a, c].indexOf(y.id),
    ),
  )
  assert.deepEqual((await admin.get(`/v1/consignments/${a}`)).body.jobs, [
    {
      jobId,
      jobNumber: (await admin.get(path(jobId))).body.jobNumber,
      reference: 'Monday',
      status: 1,
      priority: 3,
      type: 1,
      wavePickStyle: 1,
      position: 2,
      dueDateTime: '2026-07-01T10:00:00Z',
    },
  ])
  const updates = (await events(jobId)).filter(({ type }) => type === 302)
  assert.deepEqual(
    updates.map(({ changes }) => changes),
    [
      [{ field: 'consignments', from: [], to: [await numberOf(b), await numberOf(a)] }],
      [{ field: 'consignments', from: [], to: [await numberOf(c)] }],
    ],
  )
})

test('the reason why a job cannot take it is reported for each consignment, and then none is added', async () => {
  const other = await newJob()
  const [taken] = (await consignments({})) as [string]
  await addTo(other, [taken])
  const otherNumber = (await admin.get(path(other))).body.jobNumber
  const jobId = await newJob()
  const [mine] = (await consignments({})) as [string]
  await addTo(jobId, [mine])
  const foreign = await (async () => {
    const caller = await stranger()
    return (await caller.post('/v1/partners', { name: 'Theirs', code: 'THRS', relationship: 1 })).body
      .partnerId as string
  })()
  const bad = await consignments(
    { client: 1 },
    { warehouse: 1 },
    { type: 1 },
    { type: 0, warehouse: null },
    { status: -2 },
    { status: 6 },
    { status: 7 },
    { status: 0 },
    { client: 1, status: -2 },
  )
  const [good] = (await consignments({})) as [string]
  const ids = [good, foreign, ...bad, taken, mine]
  const { status, body } = await addTo(jobId, ids)
  assert.equal(status, 400)
  assert.equal(body.ErrorType, 'Verification Failed')
  const names = await Promise.all([...bad, taken, mine].map(numberOf))
  assert.deepEqual(body.ErrorMessages, [
    `Consignment ${foreign} does not exist.`,
    `Consignment ${names[0]} belongs to another client: add it to a job of that client.`,
    `Consignment ${names[1]} leaves from another warehouse: add it to a job of that warehouse.`,
    `Consignment ${names[2]} is not Outwards: only Outwards consignments are picked.`,
    `Consignment ${names[3]} is not Outwards: only Outwards consignments are picked.`,
    `Consignment ${names[4]} is Void: nothing of it is left to pick.`,
    `Consignment ${names[5]} is Closed: nothing of it is left to pick.`,
    `Consignment ${names[6]} is In transit: nothing of it is left to pick.`,
    `Consignment ${names[7]} is Complete: nothing of it is left to pick.`,
    `Consignment ${names[8]} belongs to another client: add it to a job of that client.`,
    `Consignment ${names[9]} is in job ${otherNumber} already: remove it from that job first.`,
    `Consignment ${names[10]} is in this job already: leave it out.`,
  ])
  assert.deepEqual(await members(jobId), [mine])
})

test('removed consignments are free for other jobs; removing one that is not in the job is refused', async () => {
  const [jobId, next] = [await newJob(), await newJob()]
  const [a, b, c] = (await consignments({}, {}, {})) as [string, string, string]
  await addTo(jobId, [a, b])
  const nobody = '00000000-0000-7000-8000-000000000000'
  const refused = await removeFrom(jobId, [a, c, nobody])
  const { jobNumber } = (await admin.get(path(jobId))).body
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [
      400,
      [
        `Consignment ${await numberOf(c)} is not in job ${jobNumber}: leave it out.`,
        `Consignment ${nobody} does not exist.`,
      ],
    ],
  )
  assert.deepEqual(await members(jobId), [a, b])
  assert.equal((await removeFrom(jobId, [a])).status, 200)
  assert.equal((await addTo(next, [a])).status, 200)
  assert.equal((await addTo(jobId, [c])).status, 200)
  assert.deepEqual(await members(jobId), [b, c])
  assert.deepEqual((await events(jobId)).at(-2)?.changes, [
    { field: 'consignments', from: [await numberOf(a)], to: [] },
  ])
})

test('adding or removing no consignments changes nothing and emits no event', async () => {
  const jobId = await newJob()
  assert.equal((await addTo(jobId, [])).status, 200)
  assert.equal((await removeFrom(jobId, [])).status, 200)
  assert.equal((await events(jobId)).length, 1)
})

test('an ended job accepts no changes to its consignments, and frees them for other jobs', async () => {
  for (const status of [4, 5]) {
    const [jobId, next] = [await newJob(), await newJob()]
    const [a, b] = (await consignments({}, {})) as [string, string]
    await addTo(jobId, [a])
    await move(jobId, 3)
    await move(jobId, status)
    const ending = `is ${status === 4 ? 'Complete' : 'Cancelled'} and cannot change any more: create another one.`
    for (const answer of [await addTo(jobId, [b]), await removeFrom(jobId, [a])]) {
      assert.equal(answer.status, 400)
      assert.ok(answer.body.ErrorMessages[0].endsWith(ending))
    }
    assert.equal((await addTo(next, [a])).status, 200)
    assert.deepEqual(await members(jobId), [a], 'the ended job still lists its consignments')
    assert.equal((await admin.get(`/v1/consignments/${a}`)).body.jobs.length, 2)
  }
})

test('adding a voided member again reports only one fault', async () => {
  const jobId = await newJob()
  const [id] = (await consignments({})) as [string]
  await addTo(jobId, [id])
  await admin.put(`/v1/consignments/${id}/void`)
  assert.deepEqual((await addTo(jobId, [id])).body.ErrorMessages, [
    `Consignment ${await numberOf(id)} is Void: nothing of it is left to pick.`,
  ])
})

test('a voided consignment leaves the picking of its job with an event, and stays listed with IncludeVoid', async () => {
  const jobId = await newJob()
  const [a, b] = (await consignments({}, {})) as [string, string]
  await addTo(jobId, [a, b])
  assert.equal((await admin.put(`/v1/consignments/${a}/void`, {})).status, 200)
  assert.deepEqual(await members(jobId), [b])
  assert.deepEqual(await members(jobId, '?IncludeVoid=false'), [b])
  assert.deepEqual(await members(jobId, '?includevoid=true'), [a, b])
  const lastEvent = (await events(jobId)).at(-1)
  assert.deepEqual(
    [lastEvent?.type, lastEvent?.changes],
    [302, [{ field: 'consignments', from: [await numberOf(a)], to: [] }]],
  )
  const { isPicking } = await database.db.row<{ isPicking: boolean }>(
    sql`select is_picking from job_consignment where job_id = ${jobId} and consignment_id = ${a}`,
  )
  assert.equal(isPicking, false)
  assert.equal((await removeFrom(jobId, [a])).status, 200)
  assert.deepEqual(await members(jobId, '?IncludeVoid=true'), [b])
})

test('20 parallel requests to add the same consignments to two jobs leave them in exactly one', async () => {
  for (let round = 0; round < 5; round++) {
    const [first, second] = [await newJob(), await newJob()]
    const ids = (await consignments({}, {}, {})) as [string, string, string]
    // In both orders, so that two requests lock the same rows in opposite orders.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        untilServed(() => addTo(i % 2 === 0 ? first : second, i % 4 < 2 ? ids : ids.toReversed())),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(19).fill(400)])
    const [inFirst, inSecond] = [await members(first), await members(second)]
    assert.deepEqual([inFirst.length, inSecond.length].toSorted(), [0, 3])
  }
})

test('parallel additions to one job lose none and give each its own position', async () => {
  const jobId = await newJob()
  const ids = await consignments(...Array.from({ length: 40 }, () => ({})))
  const answers = await Promise.all(ids.map(id => untilServed(() => addTo(jobId, [id]))))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.deepEqual((await members(jobId)).toSorted(), ids.toSorted())
  const rows = await database.db.rows<{ position: number }>(
    sql`select position from job_consignment where job_id = ${jobId} order by 1`,
  )
  assert.deepEqual(
    rows.map(({ position }) => position),
    ids.map((_, i) => i + 1),
  )
})

test('voiding, moving and adding at once neither lock each other out nor leave a Void consignment picked', async () => {
  const jobId = await newJob()
  const ids = await consignments(...Array.from({ length: 40 }, () => ({})))
  await addTo(jobId, ids.slice(0, 10))
  const requests = [
    ...ids.flatMap(id => [() => admin.put(`/v1/consignments/${id}/void`, {}), () => addTo(jobId, [id])]),
    ...[2, 3, 1, 2].map(status => () => move(jobId, status)),
    ...ids.map(id => () => removeFrom(jobId, [id])),
  ]
  const answers = await Promise.all(requests.map(untilServed))
  for (const { status } of answers) assert.ok([200, 304, 400].includes(status), String(status))
  const picked = await database.db.rows(sql`
    select from job_consignment m join consignment c on c.id = m.consignment_id where m.job_id = ${jobId}
      and m.is_picking and c.status = -2`)
  assert.equal(picked.length, 0)
  assert.deepEqual(await members(jobId), [])
})

test('a request takes at most 1,000 consignments', async () => {
  const jobId = await newJob()
  const ids = await consignments(...Array.from({ length: 1_000 }, () => ({})))
  assert.equal((await addTo(jobId, ids)).status, 200)
  assert.deepEqual(await members(jobId), ids)
  const more = await addTo(jobId, [...ids, place.clientId])
  assert.deepEqual(
    [more.status, more.body.ErrorMessages],
    [400, ['consignmentIds must have at most 1,000 entries.']],
  )
  assert.equal((await removeFrom(jobId, ids)).status, 200)
  assert.deepEqual(await members(jobId), [])
})

test('an unknown job gives 404, whatever the consignments', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000'
  assert.equal((await addTo(nobody, [nobody])).status, 404)
  assert.equal((await removeFrom(nobody, [])).status, 404)
  assert.equal((await admin.get(path(nobody, '/consignments'))).status, 404)
  const theirs = await stranger()
  assert.equal(
    (await theirs.post(path(await newJob(), '/consignments/add'), { consignmentIds: [] })).status,
    404,
  )
})
