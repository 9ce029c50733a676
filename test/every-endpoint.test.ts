// What holds for every endpoint alike: tokens, scopes, partners' people, other organisations' records, ids of
// nothing, extra fields. Promises 17, 18 and 26.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { raw, sql } from '../src/platform/database/db.ts'
import type { Endpoint } from '../src/platform/http/endpoint.ts'
import { documentedStatuses } from '../src/platform/http/openapi.ts'
import { scopes } from '../src/platform/http/scopes.ts'
import { request } from './support/given-imports.ts'
import { type ApiResponse, type Caller, endpoints, openWorld } from './support/harness.ts'
import { fill, parameters, recordsOf, sharedRecords, withoutRecord } from './support/records.ts'

const world = await openWorld()
const { app, admin, as } = world
const stranger = await world.stranger()
const own = await recordsOf(world, admin)
const theirs = await recordsOf(world, stranger)
const nobodys = (parameter: string) =>
  sharedRecords.includes(parameter) ? (own[parameter] as string) : uuidv7()

const foreign = Object.entries(theirs)
  .filter(([kind]) => !sharedRecords.includes(kind))
  .map(([, id]) => id)

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Calls an endpoint with a path and a body. */
function call(caller: Pick<Caller, 'authorization'>, { method }: Endpoint, url: string, body?: unknown) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return app.inject({ method, url, headers: { authorization: caller.authorization, ...type }, ...payload })
}

const tinyPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const refusal = ({ statusCode, body }: Awaited<ReturnType<typeof call>>) => [
  statusCode,
  body === '' ? '' : JSON.parse(body).ErrorMessages,
]

/**
 * Bodies that get past the checks of the schemas, for the endpoints whose other parts could not be reached
 * without.
 */
const charge = {
  chargeApplication: 1,
  metricValue: 2,
  chargeRateExclTax: 5,
  taxRateId: own['/v1/tax-rates/:id'],
}
const bodies: Record<string, unknown> = {
  ...Object.fromEntries(
    ['client-activity', 'client-freight', 'carrier-freight'].map(kind => [
      `POST /v1/consignments/:consignmentId/charges/${kind}/adhoc`,
      charge,
    ]),
  ),
  'POST /v1/schedule-transactions': {
    ...{ ...charge, partnerId: own['/v1/partners/:partnerId'], date: '2026-03-01' },
  },
  'POST /v1/consignments/:consignmentId/unreceive': {
    unreceipts: [{ warehouseProductId: uuidv7() }],
    reason: 'Test',
  },
  'POST /v1/jobs/:jobId/wave-pick/picks/confirm': { picks: [{ inventoryAllocationId: uuidv7() }] },
  ...Object.fromEntries(
    ['/v1/partners/:partnerId/logo', '/v1/organisation/logo'].map(path => [
      `PUT ${path}`,
      { logo: { fileName: 'logo.png', contentType: 'image/png', content: tinyPng } },
    ]),
  ),
  'POST /v1/rate-cards/:rateCardId/versions': {
    effectiveFrom: '2026-03-01',
    content: { defaultTaxRateId: own['/v1/tax-rates/:id'], rates: [] },
  },
  'POST /v1/rate-card-back-tests': {
    ...{ dateFrom: '2026-01-01', dateTo: '2026-12-31' },
    content: { defaultTaxRateId: own['/v1/tax-rates/:id'], rates: [] },
  },
  'POST /v1/localities': { name: 'North', areas: [{ country: 'NZ', states: ['Northland'] }] },
  'POST /v1/warehouses/:warehouseId/locations/labels/print': {
    printOption: { printerId: uuidv7() },
    warehouseLocationIds: [own['/v1/warehouses/:warehouseId/locations/:warehouseLocationId']],
  },
  'POST /v1/stock-counts/:stockCountId/lines/count': {
    counts: [{ stockCountLineId: uuidv7(), countedQuantity: 1 }],
  },
}

