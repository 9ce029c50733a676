// The event feed of two processes, one of which is killed repeatedly during imports and changes: readers that
// follow it see every event once, in order, without a gap.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createWaybill } from '../../client/src/waybill.ts'
import { sql } from '../../src/platform/database/db.ts'
import { anImport, apiCaller, newApp, setUp, temporaryDataDir } from '../support/processes.ts'
import { startServiceProcess, until } from '../support/service-process.ts'
import { atEnd, createTestDatabase, openTestPools } from '../support/test-database.ts'

const databaseUrl = await createTestDatabase()
const { db } = openTestPools(databaseUrl)
const settings = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: await temporaryDataDir(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  RATE_LIMITS: 'off',
  // The issuer of the tokens, whichever process issues them.
  AUTH_URL: 'http://localhost:8080',
}
const imports = 240

test('while one of two processes is killed three times, each reader sees each event once, in order', async () => {
  // The first process only serves requests; the second one also runs workers, and is killed.
  const survivor = await startServiceProcess({ ...settings, ROLES: 'api' })
  atEnd(() => survivor.stop())
  let killed = await startServiceProcess(settings)
  atEnd(() => killed.stop())
  const app = await newApp(settings)
  const api = apiCaller(() => survivor.baseUrl, app)
  await setUp(api)

  const stop = new AbortController()
  const follow = async (baseUrl: string) => {
    const waybill = createWaybill({ baseUrl, clientId: app.clientId, clientSecret: app.clientSecret })
    const ids: string[] = []
    const reading = (async () => {
      for await (const { sequence, id } of waybill.follow({ signal: stop.signal })) {
        assert.equal(sequence, ids.length + 1, 'no number is missing, repeated or out of order')
        ids.push(id)
      }
    })()
    return { ids, reading }
  }
  // The second reader's process is killed three times, and starts again at the same address.
  const port = new URL(killed.baseUrl).port
  const followers = [await follow(survivor.baseUrl), await follow(killed.baseUrl)]

  for (let n = 0; n < imports; n++) {
    const carrier = n % 10 === 0 ? { carrierCode: 'GONE' } : {}
    await api.must('POST', '/v1/consignment-imports', anImport(carrier))
    if (n % 60 !== 59 || n > 200) continue
    await killed.kill()
    killed = await startServiceProcess({ ...settings, PORT: port })
  }
  const pending = sql`select count(*)::int as n from consignment_import where status = 1`
  await until(async () => (await db.row<{ n: number }>(pending)).n === 0, 'The imports were not finished.')
  const events = await db.rows<{ id: string }>(sql`select id from event where type > 100`)
  assert.equal(events.length, imports, 'each import became a consignment or waits')
  for (const { ids } of followers) {
    await until(
      async () => ids.length >= events.length,
      () => `${ids.length} of ${events.length} arrived.`,
    )
    assert.deepEqual(ids.toSorted(), events.map(({ id }) => id).toSorted())
  }
  stop.abort()
  for (const { reading } of followers) await reading
  const [first = { ids: [] }, second] = followers
  assert.deepEqual(first.ids, second?.ids, 'both readers see the same order')
})
