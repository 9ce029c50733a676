// What print jobs and attachments keep: each content once, and no more of it than an organisation may have.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteOldJobs } from '../../../src/paper/print-jobs/expire-jobs.ts'
import { limitPrintStorage } from '../../../src/paper/print-jobs/submit.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { Refusal } from '../../../src/platform/http/refusal.ts'
import { openPrinters } from '../../support/given-printers.ts'
import { openSubRecords } from '../../support/given-sub-records.ts'

const { admin, database, print, pass } = await openPrinters()
after(() => limitPrintStorage(2_048))

/** The bytes stored, those that count for the limit, and those that print jobs refer to, counted anew. */
const storage = () =>
  database.db.row<{ contents: number; stored: number; kept: number; printed: number }>(sql`
    select count(*) as contents, coalesce(sum(octet_length(bytes)), 0) as stored,
      (select coalesce(sum(kept_bytes), 0) from print_storage) as kept, (
        select coalesce(sum(size_bytes), 0) from file_content f
        where exists (select from print_job j where j.content_sha256 = f.sha256)
      ) as printed
    from file_content`)
const megabyte = (fill: string, bytes = 1_000_000) => Buffer.alloc(bytes, `%PDF-1.7 ${fill}`)

/** Ends a job, and lets the time pass for which its content is kept. */
async function expire(printJobId: string): Promise<void> {
  await admin.put(`/v1/print-jobs/${printJobId}/cancel`)
  await pass(printJobId, 'finished_utc', '7 days')
  await deleteOldJobs(database)
}

test('a file that is printed twenty times is kept once, until no job has it any more', async () => {
  const content = megabyte('the same')
  const jobs = await Promise.all(Array.from({ length: 20 }, () => print({ content })))
  assert.deepEqual(await storage(), { contents: 1, stored: 1_000_000, kept: 1_000_000, printed: 1_000_000 })
  const [last = '', ...others] = jobs
  for (const printJobId of others) await expire(printJobId)
  assert.equal((await storage()).kept, 1_000_000)
  assert.deepEqual((await admin.get(`/v1/print-jobs/${last}/content`)).bytes, content)
  await expire(last)
  assert.deepEqual(await storage(), { contents: 0, stored: 0, kept: 0, printed: 0 })
})

test('jobs at the same moment do not exceed what an organisation may keep, and equal contents do not count', async () => {
  limitPrintStorage(3)
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => print({ content: megabyte(`number ${i}`) })),
  )
  const refusals = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(refusals.length, 5)
  for (const refusal of refusals) {
    assert.ok(refusal instanceof Refusal, String(refusal))
    assert.deepEqual(
      [refusal.status, refusal.messages],
      [
        400,
        [
          'The print jobs of the organisation may keep 3 MiB, and this one exceeds that. Contents are deleted ' +
            '7 days after their jobs have ended.',
        ],
      ],
    )
  }
  assert.deepEqual(await storage(), { contents: 3, stored: 3_000_000, kept: 3_000_000, printed: 3_000_000 })
  const kept = results.findIndex(({ status }) => status === 'fulfilled')
  const again = await print({ content: megabyte(`number ${kept}`) })
  // What is no longer kept makes room.
  for (const result of results) if (result.status === 'fulfilled') await expire(result.value)
  await expire(again)
  assert.equal((await storage()).kept, 0)
  await expire(await print({ content: megabyte('later', 3 * 2 ** 20) }))
  assert.deepEqual(await storage(), { contents: 0, stored: 0, kept: 0, printed: 0 })
})

test('a file that is attached to several notes is stored once, and deleted with the last of them', async () => {
  const { world, consignment } = await openSubRecords()
  const path = await consignment()
  const bytes = megabyte('attached')
  const file = { fileName: 'a.pdf', contentType: 'application/pdf', content: bytes.toString('base64') }
  const write = async (attachments: object[]) =>
    (await world.admin.post(`${path}/notes`, { note: 'Here', attachments })).body as string
  const notes = [await write([file, { ...file, fileName: 'b.pdf' }]), await write([file])]
  const contents = () =>
    world.database.db.rows<{ bytes: number; attachments: number }>(sql`
      select octet_length(bytes) as bytes, attachment_count as attachments from file_content`)
  assert.deepEqual(await contents(), [{ bytes: bytes.length, attachments: 3 }])
  assert.equal((await world.admin.delete(`${path}/notes/${notes[0]}`)).status, 200)
  assert.deepEqual(await contents(), [{ bytes: bytes.length, attachments: 1 }])
  const [attachment] = (await world.admin.get(`${path}/notes/${notes[1]}`)).body.attachments
  const read = await world.admin.get(`${path}/notes/${notes[1]}/attachments/${attachment.id}/file`)
  assert.deepEqual(read.bytes, bytes)
  assert.equal((await world.admin.delete(`${path}/notes/${notes[1]}`)).status, 200)
  assert.deepEqual(await contents(), [])
})
