// Generated requests, from sensible to hostile: none is answered with a 5xx, an undocumented status or anything but the error body. Promise 22.
//
// FUZZ_RUNS sets how many requests each endpoint gets, PROPERTY_SEED which ones. A failure prints the request that shows it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../src/platform/http/endpoint.ts'
import { documentedStatuses } from '../src/platform/http/openapi.ts'
import { bodyFor, hostileText, hostileValue, mutated, parameterFor, segment } from './support/generators.ts'
import { endpoints, openWorld } from './support/harness.ts'
import fc from './support/properties.ts'
import { parameters, recordsOf } from './support/records.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 12)

const world = await openWorld()
const { app, admin } = world
const records = await recordsOf(world, admin)
const all = [...new Set(Object.values(records))]
/** `/v1/tax-rates/:id` is a `taxrate`, and `…/:warehouseZoneId` a `warehousezone`. */
const words = Object.entries(records).map(([path, id]) => {
  const [collection = '', parameter = ''] = path.split('/').slice(-2)
  const word = parameter === ':id' ? collection.replace(/-|s$/g, '') : parameter.replace(/^:|Id$/g, '')
  return [word.toLowerCase(), id] as const
})
const ids = {
  all,
  named: (field: string) =>
    words.filter(([word]) => word === field.replace(/Ids?$/, '').toLowerCase()).map(([, id]) => id),
}

interface Request {
  path: string
  query: string
  payload: string | undefined
}

const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

/** A path with the ids of records, mostly, or something hostile in their place. */
const pathFor = (endpoint: Endpoint): fc.Arbitrary<string> => {
  const known = parameters(endpoint.path).map(parameter => records[parameter] ?? (all[0] as string))
  const parts = endpoint.path
    .split('/')
    .map(part =>
      part.startsWith(':')
        ? fc.oneof(
            { weight: 12, arbitrary: fc.constant(known.shift() as string) },
            { weight: 2, arbitrary: fc.uuid() },
            { weight: 1, arbitrary: segment },
          )
        : fc.constant(part),
    )
  return fc.tuple(...parts).map(all => all.join('/'))
}

/** A query with some of the parameters, right or hostile, now and then repeated or unknown. */
const queryFor = (endpoint: Endpoint): fc.Arbitrary<string> => {
  const properties = Object.entries(
    (endpoint.query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {},
  )
  const known = properties.map(([name, schema]) =>
    fc.tuple(
      fc.constantFrom(name, name.toLowerCase()),
      fc.oneof(
        { weight: 4, arbitrary: parameterFor(name, schema, ids) },
        { weight: 1, arbitrary: hostileText },
      ),
    ),
  )
  const unknown = fc.tuple(fc.constantFrom('x', '__proto__', 'constructor', '', 'PageIndex[]'), hostileText)
  const pair = fc.oneof(
    { weight: 8, arbitrary: known.length === 0 ? unknown : fc.oneof(...known) },
    { weight: 1, arbitrary: unknown },
  )
  return fc
    .array(pair, { maxLength: 4 })
    .map(pairs =>
      pairs.map(([name, value]) => `${escaped(name)}=${escaped(value).slice(0, 3_000)}`).join('&'),
    )
}

/** A body that fits the schema, one with something changed in it, or something else altogether. */
const payloadFor = (endpoint: Endpoint): fc.Arbitrary<string | undefined> => {
  if (endpoint.body === undefined) return fc.option(fc.json(), { nil: undefined, freq: 8 })
  const body = bodyFor(endpoint.body, ids)
  return fc.oneof(
    { weight: 6, arbitrary: body.map(value => JSON.stringify(value)) },
    { weight: 8, arbitrary: mutated(body).map(value => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileValue.map(value => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '',
        '{',
        'null',
        '[]',
        '{"a":1e999}',
        `${'['.repeat(99_999)}`,
        '"\\ud800"',
        '{"a":"\\u0000"}',
        '{"__proto__":{}}',
      ),
    },
  )
}

const succeeded = new Set<Endpoint>()

async function send(endpoint: Endpoint, { path, query, payload }: Request): Promise<void> {
  const headers = {
    authorization: admin.authorization,
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const url = query === '' ? path : `${path}?${query}`
  const response = await app.inject({
    method: endpoint.method,
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  })
  const { statusCode: status, body } = response
  const said = `${endpoint.method} ${url.slice(0, 600)}\n${payload?.slice(0, 3_000)}\nanswered ${status}: ${body.slice(0, 600)}`
  const isElsewhere = status === 404 && body.includes('There is no endpoint at this address')
  assert.ok(status < 500, said)
  assert.ok(isElsewhere || documentedStatuses(endpoint).includes(status), `Undocumented: ${said}`)
  if (status < 400) succeeded.add(endpoint)
  else {
    const { ErrorType, ErrorMessages, ErrorDetails, RequestId, ...rest } = JSON.parse(body)
    assert.equal(ErrorDetails.length, ErrorMessages.length, said)
    assert.equal(typeof RequestId, 'string', said)
    assert.ok(
      typeof ErrorType === 'string' &&
        Array.isArray(ErrorMessages) &&
        ErrorMessages.length > 0 &&
        Object.keys(rest).length === 0,
      said,
    )
    for (const message of ErrorMessages) assert.match(message, /^\S.*\.$/s, said)
    assert.ok(
      !ErrorMessages.includes('A value in the request cannot be stored.'),
      `The schema let through what the database refused: ${said}`,
    )
  }
}

for (const endpoint of endpoints) {
  test(`${endpoint.method} ${endpoint.path}`, async () => {
    const request = fc.record({
      path: pathFor(endpoint),
      query: queryFor(endpoint),
      payload: payloadFor(endpoint),
    })
    await fc.assert(
      fc.asyncProperty(request, given => send(endpoint, given)),
      {
        numRuns: endpoint.body === undefined ? Math.ceil(runs / 2) : runs,
        endOnFailure: runs < 50,
        interruptAfterTimeLimit: 600_000,
      },
    )
  })
}

test('the generator gets past the checks: most endpoints did what some request asked', () => {
  const refusedAll = endpoints
    .filter(endpoint => !succeeded.has(endpoint))
    .map(({ method, path }) => `${method} ${path}`)
  assert.ok(refusedAll.length < endpoints.length / 3, `Only refusals: ${refusedAll.join(', ')}`)
})
