// The life of a print job: who is given it, what becomes of it when a bridge falls silent, and what a person
// may do.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { expireJobs, forgetJobs } from '../../../src/paper/printer-bridges/expire-jobs.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { hint } from '../../../src/platform/work/hints.ts'
import {
  type Claimed,
  dock,
  givenBridge,
  office,
  openPrinters,
  pdf,
  zpl,
} from '../../support/given-printers.ts'
import { assertQuick, until } from '../../support/service-process.ts'

const { world, admin, database, clientId, warehouseId, bridge, ids, print, pass, job } = await openPrinters()

const sending = { phase: 3 }
const success = { phase: 4, result: 1 }
const refused = { phase: 2, result: 2, isRetryable: true, message: 'out of paper' }

/** Claims the one job that there is to claim. */
async function claimOne(): Promise<Claimed> {
  const [claimed, ...more] = await bridge.claim()
  assert.deepEqual(more, [])
  return claimed as Claimed
}

const cancelAll = () =>
  database.inOneStatement(tx =>
    tx.run(sql`update print_job set status = 5, finished_utc = now() where status < 3`),
  )
afterEach(async () => void (await cancelAll()))

test('a job is given out, its bytes are fetched, and it is printed', async () => {
  const printJobId = await print({
    name: 'Picking list X/1',
    copies: 2,
    orientation: 2,
    media: 'iso_a4_210x297mm',
  })
  assert.deepEqual((await job(printJobId)).status, 1)
  const claimed = await claimOne()
  assert.deepEqual(claimed, {
    printJobId,
    leaseNumber: 1,
    printerName: office.name,
    name: 'Picking list X/1',
    contentType: 'application/pdf',
    sha256: createHash('sha256').update(pdf).digest('base64'),
    copies: 2,
    orientation: 2,
    media: 'iso_a4_210x297mm',
  })
  const content = await bridge.caller.get(`${bridge.path}/jobs/${printJobId}/content`)
  assert.deepEqual(content.bytes, pdf)
  assert.match(String(content.headers['content-disposition']), /Picking list X-1\.pdf/)
  assert.deepEqual(await bridge.claim(), [])
  assert.equal(await bridge.progress(claimed, sending), 200)
  assert.deepEqual([(await job(printJobId)).status, (await job(printJobId)).phase], [2, 3])
  assert.equal(await bridge.progress(claimed, success), 200)
  const printed = await job(printJobId)
  assert.deepEqual([printed.status, printed.phase, printed.isInDoubt, printed.message], [3, 4, false, null])
  assert.deepEqual(
    printed.attempts.map(({ atUtc, ...rest }: { atUtc: string }) => rest),
    [{ printerName: office.name, result: 1, phase: 4, message: null }],
  )
  assert.ok(printed.finishedUtc)
})

test('what came of a job may be told again, and cannot be told otherwise', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  for (const said of [success, success]) assert.equal(await bridge.progress(claimed, said), 200)
  assert.equal(await bridge.progress(claimed, { phase: 3, result: 2 }), 409)
  assert.equal(await bridge.progress(claimed, sending), 409)
  assert.equal((await job(printJobId)).attempts.length, 1)
})

test('a job cannot succeed before all of it is sent', async () => {
  await print()
  const claimed = await claimOne()
  assert.equal(await bridge.progress(claimed, { phase: 3, result: 1 }), 400)
})

test('a printer gets one job at a time, the first that was asked for, and none overtakes another', async () => {
  const first = await print({ name: 'first' })
  const second = await print({ name: 'second' })
  const label = await print({
    name: 'label',
    printerId: ids.dock,
    contentType: 'application/zpl',
    content: zpl,
  })
  const claimed = await bridge.claim()
  assert.deepEqual(claimed.map(each => each.printJobId).toSorted(), [first, label].toSorted())
  const own = claimed.find(each => each.printJobId === first) as Claimed
  // Refused: the second still waits behind it.
  assert.equal(await bridge.progress(own, refused), 200)
  assert.deepEqual(await bridge.claim(), [])
  await pass(first, 'due_utc', '5 seconds')
  const again = await claimOne()
  assert.deepEqual([again.printJobId, again.leaseNumber], [first, 3])
  await bridge.progress(again, sending)
  await bridge.progress(again, success)
  assert.equal((await claimOne()).printJobId, second)
})

