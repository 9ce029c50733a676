// The processes of one database accept each other's tokens, because none starts with another issuer.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { temporaryDataDir } from '../support/processes.ts'
import { run, startServiceProcess } from '../support/service-process.ts'
import { atEnd, createTestDatabase } from '../support/test-database.ts'

const settings = {
  DATABASE_URL: await createTestDatabase(),
  DATA_DIR: await temporaryDataDir(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
}
const first = { ...settings, AUTH_URL: 'http://first.example' }
const other = { ...settings, AUTH_URL: 'http://other.example' }

test('a process whose tokens the others would refuse does not start beside them, and starts once they are gone', async () => {
  const running = await startServiceProcess(first)
  atEnd(() => running.kill())
  const { code, output } = await run(['start'], other).ended
  assert.equal(code, 1)
  assert.match(output, /^Another process of this database issues tokens as http:\/\/first\.example; /m)
  assert.match(
    output,
    /Set AUTH_URL \(or BASE_URL\) to http:\/\/first\.example here, or stop the others first\.$/m,
  )
  const doctor = await run(['doctor'], other).ended
  assert.match(doctor.output, /^FAULT +issuer +Another process .* as http:\/\/first\.example; /m)
  assert.match(
    (await run(['doctor'], first).ended).output,
    /^OK +issuer +Tokens are issued as http:\/\/first/m,
  )

  const [second, worker] = await Promise.all([
    startServiceProcess({ ...first, ROLES: 'api' }),
    startServiceProcess({ ...other, ROLES: 'worker' }),
  ])
  atEnd(() => Promise.all([second.kill(), worker.kill()]))
  assert.equal((await second.stop()).code, 0)
  await running.kill()
  const successor = await startServiceProcess(other)
  assert.equal((await successor.stop()).code, 0)
})

test('of two processes with different issuers that start at once, one starts', async () => {
  const both = [first, other].map(its => run(['start'], its))
  atEnd(() => Promise.all(both.map(process => process.kill())))
  const outcomes = await Promise.allSettled(both.map(process => process.line(/is ready at/)))
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})
