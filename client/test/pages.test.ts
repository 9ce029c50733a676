// Lists walked by the client, against the service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenApp, openProcess } from '../../test/support/given-oauth.ts'
import { openTestDatabase } from '../../test/support/harness.ts'
import { createWaybill, orThrow, type Waybill, WaybillError } from '../src/waybill.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database)
const app = await givenApp(database, { scopes: ['financial', 'organisation', 'partner'] })
const asked: string[] = []
const waybill: Waybill = createWaybill({
  baseUrl: url,
  ...app,
  fetch: request => {
    asked.push(new URL(request.url).search)
    return fetch(request)
  },
})

test('the pages of a list give each row once, with its filters, and no page too many', async () => {
  for (const code of ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'])
    orThrow(await waybill.POST('/v1/partners', { body: { name: `Carrier ${code}`, code, relationship: 2 } }))
  orThrow(await waybill.POST('/v1/partners', { body: { name: 'Client', code: 'CLIENT', relationship: 1 } }))
  asked.length = 0
  const codes: string[] = []
  for await (const { code } of waybill.pages('/v1/partners', { query: { Relationship: 2, PageSize: 2 } }))
    codes.push(code)
  assert.deepEqual(codes, ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'])
  assert.deepEqual(
    asked,
    ['', '&PageIndex=2', '&PageIndex=3'].map(page => `?Relationship=2&PageSize=2${page}`),
  )
})

test('a list that begins at 0 is walked from there, and an empty one has no rows', async () => {
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

test('pages are asked for as their rows are wanted', async () => {
  asked.length = 0
  for await (const { code } of waybill.pages('/v1/partners', { query: { PageSize: 2 } })) if (code) break
  assert.equal(asked.length, 1)
})

test('a page that is refused is an error', async () => {
  await assert.rejects(
    Array.fromAsync(waybill.pages('/v1/consignments')),
    (error: WaybillError) =>
      error instanceof WaybillError && error.status === 403 && error.errorType === 'Forbidden',
  )
})