test('a refused job waits 5, 15 and 60 seconds, and is given up with the words of the printer', async () => {
  const printJobId = await print()
  for (const seconds of [5, 15, 60, 60]) {
    await bridge.progress(await claimOne(), refused)
    const { wait } = await database.db.row<{ wait: number }>(sql`
      select extract(epoch from due_utc - now()) as wait from print_job where id = ${printJobId}`)
    assert.ok(wait > seconds - 2 && wait <= seconds, `${wait}`)
    await pass(printJobId, 'due_utc', `${seconds} seconds`)
  }
  await pass(printJobId, 'expires_utc', '2 hours')
  assert.deepEqual(await bridge.claim(), [])
  assert.equal(await expireJobs(database), 1)
  const given = await job(printJobId)
  assert.deepEqual([given.status, given.message], [4, 'Given up, for the printer refused it: out of paper'])
  assert.equal(given.attempts.length, 4)
})

test('a job that nobody takes is given up when its time is over', async () => {
  const printJobId = await print()
  assert.equal(await expireJobs(database), 0)
  await pass(printJobId, 'expires_utc', '60 minutes')
  assert.equal(await expireJobs(database), 1)
  const { status, message, isInDoubt } = await job(printJobId)
  assert.deepEqual([status, isInDoubt], [4, false])
  assert.match(message, /^Given up, for no bridge took it until /)
})

test('a bridge that falls silent before it sends loses the job to the next; its late words are refused', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  assert.equal(await expireJobs(database), 0)
  await pass(printJobId, 'due_utc', '61 seconds')
  assert.equal(await expireJobs(database), 1)
  assert.deepEqual([(await job(printJobId)).status, (await job(printJobId)).phase], [1, 1])
  assert.equal(await bridge.progress(claimed, sending), 409)
  const again = await claimOne()
  assert.equal(again.leaseNumber, 3)
  for (const said of [sending, success, refused]) assert.equal(await bridge.progress(claimed, said), 409)
  assert.equal(await bridge.progress(again, sending), 200)
  assert.equal(await bridge.progress(again, success), 200)
})

test('each word on a job holds it for another minute', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  for (const phase of [2, 3, 4]) {
    await pass(printJobId, 'due_utc', '50 seconds')
    assert.equal(await bridge.progress(claimed, { phase }), 200)
  }
  await pass(printJobId, 'due_utc', '50 seconds')
  assert.equal(await expireJobs(database), 0)
  assert.equal(await bridge.progress(claimed, success), 200)
})

test('a bridge that falls silent while it sends leaves the job in doubt, and nobody sends it again', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  await pass(printJobId, 'due_utc', '61 seconds')
  assert.equal(await expireJobs(database), 1)
  const doubted = await job(printJobId)
  assert.deepEqual([doubted.status, doubted.isInDoubt, doubted.phase], [4, true, 3])
  assert.match(doubted.message, /Look, then retry\.$/)
  assert.equal(await expireJobs(database), 0)
  assert.deepEqual(await bridge.claim(), [])
  // It was still at it all the time.
  assert.equal(await bridge.progress(claimed, { phase: 4 }), 200)
  assert.deepEqual([(await job(printJobId)).status, (await job(printJobId)).isInDoubt], [4, true])
  assert.equal(await bridge.progress(claimed, success), 200)
  const printed = await job(printJobId)
  assert.deepEqual([printed.status, printed.isInDoubt, printed.message], [3, false, null])
})

test('a job in doubt that turns out not to have been sent waits again', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  await pass(printJobId, 'due_utc', '61 seconds')
  await expireJobs(database)
  assert.equal(await bridge.progress(claimed, refused), 200)
  const waiting = await job(printJobId)
  assert.deepEqual([waiting.status, waiting.isInDoubt, waiting.finishedUtc], [1, false, null])
})

test('a bridge that does not know what is on paper says so', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  assert.equal(await bridge.progress(claimed, { phase: 3, result: 2, isInDoubt: true, message: 'cut' }), 200)
  const { status, isInDoubt, message } = await job(printJobId)
  assert.deepEqual([status, isInDoubt, message], [4, true, 'cut'])
})

test('once a person has retried a job in doubt, what its bridge says late of the first time is refused', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  await pass(printJobId, 'due_utc', '61 seconds')
  await expireJobs(database)
  assert.equal((await admin.put(`/v1/print-jobs/${printJobId}/retry`)).status, 200)
  assert.equal(await bridge.progress(claimed, success), 409)
  assert.equal((await job(printJobId)).status, 1)
})

