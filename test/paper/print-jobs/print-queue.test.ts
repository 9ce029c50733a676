// The life cycle of a print job: claims, leases that expire, retries, and what users may do with it.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { deleteOldJobs, expireJobs } from '../../../src/paper/print-jobs/expire-jobs.ts'
import { printJobHint } from '../../../src/paper/print-jobs/submit.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { hint, onHint } from '../../../src/platform/work/hints.ts'
import {
  type ClaimedJob,
  dock,
  givenBridge,
  office,
  openPrinters,
  pdf,
  zpl,
} from '../../support/given-printers.ts'
import { assertQuick, until } from '../../support/service-process.ts'

const { world, admin, database, clientId, warehouseId, bridge, ids, print, pass, job } = await openPrinters()

/** The address of the service, for requests that are cut off. */
const listening = world.app.listen({ port: 0, host: '127.0.0.1' })

const sending = { phase: 3 }
const success = { phase: 4, result: 1 }
const refusal = { phase: 2, result: 2, isRetryable: true, message: 'out of paper' }

/** Claims the only job that can be claimed. */
async function claimOne(): Promise<ClaimedJob> {
  const [claimed, ...more] = await bridge.claim()
  assert.deepEqual(more, [])
  return claimed as ClaimedJob
}

const cancelAll = () =>
  database.inOneStatement(tx =>
    tx.run(sql`update print_job set status = 5, finished_utc = now() where status < 3`),
  )
afterEach(async () => void (await cancelAll()))

test('a job is claimed, its bytes are downloaded, and it is printed', async () => {
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

test('a result may be reported again, and another result is refused', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  for (const report of [success, success]) assert.equal(await bridge.progress(claimed, report), 200)
  assert.equal(await bridge.progress(claimed, { phase: 3, result: 2 }), 409)
  assert.equal(await bridge.progress(claimed, sending), 409)
  assert.equal((await job(printJobId)).attempts.length, 1)
})

test('a job cannot succeed before all of it is sent', async () => {
  await print()
  const claimed = await claimOne()
  assert.equal(await bridge.progress(claimed, { phase: 3, result: 1 }), 400)
})

test('a printer gets one job at a time, the oldest first, and no job overtakes another', async () => {
  const first = await print({ name: 'first' })
  const second = await print({ name: 'second' })
  const label = await print({
    name: 'label',
    printerId: ids.dock,
    contentType: 'application/zpl',
    content: zpl,
  })
  const claimed = await bridge.claim()
  assert.deepEqual(claimed.map(({ printJobId }) => printJobId).toSorted(), [first, label].toSorted())
  const claimedFirst = claimed.find(({ printJobId }) => printJobId === first) as ClaimedJob
  // After the refusal, the second job still waits behind the first.
  assert.equal(await bridge.progress(claimedFirst, refusal), 200)
  assert.deepEqual(await bridge.claim(), [])
  await pass(first, 'due_utc', '5 seconds')
  const again = await claimOne()
  assert.deepEqual([again.printJobId, again.leaseNumber], [first, 3])
  await bridge.progress(again, sending)
  await bridge.progress(again, success)
  assert.equal((await claimOne()).printJobId, second)
})

test('a refused job is retried after 5, 15 and 60 seconds, then given up with the reason of the printer', async () => {
  const printJobId = await print()
  for (const seconds of [5, 15, 60, 60]) {
    await bridge.progress(await claimOne(), refusal)
    const { wait } = await database.db.row<{ wait: number }>(sql`
      select extract(epoch from due_utc - now()) as wait from print_job where id = ${printJobId}`)
    assert.ok(wait > seconds - 2 && wait <= seconds, `${wait}`)
    await pass(printJobId, 'due_utc', `${seconds} seconds`)
  }
  await pass(printJobId, 'expires_utc', '2 hours')
  assert.deepEqual(await bridge.claim(), [])
  assert.equal(await expireJobs(database), 1)
  const failed = await job(printJobId)
  assert.deepEqual(
    [failed.status, failed.message],
    [4, 'Given up because the printer refused it: out of paper'],
  )
  assert.equal(failed.attempts.length, 4)
})

test('of very many refusals of a job, the first and the latest ninety-nine are kept', async () => {
  const printJobId = await print()
  const messages = Array.from({ length: 103 }, (_, n) => `refusal ${n}`)
  for (const message of messages) {
    assert.equal(await bridge.progress(await claimOne(), { ...refusal, message }), 200)
    await pass(printJobId, 'due_utc', '60 seconds')
  }
  const { attempts } = await job(printJobId)
  assert.deepEqual(
    attempts.map(({ message }: { message: string }) => message),
    [messages[0], ...messages.slice(-99)],
  )
})

test('a job that no bridge claims in time is given up', async () => {
  const printJobId = await print()
  assert.equal(await expireJobs(database), 0)
  await pass(printJobId, 'expires_utc', '60 minutes')
  assert.equal(await expireJobs(database), 1)
  const { status, message, isInDoubt } = await job(printJobId)
  assert.deepEqual([status, isInDoubt], [4, false])
  assert.match(message, /^Given up because no bridge took it until /)
})

test('a bridge that falls silent before it sends loses the job, and its late reports are refused', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  assert.equal(await expireJobs(database), 0)
  await pass(printJobId, 'due_utc', '61 seconds')
  assert.equal(await expireJobs(database), 1)
  assert.deepEqual([(await job(printJobId)).status, (await job(printJobId)).phase], [1, 1])
  assert.equal(await bridge.progress(claimed, sending), 409)
  const again = await claimOne()
  assert.equal(again.leaseNumber, 3)
  for (const report of [sending, success, refusal]) assert.equal(await bridge.progress(claimed, report), 409)
  assert.equal(await bridge.progress(again, sending), 200)
  assert.equal(await bridge.progress(again, success), 200)
})

