// Choices and forms that need a whole list have it, however long it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'

interface EveryPage {
  readAll(
    path: string,
    params: object,
    limits: { atMost?: number },
  ): {
    queryFn(context: { signal: AbortSignal }): Promise<{ total: number; partners: { id: string }[] }>
  }
}
interface Api {
  takeTokensFrom(source: { get: () => Promise<string>; refused: () => void }): void
}

// Its types are those of a browser, and it asks once where it was loaded from.
const load = <T>(name: string): Promise<T> =>
  import(new URL(`../../portal/src/${name}`, import.meta.url).href)
Object.assign(globalThis, { location: { origin: 'https://waybill.example' } })
const { takeTokensFrom } = await load<Api>('api.ts')
const { readAll } = await load<EveryPage>('every-page.ts')
Reflect.deleteProperty(globalThis, 'location')
takeTokensFrom({ get: async () => 'token', refused: () => {} })

/** Answers as a list of so many partners, and returns what a query reads of it with the pages it asked for. */
async function readOf(total: number, atMost?: number) {
  const asked: string[] = []
  const { fetch } = globalThis
  globalThis.fetch = async input => {
    const { searchParams } = new URL(input instanceof Request ? input.url : input)
    asked.push(`${searchParams}`)
    const index = Number(searchParams.get('PageIndex') ?? 1)
    const size = Number(searchParams.get('PageSize'))
    const from = (index - 1) * size
    const length = Math.max(0, Math.min(total - from, size))
    const partners = Array.from({ length }, (_, i) => ({ id: String(from + i) }))
    return Response.json({ index, total, partners }, { headers: { etag: '"1"' } })
  }
  const query = { query: { Relationship: 1 } }
  try {
    const { queryFn } = readAll('/v1/partners', query, atMost === undefined ? {} : { atMost })
    const read = await queryFn({ signal: AbortSignal.timeout(10_000) })
    return { asked, read, ids: read.partners.map(({ id }) => Number(id)) }
  } finally {
    globalThis.fetch = fetch
  }
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i)

test('a list of more than a page is read to its end', async () => {
  const { asked, ids, read } = await readOf(1_234)
  assert.deepEqual(ids, upTo(1_234))
  assert.equal(read.total, 1_234)
  assert.deepEqual(asked, [
    'PageSize=500&Relationship=1',
    'PageSize=500&Relationship=1&PageIndex=2',
    'PageSize=500&Relationship=1&PageIndex=3',
  ])
})

test('a list of one page is one request', async () => {
  const { asked, ids } = await readOf(500)
  assert.deepEqual([asked.length, ids.length], [1, 500])
  assert.deepEqual((await readOf(0)).ids, [])
})

test('no more is read than an act takes at once, and the total tells that there is more', async () => {
  const { asked, ids, read } = await readOf(1_340, 1_000)
  assert.deepEqual([asked.length, ids.length, read.total], [2, 1_000, 1_340])
})
