// Commands while the service runs: what they change is so at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { newApp, temporaryDataDir } from './journeys/support.ts'
import { callApi, clientCredentials } from './oauth/given-oauth.ts'
import { json, startServiceProcess, until } from './service-process.ts'
import { atEnd, createTestDatabase } from './test-database.ts'

const settings = { DATABASE_URL: await createTestDatabase(), DATA_DIR: await temporaryDataDir() }
const app = await newApp(settings)
const service = await startServiceProcess(settings)
atEnd(() => service.stop())

const token = async () => (await clientCredentials(service.baseUrl, app)).body.access_token as string
const isLetIn = async (jwt: string) => (await callApi(service.baseUrl, jwt)).status === 200
/** Well before the service would look by itself. */
const atOnceMs = 3_000

test('a running service signs with a new key at once, and without the old one when it has leaked', async () => {
  const rotated = async (...options: string[]) => {
    const { kid } = await json<{ kid: string }>(['keys', 'rotate', ...options], settings)
    return until(
      async () => {
        const jwt = await token()
        return decodeProtectedHeader(jwt).kid === kid && jwt
      },
      'The new key does not sign.',
      atOnceMs,
    )
  }
  const first = await token()
  const second = await rotated()
  assert.deepEqual([await isLetIn(first), await isLetIn(second)], [true, true])
  const third = await rotated('--retire-others')
  assert.deepEqual([await isLetIn(first), await isLetIn(second), await isLetIn(third)], [false, false, true])
})