/** The smallest body that a schema allows, more or less. */
function smallestBody(schema: unknown): unknown {
  const {
    type,
    enum: values,
    anyOf,
    properties = {},
    required = [],
    format,
    minimum = 0,
    items,
    minItems = 0,
    minLength = 0,
    pattern,
  } = schema as {
    type?: string | string[]
    enum?: unknown[]
    anyOf?: unknown[]
    properties?: Record<string, unknown>
    required?: string[]
    format?: string
    pattern?: string
    minimum?: number
    items?: unknown
    minItems?: number
    minLength?: number
  }
  if (values !== undefined) return values[0]
  if (anyOf !== undefined) return smallestBody(anyOf[0])
  switch ([type].flat()[0]) {
    case 'object':
      return Object.fromEntries(required.map(name => [name, smallestBody(properties[name])]))
    case 'array':
      return Array.from({ length: minItems }, () => smallestBody(items))
    case 'integer':
    case 'number':
      return Math.max(minimum, 1)
    case 'boolean':
      return true
    default:
      if (format === 'uuid') return uuidv7()
      if (format === 'email') return `${uuidv7()}@example.com`
      if (format === 'uri') return 'https://example.com'
      if (format === 'time-zone') return 'UTC'
      if (format !== undefined) return '2026-03-01'
      return pattern?.includes('A-Z') ? 'ABC' : 'ABCD'.padEnd(minLength, 'E')
  }
}
const bodyOf = (endpoint: Endpoint) =>
  bodies[nameOf(endpoint)] ?? (endpoint.body === undefined ? undefined : smallestBody(endpoint.body))

test('every parameter of a path has a record in test/support/records.ts', () => {
  assert.deepEqual(withoutRecord(own), [])
  assert.deepEqual(withoutRecord(theirs), [])
})

