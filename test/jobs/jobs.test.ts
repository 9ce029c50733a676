import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openJobs } from '../support/given-jobs.ts'

const { admin, stranger, as, clients, warehouses, newJob, move, consignments, addTo } = await openJobs()

const made = {
  draft: await newJob({ reference: 'Monday 100%' }),
  ready: await newJob({ priority: 4, clientId: clients[1] }),
  running: await newJob({ warehouseId: warehouses[1], style: 2, dueDateTime: '2026-07-01T10:00:00Z' }),
  complete: await newJob({ reference: 'monday evening' }),
  cancelled: await newJob({ description: 'Not needed' }),
}
await move(made.ready, 2)
await move(made.running, 3)
await move(made.complete, 2)
await move(made.complete, 4)
await move(made.cancelled, 5)

/** The names in `made` of the jobs that a query finds, the latest first. */
async function found(query: string, caller = admin): Promise<string[]> {
  const { status, body } = await caller.get(`/v1/jobs?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  const names = body.jobs.map(
    ({ jobId }: { jobId: string }) => Object.entries(made).find(([, id]) => id === jobId)?.[0],
  )
  assert.equal(body.total, names.length)
  return names
}

test('the list shows jobs with their warehouse, their client and the number of consignments that are not Void', async () => {
  const ids = await consignments({}, {}, {})
  await addTo(made.draft, ids)
  assert.equal((await admin.put(`/v1/consignments/${ids[0]}/void`, {})).status, 200)
  const { jobs } = (await admin.get('/v1/jobs?SearchText=WP-000001')).body
  assert.deepEqual(jobs, [
    {
      jobId: made.draft,
      jobNumber: 'WP-000001',
      type: 1,
      status: 1,
      priority: 2,
      wavePickStyle: 1,
      warehouseId: warehouses[0],
      warehouseCode: 'AKL',
      warehouseName: 'Auckland',
      clientId: clients[0],
      clientCode: 'KAURI',
      clientName: 'Kauri Foods',
      dueDateTime: null,
      reference: 'Monday 100%',
      description: null,
      consignmentCount: 2,
    },
  ])
})

test('every filter finds its jobs, alone and combined', async () => {
  const all = ['cancelled', 'complete', 'running', 'ready', 'draft']
  for (const [query, expected] of [
    ['', all],
    ['Status=1', ['draft']],
    ['Status=4', ['complete']],
    ['Status=-1', ['running', 'ready', 'draft']],
    ['Status=-2', ['cancelled', 'running', 'ready', 'draft']],
    ['Type=1', all],
    ['Type=2', []],
    ['Priority=4', ['ready']],
    [`ClientId=${clients[1]?.toUpperCase()}`, ['ready']],
    [`WarehouseId=${warehouses[1]}`, ['running']],
    [`WarehouseId=${warehouses[0]}&Status=-1`, ['ready', 'draft']],
    ['SearchText=MONDAY', ['complete', 'draft']],
    ['SearchText=0%25', ['draft']],
    ['SearchText=wp-000003&Priority=2', ['running']],
    ['SearchText=nothing', []],
  ] as const) {
    assert.deepEqual(await found(query), expected, query)
  }
  assert.equal((await admin.get('/v1/jobs?Status=-3&Type=3&Priority=1')).body.ErrorMessages.length, 3)
})

test('the pages list every job once', async () => {
  const seen: string[] = []
  for (let index = 1; index <= 3; index++) {
    const { body } = await admin.get(`/v1/jobs?PageSize=2&PageIndex=${index}`)
    assert.deepEqual([body.index, body.total], [index, 5])
    seen.push(...body.jobs.map(({ jobNumber }: { jobNumber: string }) => jobNumber))
  }
  assert.deepEqual(seen, ['WP-000005', 'WP-000004', 'WP-000003', 'WP-000002', 'WP-000001'])
})

test('another organisation and another client see none of the jobs, and the list needs job.read', async () => {
  assert.equal((await (await stranger()).get('/v1/jobs')).body.total, 0)
  assert.deepEqual(await found('', as(admin, { partnerId: clients[1] as string })), ['ready'])
  assert.equal((await as(admin, { scopes: ['consignment'] }).get('/v1/jobs')).status, 403)
})

test('with progress, a job tells how many of its lines are picked and short, and when it was begun', async () => {
  const { body } = await admin.get('/v1/jobs?Include=progress&Status=3')
  const [running] = body.jobs
  assert.deepEqual([running.lineCount, running.pickedCount, running.shortCount], [0, 0, 0])
  assert.ok(Math.abs(Date.parse(running.startedUtc) - Date.now()) < 600_000, running.startedUtc)
  const drafts = (await admin.get('/v1/jobs?Include=progress&Status=1')).body.jobs
  assert.deepEqual(
    drafts.map(({ startedUtc }: { startedUtc: string | null }) => startedUtc),
    [null],
  )
  assert.ok(!('lineCount' in (await admin.get('/v1/jobs')).body.jobs[0]))
})
