// Reading whole lists with the client, against the service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenApp, openProcess } from '../../test/support/given-oauth.ts'
import { openTestDatabase } from '../../test/support/harness.ts'
import { createWaybill, orThrow, type Waybill, WaybillError } from '../src/waybill.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database)
const app = await givenApp(database, { scopes: ['financial', 'organisation', 'partner'] })
const queries: string[] = []
const waybill: Waybill = createWaybill({
  baseUrl: url,
  ...app,
  fetch: request => {
    queries.push(new URL(request.url).search)
    return fetch(request)
  },
})

test('a filtered list yields each row once and requests no unnecessary page', async () => {
  for (const code of ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'])
    orThrow(await waybill.POST('/v1/partners', { body: { name: `Carrier ${code}`, code, relationship: 2 } }))
  orThrow(await waybill.POST('/v1/partners', { body: { name: 'Client', code: 'CLIENT', relationship: 1 } }))
  queries.length = 0
  const codes: string[] = []
  for await (const { code } of waybill.pages('/v1/partners', { query: { Relationship: 2, PageSize: 2 } }))
    codes.push(code)
  assert.deepEqual(codes, ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'])
  assert.deepEqual(
    queries,
    ['', '&PageIndex=2', '&PageIndex=3'].map(page => `?Relationship=2&PageSize=2${page}`),
  )
})

test('a list whose pages begin at 0 is read from page 0, and an empty list yields no rows', async () => {
  const { fafProfileId } = orThrow(await waybill.POST('/v1/faf-profiles', { body: { name: 'Fuel' } }))
  const path = { fafProfileId }
  const rates = () =>
    Array.fromAsync(waybill.pages('/v1/faf-profiles/{fafProfileId}/rates', { path, query: { PageSize: 1 } }))
  assert.deepEqual(await rates(), [])
  for (const [fafPercent, effectiveFromUtc] of [
    [0.1, '2026-01-01T00:00:00Z'],
    [0.2, '2026-02-01T00:00:00Z'],
    [0.3, '2026-03-01T00:00:00Z'],
  ] as const)
    orThrow(
      await waybill.POST('/v1/faf-profiles/{fafProfileId}/rates', {
        params: { path },
        body: { fafPercent, effectiveFromUtc },
      }),
    )
  const percents = (await rates()).map(({ fafPercent }) => fafPercent)
  assert.deepEqual(percents.toSorted(), [0.1, 0.2, 0.3])
})

test('each page is requested only when its rows are needed', async () => {
  queries.length = 0
  for await (const { code } of waybill.pages('/v1/partners', { query: { PageSize: 2 } })) if (code) break
  assert.equal(queries.length, 1)
})

test('a refused page is an error', async () => {
  await assert.rejects(
    Array.fromAsync(waybill.pages('/v1/consignments')),
    (error: WaybillError) =>
      error instanceof WaybillError && error.status === 403 && error.errorType === 'Forbidden',
  )
})