test('only the app of a bridge speaks for it: to others, and to those of other bridges, it is not there', async () => {
  const other = await givenBridge(world, warehouseId, [], 'Other PC')
  await print()
  const claimed = await claimOne()
  const elsewhere = `${bridge.path}/jobs/${claimed.printJobId}`
  for (const stranger of [admin, other.caller, world.as(admin, { scopes: ['print'] })]) {
    assert.equal((await stranger.post(`${bridge.path}/claim`, {})).status, 404)
    assert.equal((await stranger.put(`${bridge.path}/printers`, { printers: [] })).status, 404)
    assert.equal((await stranger.get(`${elsewhere}/content`)).status, 404)
    const said = { leaseNumber: claimed.leaseNumber, ...success }
    assert.equal((await stranger.put(`${elsewhere}/progress`, said)).status, 404)
  }
  // Nor does it reach the job by its own path.
  assert.equal((await other.caller.get(`${other.path}/jobs/${claimed.printJobId}/content`)).status, 404)
  assert.equal((await other.caller.get(`/v1/print-jobs/${claimed.printJobId}`)).status, 404)
  assert.equal((await other.caller.get('/v1/print-jobs')).body.total, 0)
  assert.ok((await bridge.caller.get('/v1/print-jobs')).body.total > 0)
  assert.deepEqual(await other.claim([{ name: office.name, isReachable: true }]), [])
})

test('a bridge that waits gets a job the moment it is there, and holds no connection meanwhile', async () => {
  const waits = async () => {
    const before = database.stats()
    const claimed = bridge.claim(undefined, { waitSeconds: 25 })
    const seen = await database.db.row<{ at: string }>(sql`select now() as at`)
    await until(async () => {
      const { body } = await admin.get(bridge.path)
      return body.lastSeenUtc >= seen.at
    }, 'The claim did not begin.')
    assert.ok(database.stats().busy <= before.busy)
    return { claimed }
  }
  // Sooner than it looks again by itself: it hears of the job.
  await assertQuick(
    1_500,
    async ({ claimed }) => {
      const printJobId = await print()
      assert.equal((await claimed)[0]?.printJobId, printJobId)
    },
    waits,
  )
})

test('of claims at the same moment one gets the job', async () => {
  for (let round = 0; round < 5; round++) {
    await print()
    await print({ printerId: ids.dock, contentType: 'application/zpl', content: zpl })
    const all = await Promise.all(Array.from({ length: 6 }, () => bridge.claim()))
    assert.equal(all.flat().length, 2)
    await cancelAll()
  }
})

test('a claim whose caller has left gives back what it was given', async () => {
  const base = await world.app.listen({ port: 0, host: '127.0.0.1' })
  const left = new AbortController()
  const request = fetch(`${base}${bridge.path}/claim`, {
    method: 'POST',
    headers: { authorization: bridge.caller.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ waitSeconds: 25 }),
    signal: left.signal,
  }).catch(() => {})
  const seen = await database.db.row<{ at: string }>(sql`select now() as at`)
  await until(
    async () => (await admin.get(bridge.path)).body.lastSeenUtc >= seen.at,
    'The claim did not begin.',
  )
  left.abort()
  await request
  const printJobId = await print()
  hint('print-job')
  const claimed = await until(async () => (await bridge.claim())[0], 'The job was lost with the claim.')
  assert.equal(claimed.printJobId, printJobId)
})

test('a job is cancelled before it is sent, and its bridge lets go of it', async () => {
  const waiting = await print()
  assert.equal((await admin.put(`/v1/print-jobs/${waiting}/cancel`)).status, 200)
  assert.equal((await admin.put(`/v1/print-jobs/${waiting}/cancel`)).status, 304)
  assert.deepEqual(await bridge.claim(), [])

  await print()
  const claimed = await claimOne()
  assert.equal((await admin.put(`/v1/print-jobs/${claimed.printJobId}/cancel`)).status, 200)
  assert.equal(await bridge.progress(claimed, sending), 409)
  assert.equal((await bridge.caller.get(`${bridge.path}/jobs/${claimed.printJobId}/content`)).status, 404)

  await print()
  const late = await claimOne()
  await bridge.progress(late, sending)
  const refusal = await admin.put(`/v1/print-jobs/${late.printJobId}/cancel`)
  assert.deepEqual(
    [refusal.status, refusal.body.ErrorMessages],
    [400, ['The job is being sent to its printer and cannot be cancelled any more.']],
  )
  await bridge.progress(late, success)
  assert.equal((await admin.put(`/v1/print-jobs/${late.printJobId}/cancel`)).status, 400)
})

test('a cancelled job is retried with the same bytes; what waits is left, and what is printed refused', async () => {
  const printJobId = await print({ content: Buffer.from('%PDF the same') })
  const retry = (body?: object) => admin.put(`/v1/print-jobs/${printJobId}/retry`, body)
  assert.equal((await retry()).status, 304)
  await admin.put(`/v1/print-jobs/${printJobId}/cancel`)
  assert.equal((await retry()).status, 200)
  const claimed = await claimOne()
  const { bytes } = await bridge.caller.get(`${bridge.path}/jobs/${printJobId}/content`)
  assert.equal(bytes.toString(), '%PDF the same')
  assert.equal((await retry()).status, 304)
  await bridge.progress(claimed, sending)
  await bridge.progress(claimed, success)
  assert.equal((await retry()).status, 400)
})