test('without a token every endpoint answers 401 with the error body, before anything else is looked at', async () => {
  for (const endpoint of endpoints) {
    for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${admin.authorization.slice(7)}`]) {
      const answer = await call(
        { authorization },
        endpoint,
        fill(endpoint.path, () => 'no-uuid'),
        'no object',
      )
      assert.equal(answer.statusCode, 401, nameOf(endpoint))
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
      assert.deepEqual(Object.keys(answer.json()), [
        'ErrorType',
        'ErrorMessages',
        'ErrorDetails',
        'RequestId',
      ])
    }
  }
})

test('each scope opens exactly the endpoints that declare it, and a plain scope those of its reading scope', async () => {
  for (const scope of scopes) {
    const holder = as(admin, { scopes: [scope] })
    for (const endpoint of endpoints) {
      const wanted = [endpoint.scope].flat() as string[]
      const opens = wanted.includes('any') || wanted.includes(scope) || wanted.includes(`${scope}.read`)
      // A faulty path: whoever passes the scopes meets 400 and changes nothing. Where there is none, a body
      // that is none.
      const hasParameter = endpoint.path.includes(':')
      if (opens && !hasParameter && endpoint.method !== 'GET' && endpoint.body === undefined) continue
      const { statusCode } = await call(
        holder,
        endpoint,
        fill(endpoint.path, () => 'no-uuid'),
        endpoint.body === undefined ? undefined : [],
      )
      assert.equal(statusCode === 403, !opens, `${nameOf(endpoint)} with ${scope} answered ${statusCode}`)
    }
  }
})

test('a token with every scope but the needed ones is refused with the name of the scope', async () => {
  for (const endpoint of endpoints) {
    if (endpoint.scope === 'any') continue
    const wanted = [endpoint.scope].flat() as string[]
    const others = scopes.filter(scope => !wanted.includes(scope) && !wanted.includes(`${scope}.read`))
    const answer = await call(
      as(admin, { scopes: others }),
      endpoint,
      fill(endpoint.path, at => own[at] as string),
      bodyOf(endpoint),
    )
    assert.deepEqual(
      refusal(answer),
      [403, [`The token needs the scope ${wanted.join(' or ')}.`]],
      nameOf(endpoint),
    )
  }
})

test('an id of another organisation answers as an id of nothing does, in every place of every path: 404, same body', async () => {
  for (const endpoint of endpoints) {
    for (const place of parameters(endpoint.path)) {
      if (sharedRecords.includes(place)) continue
      // Before the foreign id stand one's own, so that the record itself is asked for; and all of them
      // foreign.
      const url = (id: string) => fill(endpoint.path, at => (at === place ? id : (own[at] as string)))
      const body = bodyOf(endpoint)
      const unknown = await call(admin, endpoint, url(uuidv7()), body)
      const other = await call(admin, endpoint, url(theirs[place] as string), body)
      assert.deepEqual(refusal(other), refusal(unknown), `${nameOf(endpoint)}: ${place}`)
      assert.equal(
        unknown.statusCode,
        404,
        `${nameOf(endpoint)} answered ${unknown.statusCode} to an unknown ${place}: ${unknown.body}`,
      )
    }
    if (parameters(endpoint.path).length < 2) continue
    const all = await call(
      admin,
      endpoint,
      fill(endpoint.path, at => theirs[at] as string),
      bodyOf(endpoint),
    )
    assert.equal(all.statusCode, 404, `${nameOf(endpoint)} with foreign ids only`)
  }
})

/** The places in a body where a uuid stands, as paths of fields; `0` is the first entry of a list. */
function uuidPlaces(schema: unknown, path: string[] = []): string[][] {
  const {
    format,
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    format?: string
    properties?: Record<string, unknown>
    items?: unknown
    anyOf?: unknown[]
  }
  return [
    ...(format === 'uuid' ? [path] : []),
    ...Object.entries(properties).flatMap(([name, member]) => uuidPlaces(member, [...path, name])),
    ...(items === undefined ? [] : uuidPlaces(items, [...path, '0'])),
    ...anyOf.flatMap(one => uuidPlaces(one, path)),
  ]
}

/** The body with a value at a place, and what stands around it made as small as its schema allows. */
function withValue(schema: TSchema, place: string[], value: string): unknown {
  const put = (shape: unknown, [step, ...rest]: string[]): unknown => {
    if (step === undefined) return value
    const {
      properties = {},
      items,
      anyOf,
    } = shape as { properties?: Record<string, unknown>; items?: unknown; anyOf?: unknown[] }
    if (anyOf !== undefined) return put(anyOf[0], [step, ...rest])
    if (items !== undefined) return [put(items, rest)]
    return { ...(smallestBody(shape) as object), [step]: put(properties[step], rest) }
  }
  return put(schema, place)
}

/**
 * What a record is called: `/v1/tax-rates/:id` is a `taxrate`, and `…/:warehouseZoneId` a `warehousezone`.
 */
function wordOf(kind: string): string {
  const [collection = '', parameter = ''] = kind.split('/').slice(-2)
  return (
    parameter === ':id' ? collection.replace(/-|s$/g, '') : parameter.replace(/^:|Id$/g, '')
  ).toLowerCase()
}

/**
 * The other organisation's ids that a field may stand for: those of its name, or all where no kind is called
 * so.
 */
function foreignFor(field: string): string[] {
  const word = field.replace(/Ids?$/, '').toLowerCase()
  const ofName = Object.entries(theirs).filter(
    ([kind]) => !sharedRecords.includes(kind) && word.includes(wordOf(kind)),
  )
  return ofName.length === 0 ? foreign : ofName.map(([, id]) => id)
}

/** Its operations are answered one by one: what one depends on and was not done refuses that one alone. */
const replay = 'POST /v1/inventory/replay'
/** So are the consignments of this one. */
const close = 'POST /v1/consignments/close'
function refusalInside(endpoint: Endpoint, answer: Awaited<ReturnType<typeof call>>) {
  if (nameOf(endpoint) === close) {
    const [{ result, messages }] = answer.json().results
    return [result === 3 ? 404 : 200, messages]
  }
  const [outcome] = answer.json().operations
  return [outcome.status, outcome.body.ErrorMessages]
}

test('an id of another organisation in a body is as unknown as an id of nothing', async () => {
  let places = 0
  for (const endpoint of endpoints) {
    if (endpoint.body === undefined) continue
    const schema = endpoint.body
    for (const place of uuidPlaces(schema)) {
      // Devices make the ids of their commands.
      if (place.at(-1) === 'operationId') continue
      places++
      const url = fill(endpoint.path, at => own[at] as string)
      const answers = new Set<string>()
      for (const id of [uuidv7(), ...foreignFor(place.findLast(step => step !== '0') ?? '')]) {
        const answer = await call(admin, endpoint, url, withValue(schema, place, id))
        const isInside = [replay, close].includes(nameOf(endpoint))
        const [status, messages] = isInside ? refusalInside(endpoint, answer) : refusal(answer)
        // A message may name the id that was given.
        answers.add(JSON.stringify([status, messages]).replaceAll(id, 'the id'))
        assert.ok(
          status >= 400 && status < 500,
          `${nameOf(endpoint)} answered ${status} to a foreign ${place.join('.')}`,
        )
      }
      assert.equal(answers.size, 1, `${nameOf(endpoint)}, ${place.join('.')}: ${[...answers].join(' ')}`)
    }
  }
  assert.ok(places > 0)
})

test('an id of another organisation in a filter finds nothing, as an id of nothing does', async () => {
  let filters = 0
  for (const endpoint of endpoints) {
    const { properties = {} } = (endpoint.query ?? {}) as {
      properties?: Record<string, { format?: string; items?: { format?: string } }>
    }
    for (const [name, { format, items }] of Object.entries(properties)) {
      if ((items?.format ?? format) !== 'uuid') continue
      filters++
      const ask = async (id: string) => {
        const { statusCode, body } = await call(
          admin,
          endpoint,
          `${fill(endpoint.path, at => own[at] as string)}?${name}=${id}`,
        )
        // A refusal has the id of its request.
        const told = statusCode < 400 ? body : JSON.stringify(JSON.parse(body).ErrorMessages)
        return [statusCode, told.replaceAll(id, 'the id')]
      }
      const unknown = await ask(uuidv7())
      for (const [kind, id] of Object.entries(theirs)) {
        if (!sharedRecords.includes(kind))
          assert.deepEqual(await ask(id), unknown, `${nameOf(endpoint)} by ${name} with ${kind}`)
      }
    }
  }
  assert.ok(filters > 0)
})

/** What must be asked: here for what both organisations have. */
const queries: Record<string, string> = {
  'GET /v1/scan': '?Code=PALLET',
  'GET /v1/rate-cards/in-force': `?PartnerId=${own['/v1/partners/:partnerId']}`,
}

test('lists and records show nothing of another organisation', async () => {
  for (const endpoint of endpoints) {
    if (endpoint.method !== 'GET') continue
    const url = fill(endpoint.path, at => own[at] as string)
    const { statusCode, body } = await call(admin, endpoint, `${url}${queries[nameOf(endpoint)] ?? ''}`)
    // What comes in has other papers than what goes out, what lies on no pallet has no labels of pallets, and
    // there is no printer to print on.
    const isNoPaper = statusCode === 400 && /-pdf$|pallet-labels$|\/print$/.test(endpoint.path)
    assert.ok(
      statusCode < 400 || statusCode === 404 || isNoPaper,
      `${nameOf(endpoint)} answered ${statusCode}`,
    )
    for (const id of [...foreign, stranger.actor.organisationId, stranger.actor.userId])
      assert.ok(!body.includes(id), `${nameOf(endpoint)} shows ${id}`)
  }
})

/** What must not come from a caller, and what nobody knows. */
const extra = {
  organisationId: stranger.actor.organisationId,
  organisation_id: stranger.actor.organisationId,
  id: uuidv7(),
  createdUtc: '2000-01-01T00:00:00Z',
  unknown: { deep: [1] },
  constructor: 1,
}

test('fields that a body does not know never matter', async () => {
  for (const endpoint of endpoints) {
    if (endpoint.body === undefined) continue
    const schema = endpoint.body as { properties?: Record<string, unknown> }
    const known = Object.fromEntries(
      Object.entries(extra).filter(([name]) => schema.properties?.[name] === undefined),
    )
    const url = fill(endpoint.path, nobodys)
    const plain = bodyOf(endpoint)
    if (!endpoint.path.includes(':')) continue
    const without = await call(admin, endpoint, url, plain)
    const withExtra = await call(admin, endpoint, url, { ...(plain as object), ...known })
    assert.deepEqual(refusal(withExtra), refusal(without), nameOf(endpoint))
  }
  const { partnerId } = (
    await admin.post('/v1/partners', { name: 'Extra', code: 'EXTRA', relationship: 1, ...extra })
  ).body
  assert.notEqual(partnerId, extra.id)
  assert.equal((await admin.get(`/v1/partners/${partnerId}`)).status, 200)
  assert.equal((await stranger.get('/v1/partners?SearchText=Extra')).body.total, 0)
})

test('what was tried on the other organisation has left it as it was', async () => {
  for (const [kind, id] of Object.entries(theirs)) {
    const reader = endpoints.find(({ method, path }) => method === 'GET' && path === kind)
    if (reader === undefined) continue
    const { status }: ApiResponse = await stranger.get(fill(kind, at => theirs[at] as string))
    assert.equal(status, 200, `${kind} ${id}`)
  }
})

test('every endpoint documents what the machinery may answer', () => {
  for (const endpoint of endpoints) {
    const documented = documentedStatuses(endpoint)
    for (const status of [400, 401, 429, 500, 503]) assert.ok(documented.includes(status), nameOf(endpoint))
    assert.equal(new Set(documented).size, documented.length)
  }
})

test('every parameter of a query has a type that texts can be read as', () => {
  for (const endpoint of endpoints) {
    const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, { type?: unknown }> }
    for (const [name, { type }] of Object.entries(properties))
      assert.ok(type !== undefined, `${nameOf(endpoint)}: ${name}`)
  }
})

test('every list in a body has a bound', () => {
  const unbounded = (schema: unknown, path: string): string[] => {
    const {
      items,
      maxItems,
      properties = {},
      anyOf = [],
    } = schema as {
      items?: unknown
      maxItems?: number
      properties?: Record<string, unknown>
      anyOf?: unknown[]
    }
    return [
      ...(items !== undefined && maxItems === undefined ? [path] : []),
      ...(items === undefined ? [] : unbounded(items, `${path}[]`)),
      ...Object.entries(properties).flatMap(([name, member]) => unbounded(member, `${path}.${name}`)),
      ...anyOf.flatMap(one => unbounded(one, path)),
    ]
  }
  assert.deepEqual(
    endpoints.flatMap(endpoint =>
      endpoint.body === undefined ? [] : unbounded(endpoint.body, nameOf(endpoint)),
    ),
    [],
  )
})

/** What every table holds, in short. */
async function databaseState(): Promise<Record<string, string>> {
  const { db } = world.database
  const tables = await db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const hashes = await Promise.all(
    tables.map(({ name }) =>
      db.row<{ hash: string }>(sql`
        select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as hash from ${raw(name)} t`),
    ),
  )
  return Object.fromEntries(tables.map(({ name }, i) => [name, hashes[i]?.hash as string]))
}

const partnersOf = {
  client: { partnerId: own['/v1/partners/:partnerId'] as string, reach: ['all', 'clients'] },
  carrier: {
    partnerId: (await admin.get('/v1/partners?Relationship=2')).body.partners[0].id as string,
    reach: ['all', 'carriers'],
  },
}
/** What a partner's own person would send where the smallest body is about somebody else. */
const bodiesOfPartners: Record<string, unknown> = {
  'POST /v1/consignment-imports': request(),
  'POST /v1/webhook-subscriptions/create': { webhookUrl: 'https://127.0.0.1:1/', eventType: 101 },
}

for (const [kind, { partnerId, reach }] of Object.entries(partnersOf)) {
  const person = as(admin, { partnerId })
  const ownUrl = ({ path }: Endpoint) => fill(path, at => own[at] as string)

  test(`a ${kind}'s token is refused what its people may not call, with a reason, and nothing changes`, async () => {
    const refused = endpoints.filter(({ partners }) => !reach.includes(partners))
    assert.ok(refused.length > 50)
    const before = await databaseState()
    for (const endpoint of refused) {
      // A body that cannot be read: the answer is given before anybody tries.
      const type = { 'content-type': 'application/json' }
      const unread = await app.inject({
        method: endpoint.method,
        url: ownUrl(endpoint),
        headers: { authorization: person.authorization, ...(endpoint.body === undefined ? {} : type) },
        ...(endpoint.body === undefined ? {} : { payload: '{' }),
      })
      for (const answer of [unread, await call(person, endpoint, ownUrl(endpoint), bodyOf(endpoint))]) {
        const [status, messages] = refusal(answer)
        assert.equal(status, 403, nameOf(endpoint))
        assert.equal(messages.length, 1)
        assert.match(messages[0], new RegExp(`^A token that belongs to a ${kind} cannot [a-z].*[^.]\\.$`))
      }
    }
    assert.deepEqual(await databaseState(), before)
  })

  test(`a ${kind}'s token is refused nothing that its people may call`, async () => {
    for (const endpoint of endpoints.filter(({ partners }) => reach.includes(partners))) {
      const body = bodiesOfPartners[nameOf(endpoint)] ?? bodyOf(endpoint)
      // Nothing is deleted that a later endpoint is called with.
      const url = endpoint.method === 'DELETE' ? fill(endpoint.path, () => uuidv7()) : ownUrl(endpoint)
      const { statusCode, body: text } = await call(person, endpoint, url, body)
      assert.notEqual(statusCode, 403, `${nameOf(endpoint)}: ${text}`)
      assert.ok(statusCode < 500, nameOf(endpoint))
    }
  })

  test(`a partner in a path is a ${kind}'s own, whichever the path names`, async () => {
    const others = theirs['/v1/partners/:partnerId'] as string
    for (const endpoint of endpoints) {
      const isNamed = endpoint.path.includes(':partnerId')
      assert.equal(endpoint.partnerParam, isNamed ? 'partnerId' : undefined, nameOf(endpoint))
      if (!isNamed || endpoint.method !== 'GET' || !reach.includes(endpoint.partners)) continue
      const urlOf = (id: string) =>
        fill(endpoint.path, at => (at === '/v1/partners/:partnerId' ? id : (own[at] as string)))
      const [mine, named] = [
        await call(person, endpoint, urlOf(partnerId)),
        await call(person, endpoint, urlOf(others)),
      ]
      const told = ({ statusCode, body }: typeof mine) => [
        statusCode,
        body.replace(/"RequestId":"[^"]*"/, ''),
      ]
      assert.deepEqual(told(named), told(mine), nameOf(endpoint))
    }
  })
}
