// Generated requests, from sensible to hostile: none gets a 5xx or an undocumented status, and every refusal
// has the error body.
//
// FUZZ_RUNS sets how many requests each endpoint gets, and PROPERTY_SEED which ones. A failure prints its
// request.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../src/access/endpoint.ts'
import { documentedStatuses } from '../src/platform/http/openapi.ts'
import { bodyFor, hostileText, hostileValue, mutate, parameterFor, segment } from './support/generators.ts'
import { endpoints, openWorld } from './support/harness.ts'
import fc from './support/properties.ts'
import { parameters, recordsOf } from './support/records.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 12)

const world = await openWorld()
const { app, admin } = world
const records = await recordsOf(world, admin)
const all = [...new Set(Object.values(records))]
/** Ids by the name of their kind, such as `taxrate` for `/v1/tax-rates/:id`. */
const idsByName = Object.entries(records).map(([path, id]) => {
  const [collection = '', parameter = ''] = path.split('/').slice(-2)
  const word = parameter === ':id' ? collection.replace(/-|s$/g, '') : parameter.replace(/^:|Id$/g, '')
  return [word.toLowerCase(), id] as const
})
const ids = {
  all,
  ofKind: (field: string) =>
    idsByName.filter(([word]) => word === field.replace(/Ids?$/, '').toLowerCase()).map(([, id]) => id),
}

interface Request {
  path: string
  query: string
  payload: string | undefined
}

const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

/** Generates paths, mostly with ids of records, sometimes with unknown ids or hostile texts. */
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

/** Generates queries with some of the parameters, valid or hostile, sometimes repeated or unknown. */
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

/** Generates bodies that match the schema, modified ones, and arbitrary ones. */
const payloadFor = (endpoint: Endpoint): fc.Arbitrary<string | undefined> => {
  if (endpoint.body === undefined) return fc.option(fc.json(), { nil: undefined, freq: 8 })
  const body = bodyFor(endpoint.body, ids)
  return fc.oneof(
    { weight: 6, arbitrary: body.map(value => JSON.stringify(value)) },
    { weight: 8, arbitrary: mutate(body).map(value => JSON.stringify(value)) },
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
  const report = `${endpoint.method} ${url.slice(0, 600)}\n${payload?.slice(0, 3_000)}\nreturned ${status}: ${body.slice(0, 600)}`
  const isUnknownAddress = status === 404 && body.includes('There is no endpoint at this address')
  assert.ok(status < 500, report)
  assert.ok(isUnknownAddress || documentedStatuses(endpoint).includes(status), `Undocumented: ${report}`)
  if (status < 400) succeeded.add(endpoint)
  else {
    const { ErrorType, ErrorMessages, ErrorDetails, RequestId, ...rest } = JSON.parse(body)
    assert.equal(ErrorDetails.length, ErrorMessages.length, report)
    assert.equal(typeof RequestId, 'string', report)
    assert.ok(
      typeof ErrorType === 'string' &&
        Array.isArray(ErrorMessages) &&
        ErrorMessages.length > 0 &&
        Object.keys(rest).length === 0,
      report,
    )
    for (const message of ErrorMessages) assert.match(message, /^\S.*\.$/s, report)
    assert.ok(
      !ErrorMessages.includes('A value in the request cannot be stored.'),
      `The schema accepted a value that the database refused: ${report}`,
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
      fc.asyncProperty(request, generated => send(endpoint, generated)),
      {
        numRuns: endpoint.body === undefined ? Math.ceil(runs / 2) : runs,
        endOnFailure: runs < 50,
        interruptAfterTimeLimit: 600_000,
      },
    )
  })
}

test('at least one request succeeded at most endpoints, so the generator gets past the checks', () => {
  const refusedAll = endpoints
    .filter(endpoint => !succeeded.has(endpoint))
    .map(({ method, path }) => `${method} ${path}`)
  assert.ok(refusedAll.length < endpoints.length / 3, `Only refusals: ${refusedAll.join(', ')}`)
})