test('each progress report renews the lease for another minute', async () => {
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

test('a bridge that falls silent while it sends leaves the job in doubt, and it is not sent again', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  await pass(printJobId, 'due_utc', '61 seconds')
  assert.equal(await expireJobs(database), 1)
  const inDoubt = await job(printJobId)
  assert.deepEqual([inDoubt.status, inDoubt.isInDoubt, inDoubt.phase], [4, true, 3])
  assert.match(inDoubt.message, /Check the printer, then retry\.$/)
  const inDoubtOrNot = async (isInDoubt: boolean) => {
    const { printJobs } = (await admin.get(`/v1/print-jobs?IsInDoubt=${isInDoubt}`)).body
    return printJobs.some(({ id }: { id: string }) => id === printJobId)
  }
  assert.deepEqual([await inDoubtOrNot(true), await inDoubtOrNot(false)], [true, false])
  assert.equal(await expireJobs(database), 0)
  assert.deepEqual(await bridge.claim(), [])
  // The bridge was still sending all along.
  assert.equal(await bridge.progress(claimed, { phase: 4 }), 200)
  assert.deepEqual([(await job(printJobId)).status, (await job(printJobId)).isInDoubt], [4, true])
  assert.equal(await bridge.progress(claimed, success), 200)
  const printed = await job(printJobId)
  assert.deepEqual([printed.status, printed.isInDoubt, printed.message], [3, false, null])
})

test('a job in doubt that turns out not to have been sent goes back to the queue', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  await pass(printJobId, 'due_utc', '61 seconds')
  await expireJobs(database)
  assert.equal(await bridge.progress(claimed, refusal), 200)
  const waiting = await job(printJobId)
  assert.deepEqual([waiting.status, waiting.isInDoubt, waiting.finishedUtc], [1, false, null])
})

test('a bridge that does not know what is on paper reports the job in doubt', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  assert.equal(await bridge.progress(claimed, { phase: 3, result: 2, isInDoubt: true, message: 'cut' }), 200)
  const { status, isInDoubt, message } = await job(printJobId)
  assert.deepEqual([status, isInDoubt, message], [4, true, 'cut'])
})