test('a job is retried on another printer that takes the same, and on no other', async () => {
  const second = await givenBridge(world, warehouseId, [{ ...office, name: 'Upstairs A4' }], 'Upstairs')
  await second.claim()
  const options = (await admin.get('/v1/printer-bridges/printer/options?SearchText=upstairs')).body.printers
  const printJobId = await print()
  await admin.put(`/v1/print-jobs/${printJobId}/cancel`)
  const retry = (printerId: string) => admin.put(`/v1/print-jobs/${printJobId}/retry`, { printerId })
  assert.deepEqual((await retry(ids.dock)).body.ErrorMessages, [
    'printerId names the printer Dock labels, which prints labels, not documents.',
  ])
  assert.equal((await retry(options[0].id)).status, 200)
  assert.deepEqual(await bridge.claim(), [])
  assert.equal((await second.claim())[0]?.printJobId, printJobId)
  assert.equal((await job(printJobId)).printerName, 'Upstairs A4')
})

test('bytes are kept for 7 days after the end and jobs for 90, and those that wait for as long as they wait', async () => {
  const old = await print()
  await admin.put(`/v1/print-jobs/${old}/cancel`)
  await forgetJobs(database)
  assert.deepEqual((await admin.get(`/v1/print-jobs/${old}/content`)).bytes, pdf)
  await pass(old, 'finished_utc', '7 days')
  assert.equal(await forgetJobs(database), 1)
  assert.equal((await job(old)).isContentKept, false)
  assert.equal((await admin.get(`/v1/print-jobs/${old}/content`)).status, 400)
  assert.equal((await admin.put(`/v1/print-jobs/${old}/retry`)).status, 400)
  await pass(old, 'finished_utc', '83 days')
  assert.equal(await forgetJobs(database), 1)
  assert.equal((await admin.get(`/v1/print-jobs/${old}`)).status, 404)
})

test('people of a client see, cancel and retry what is theirs; nobody else of a partner sees anything', async () => {
  const person = world.as(admin, { partnerId: clientId })
  const foreign = await print({ name: 'Of the house' })
  const own = await print({ name: 'Of the client', partnerId: clientId })
  const { printJobs } = (await person.get('/v1/print-jobs')).body
  assert.deepEqual(
    printJobs.map((each: { name: string }) => each.name),
    ['Of the client'],
  )
  assert.equal((await person.get(`/v1/print-jobs/${own}/content`)).status, 200)
  for (const path of ['', '/content'])
    assert.equal((await person.get(`/v1/print-jobs/${foreign}${path}`)).status, 404)
  for (const verb of ['cancel', 'retry'])
    assert.equal((await person.put(`/v1/print-jobs/${foreign}/${verb}`)).status, 404)
  assert.equal((await person.put(`/v1/print-jobs/${own}/cancel`)).status, 200)
  assert.equal((await person.put(`/v1/print-jobs/${own}/retry`)).status, 200)
})

test('the list of jobs is narrowed by printer, warehouse, status and text, the newest first', async () => {
  const [a, b] = [
    await print({ name: 'Alpha 4711' }),
    await print({ name: 'Beta 4711', printerId: ids.dock }),
  ]
  const listed = async (query: string) =>
    (await admin.get(`/v1/print-jobs?SearchText=4711${query}`)).body.printJobs.map(
      (each: { id: string }) => each.id,
    )
  assert.deepEqual(await listed(''), [b, a])
  assert.deepEqual(await listed(`&PrinterId=${ids.office}`), [a])
  assert.deepEqual(await listed(`&WarehouseId=${warehouseId}&Status=1`), [b, a])
  assert.deepEqual(await listed('&Status=3'), [])
})

test('an inactive bridge takes no work, and may still tell what came of what it has', async () => {
  await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  assert.equal((await admin.put(bridge.path, { status: 2 })).status, 200)
  const claim = await bridge.caller.post(`${bridge.path}/claim`, {})
  assert.deepEqual([claim.status, claim.body.ErrorMessages], [400, ['The printer bridge is inactive.']])
  assert.equal(await bridge.progress(claimed, success), 200)
  assert.equal((await admin.put(bridge.path, { status: 1 })).status, 200)
  await bridge.claim([office, dock].map(({ name }) => ({ name, isReachable: true })))
})
