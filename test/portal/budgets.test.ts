// What a page of the portal may cost: the bytes of its first load, and its requests.

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { newVisitor, signInAs, type Visitor } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const world = await openAllocation()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }
const dist = new URL('../../portal/dist/', import.meta.url)
const email = await givenPerson()
await world.stored(10)
const id = await world.ready([{ quantity: 5 }])

async function visit(): Promise<Visitor> {
  const visitor = await newVisitor(url)
  await signInAs(visitor, email)
  return visitor
}

/** The requests to the API, without the stream of events, which every page follows. */
const requestsOf = ({ requests }: Visitor) =>
  requests.filter(request => !request.startsWith('GET /v1/events'))

test(
  'the first load of a list fits: 205 KB of scripts and 14 KB of styles, compressed for a browser over HTTPS',
  options,
  async () => {
    const visitor = await visit()
    const loaded = new Set<string>()
    visitor.page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (/^\/assets\/.*\.(js|css)$/.test(pathname)) loaded.add(pathname)
    })
    await visitor.open('/consignments')
    await visitor.page.getByRole('rowheader').first().waitFor()
    const bytesOf = (ending: string) =>
      [...loaded]
        .filter(path => path.endsWith(ending))
        .reduce((sum, path) => sum + statSync(new URL(`.${path}.br`, dist)).size, 0)
    assert.ok(loaded.size > 3)
    assert.ok(bytesOf('.js') <= 205_000, `${bytesOf('.js')} bytes of scripts`)
    assert.ok(bytesOf('.css') <= 14_000, `${bytesOf('.css')} bytes of styles`)
  },
)

test('before the rows of a list there are at most four requests', options, async () => {
  const visitor = await visit()
  visitor.forgetClicks()
  await visitor.open('/consignments')
  await visitor.page.getByRole('rowheader').first().waitFor()
  const requests = requestsOf(visitor).filter(request => request !== 'GET /v1/me/preferences')
  assert.deepEqual(requests.toSorted(), [
    'GET /v1/attention',
    'GET /v1/consignments',
    'GET /v1/consignments/counts',
    'GET /v1/me',
  ])
})

test('a screen that one goes to asks for little: Home two, a record three, a list two', options, async () => {
  const visitor = await visit()
  await visitor.open('/me')
  const askedAt = async (path: string) => {
    visitor.forgetClicks()
    await visitor.goTo(path)
    // The stream of events keeps a request open, so the page waits for nothing else when nothing loads.
    await visitor.page.locator('[data-state=loading]').first().waitFor({ state: 'detached' })
    return requestsOf(visitor).filter(
      request => !['GET /v1/attention', 'GET /v1/me', 'GET /v1/me/preferences'].includes(request),
    )
  }
  assert.deepEqual(
    await askedAt('/'),
    ['GET /v1/dashboard'],
    'and what needs somebody, which the menu has read',
  )
  assert.equal((await askedAt('/consignments')).length, 2)
  const record = await askedAt(`/consignments/${id}`)
  assert.ok(record.length <= 3, record.join('\n'))
})

// React shows what has been suspended at the earliest 300 ms later, by a timer.
const noTimers = `const { setTimeout } = globalThis
  globalThis.setTimeout = (act, ms = 0, ...rest) => (ms > 0 && ms <= 300 ? 0 : setTimeout(act, ms, ...rest))`

test(
  'screens, records and dialogs are shown once their code and data are there, not by a timer',
  options,
  async () => {
    const visitor = await visit()
    const { page } = visitor
    page.setDefaultTimeout(20_000)
    await page.addInitScript({ content: noTimers })
    await visitor.open('/me')
    await visitor.goTo('/consignments')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.locator(`main[data-id="${id}"]`).waitFor()
    await visitor.goTo('/reports')
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  },
)