test('once a user has retried a job in doubt, late reports on the first attempt are refused', async () => {
  const printJobId = await print()
  const claimed = await claimOne()
  await bridge.progress(claimed, sending)
  await pass(printJobId, 'due_utc', '61 seconds')
  await expireJobs(database)
  assert.equal((await admin.put(`/v1/print-jobs/${printJobId}/retry`)).status, 200)
  assert.equal(await bridge.progress(claimed, success), 409)
  assert.equal((await job(printJobId)).status, 1)
})

test('only the app of a bridge may act for it; any other app, even of another bridge, gets 404', async () => {
  const other = await givenBridge(world, warehouseId, [], 'Other PC')
  await print()
  const claimed = await claimOne()
  const jobPath = `${bridge.path}/jobs/${claimed.printJobId}`
  for (const stranger of [admin, other.caller, world.as(admin, { scopes: ['print'] })]) {
    assert.equal((await stranger.post(`${bridge.path}/claim`, {})).status, 404)
    assert.equal((await stranger.put(`${bridge.path}/printers`, { printers: [] })).status, 404)
    assert.equal((await stranger.get(`${jobPath}/content`)).status, 404)
    const report = { leaseNumber: claimed.leaseNumber, ...success }
    assert.equal((await stranger.put(`${jobPath}/progress`, report)).status, 404)
  }
  // The other bridge cannot reach the job by its own path either.
  assert.equal((await other.caller.get(`${other.path}/jobs/${claimed.printJobId}/content`)).status, 404)
  assert.equal((await other.caller.get(`/v1/print-jobs/${claimed.printJobId}`)).status, 404)
  assert.equal((await other.caller.get('/v1/print-jobs')).body.total, 0)
  assert.ok((await bridge.caller.get('/v1/print-jobs')).body.total > 0)
  assert.deepEqual(await other.claim([{ name: office.name, isReachable: true }]), [])
})

test('a waiting bridge gets a job at once, and holds no database connection while it waits', async () => {
  const startClaim = async () => {
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
  // Sooner than the next poll, because a hint wakes the claim.
  await assertQuick(
    1_500,
    async ({ claimed }) => {
      const printJobId = await print()
      assert.equal((await claimed)[0]?.printJobId, printJobId)
    },
    startClaim,
  )
})

test('a print wakes only the bridge of its printer', async () => {
  const other = await givenBridge(world, warehouseId, [{ ...office, name: 'Attic A4' }], 'Attic PC')
  const woken: string[] = []
  const stops = [bridge, other].map(({ printerBridgeId }) =>
    onHint(printJobHint(printerBridgeId), () => void woken.push(printerBridgeId)),
  )
  const printJobId = await print()
  assert.deepEqual(woken, [bridge.printerBridgeId])
  await admin.put(`/v1/print-jobs/${printJobId}/cancel`)
  await admin.put(`/v1/print-jobs/${printJobId}/retry`)
  await pass(printJobId, 'expires_utc', '2 hours')
  await expireJobs(database)
  assert.deepEqual(woken, Array(4).fill(bridge.printerBridgeId))
  for (const stop of stops) stop()
})

test('a third claim of a bridge does not wait beside two that do', async () => {
  const ended = new AbortController()
  const base = await listening
  const claim = (waitSeconds: number, signal?: AbortSignal) =>
    fetch(`${base}${bridge.path}/claim`, {
      method: 'POST',
      headers: { authorization: bridge.caller.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ waitSeconds }),
      ...(signal === undefined ? {} : { signal }),
    })
  // The claim that asks below may come before the second of these.
  const wait = () => until(async () => (await claim(25, ended.signal)).status !== 429, 'A claim is refused.')
  const waiting = [wait(), wait()].map(claimed => claimed.catch(() => {}))
  const refused = await until(async () => {
    const response = await claim(1)
    return response.status === 429 ? response : undefined
  }, 'A third claim may wait.')
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.deepEqual(((await refused.json()) as { ErrorMessages: string[] }).ErrorMessages, [
    'At most 2 claims of a printer bridge wait at a time.',
  ])
  // One that does not wait is not refused.
  assert.equal((await claim(0)).status, 200)
  ended.abort()
  await Promise.all(waiting)
  await until(async () => (await claim(1)).status === 200, 'A claim is counted although its client has left.')
})

test('of several claims at the same moment, one gets the job', async () => {
  for (let round = 0; round < 5; round++) {
    await print()
    await print({ printerId: ids.dock, contentType: 'application/zpl', content: zpl })
    const all = await Promise.all(Array.from({ length: 6 }, () => bridge.claim()))
    assert.equal(all.flat().length, 2)
    await cancelAll()
  }
})

test('a claim whose client has disconnected returns its jobs to the queue', async () => {
  const base = await listening
  const disconnect = new AbortController()
  const request = fetch(`${base}${bridge.path}/claim`, {
    method: 'POST',
    headers: { authorization: bridge.caller.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ waitSeconds: 25 }),
    signal: disconnect.signal,
  }).catch(() => {})
  const seen = await database.db.row<{ at: string }>(sql`select now() as at`)
  await until(
    async () => (await admin.get(bridge.path)).body.lastSeenUtc >= seen.at,
    'The claim did not begin.',
  )
  disconnect.abort()
  await request
  const printJobId = await print()
  hint(printJobHint(bridge.printerBridgeId))
  const claimed = await until(async () => (await bridge.claim())[0], 'The job was lost with the claim.')
  assert.equal(claimed.printJobId, printJobId)
})

test('a job can be cancelled until it is sent, and its bridge then loses it', async () => {
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

test('a cancelled job is retried with the same bytes; a waiting job is unchanged, a printed one refused', async () => {
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

test('who cancelled a job and who had it printed again is kept with it, under the name of that time', async () => {
  const printJobId = await print()
  const created = await job(printJobId)
  assert.deepEqual([created.retriedByName, created.cancelledByName], [null, null])
  const rename = (name: string) =>
    database.inOneStatement(tx =>
      tx.run(sql`update app_user set full_name = ${name} where id = ${admin.actor.userId}`),
    )
  const { requestedByName } = await job(printJobId)
  for (const name of ['Kim', 'Robin']) {
    await rename(name)
    await admin.put(`/v1/print-jobs/${printJobId}/cancel`)
    assert.equal((await admin.put(`/v1/print-jobs/${printJobId}/retry`)).status, 200)
  }
  await rename(requestedByName)
  const { retries, retriedByName, cancellations, cancelledByName } = await job(printJobId)
  assert.deepEqual(
    retries.map(({ atUtc, ...rest }: { atUtc: string }) => rest),
    ['Kim', 'Robin'].map(userName => ({ userName, printerName: office.name })),
  )
  assert.deepEqual(
    cancellations.map(({ userName }: { userName: string }) => userName),
    ['Kim', 'Robin'],
  )
  assert.deepEqual([retriedByName, cancelledByName], ['Robin', 'Robin'])
})

test('a job in ZPL has the number of its copies, and is sent once', async () => {
  const zplJob = { printerId: ids.dock, contentType: 'application/zpl', content: zpl }
  const printJobId = await print({ ...zplJob, copies: 3 })
  assert.equal((await job(printJobId)).copies, 3)
  const claimed = (await claimOne()) as ClaimedJob & { copies: number }
  assert.deepEqual([claimed.printJobId, claimed.copies], [printJobId, 1])
})

test('a token reads back only what it may read, though it may print it', async () => {
  const content = async (printJobId: string, scopes: string[]) => {
    const { status, body } = await world.as(admin, { scopes }).get(`/v1/print-jobs/${printJobId}/content`)
    return status === 200 ? 200 : [status, ...body.ErrorMessages]
  }
  const wave = await print({ readScopes: 'job.read' })
  assert.deepEqual(await content(wave, ['print']), [403, 'The token needs the scope job.read.'])
  assert.deepEqual(await content(wave, ['print', 'consignment']), [
    403,
    'The token needs the scope job.read.',
  ])
  assert.equal(await content(wave, ['print', 'job']), 200)
  const either = await print({ readScopes: ['financial.read', 'consignment.read'] })
  assert.equal(await content(either, ['print', 'consignment.read']), 200)
  // The bridge has its own download, for the jobs that it holds.
  assert.equal((await bridge.caller.get(`/v1/print-jobs/${wave}/content`)).status, 403)
})

test('users of a client read back only what they printed themselves', async () => {
  const { userId } = await world.stranger().then(({ actor }) => actor)
  const own = await print({ partnerId: clientId })
  const person = world.as(admin, { partnerId: clientId })
  assert.equal((await person.get(`/v1/print-jobs/${own}/content`)).status, 200)
  const colleague = world.as(admin, { partnerId: clientId, userId })
  assert.equal((await colleague.get(`/v1/print-jobs/${own}`)).status, 200)
  const { status, body } = await colleague.get(`/v1/print-jobs/${own}/content`)
  assert.deepEqual(
    [status, body.ErrorMessages],
    [403, ['Users of a partner can read only what they printed themselves.']],
  )
})

test('a job can be retried on another printer only if that accepts the same format', async () => {
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

test('content is kept for 7 days after a job has ended, and the job for 90', async () => {
  const old = await print()
  await admin.put(`/v1/print-jobs/${old}/cancel`)
  await deleteOldJobs(database)
  assert.deepEqual((await admin.get(`/v1/print-jobs/${old}/content`)).bytes, pdf)
  await pass(old, 'finished_utc', '7 days')
  assert.equal(await deleteOldJobs(database), 1)
  assert.equal((await job(old)).isContentKept, false)
  assert.equal((await admin.get(`/v1/print-jobs/${old}/content`)).status, 400)
  assert.equal((await admin.put(`/v1/print-jobs/${old}/retry`)).status, 400)
  await pass(old, 'finished_utc', '83 days')
  assert.equal(await deleteOldJobs(database), 1)
  assert.equal((await admin.get(`/v1/print-jobs/${old}`)).status, 404)
})

test('users of a client see, cancel and retry only the jobs of that client', async () => {
  const clientUser = world.as(admin, { partnerId: clientId })
  const foreign = await print({ name: 'Of the house' })
  const own = await print({ name: 'Of the client', partnerId: clientId })
  const { printJobs } = (await clientUser.get('/v1/print-jobs?SearchText=Of%20the')).body
  assert.deepEqual(
    printJobs.map((printJob: { name: string }) => printJob.name),
    ['Of the client'],
  )
  for (const path of ['', '/content'])
    assert.equal((await clientUser.get(`/v1/print-jobs/${foreign}${path}`)).status, 404)
  for (const verb of ['cancel', 'retry'])
    assert.equal((await clientUser.put(`/v1/print-jobs/${foreign}/${verb}`)).status, 404)
  assert.equal((await clientUser.put(`/v1/print-jobs/${own}/cancel`)).status, 200)
  assert.equal((await clientUser.put(`/v1/print-jobs/${own}/retry`)).status, 200)
})

test('the list of jobs is filtered by printer, warehouse, status and text, newest first', async () => {
  const [a, b] = [
    await print({ name: 'Alpha 4711' }),
    await print({ name: 'Beta 4711', printerId: ids.dock }),
  ]
  const listed = async (query: string) =>
    (await admin.get(`/v1/print-jobs?SearchText=4711${query}`)).body.printJobs.map(
      (printJob: { id: string }) => printJob.id,
    )
  assert.deepEqual(await listed(''), [b, a])
  assert.deepEqual(await listed(`&PrinterId=${ids.office}`), [a])
  assert.deepEqual(await listed(`&WarehouseId=${warehouseId}&Status=1`), [b, a])
  assert.deepEqual(await listed('&Status=3'), [])
})

test('an inactive bridge cannot claim, but may still report the result of a job that it holds', async () => {
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
