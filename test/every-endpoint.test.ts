// Rules for every endpoint: tokens, scopes, users of partners, records of other organisations, unknown ids,
// unknown fields.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Endpoint } from '../src/access/endpoint.ts'
import { scopes } from '../src/access/scopes.ts'
import { raw, sql } from '../src/platform/database/db.ts'
import { documentedStatuses } from '../src/platform/http/openapi.ts'
import { Relationship } from '../src/vocabulary/partners.ts'
import { request } from './support/given-imports.ts'
import { type ApiResponse, type Caller, endpoints, openWorld } from './support/harness.ts'
import { addressOf, fill, parameters, recordsOf, sharedRecords, withoutRecord } from './support/records.ts'

const world = await openWorld()
const { app, admin, as } = world
const stranger = await world.stranger()
const ownRecords = await recordsOf(world, admin)
const foreignRecords = await recordsOf(world, stranger)
const unknownIdFor = (parameter: string) =>
  sharedRecords.includes(parameter) ? (ownRecords[parameter] as string) : uuidv7()

const foreignIds = Object.entries(foreignRecords)
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

const refusalOf = ({ statusCode, body }: Awaited<ReturnType<typeof call>>) => [
  statusCode,
  body === '' ? '' : JSON.parse(body).ErrorMessages,
]

/** Bodies for endpoints that refuse the smallest body of their schema before they look up any record. */
const charge = {
  chargeApplication: 1,
  metricValue: 2,
  chargeRateExclTax: 5,
  taxRateId: ownRecords['/v1/tax-rates/:id'],
}
const bodies: Record<string, unknown> = {
  ...Object.fromEntries(
    ['client-activity', 'client-freight', 'carrier-freight'].map(kind => [
      `POST /v1/consignments/:consignmentId/charges/${kind}/adhoc`,
      charge,
    ]),
  ),
  'POST /v1/schedule-transactions': {
    ...{ ...charge, partnerId: ownRecords['/v1/partners/:partnerId'], date: '2026-03-01' },
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
    content: { defaultTaxRateId: ownRecords['/v1/tax-rates/:id'], rates: [] },
  },
  'POST /v1/rate-card-back-tests': {
    ...{ dateFrom: '2026-01-01', dateTo: '2026-12-31' },
    content: { defaultTaxRateId: ownRecords['/v1/tax-rates/:id'], rates: [] },
  },
  'POST /v1/localities': { name: 'North', areas: [{ country: 'NZ', states: ['Northland'] }] },
  'POST /v1/warehouses/:warehouseId/locations/labels/print': {
    printOption: { printerId: uuidv7() },
    warehouseLocationIds: [ownRecords['/v1/warehouses/:warehouseId/locations/:warehouseLocationId']],
  },
  'POST /v1/stock-counts/:stockCountId/lines/count': {
    counts: [{ stockCountLineId: uuidv7(), countedQuantity: 1 }],
  },
}

/** Creates roughly the smallest body that a schema allows. */
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
  assert.deepEqual(withoutRecord(ownRecords), [])
  assert.deepEqual(withoutRecord(foreignRecords), [])
})

test('without a token, every endpoint returns 401 with the error body, before anything else is checked', async () => {
  for (const endpoint of endpoints) {
    for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${admin.authorization.slice(7)}`]) {
      const response = await call(
        { authorization },
        endpoint,
        fill(endpoint.path, () => 'no-uuid'),
        'not an object',
      )
      assert.equal(response.statusCode, 401, nameOf(endpoint))
      assert.equal(response.headers['www-authenticate'], 'Bearer')
      assert.deepEqual(Object.keys(response.json()), [
        'ErrorType',
        'ErrorMessages',
        'ErrorDetails',
        'RequestId',
      ])
    }
  }
})

test('each scope permits exactly the endpoints that declare it, and a plain scope also those of its .read', async () => {
  for (const scope of scopes) {
    const holder = as(admin, { scopes: [scope] })
    for (const endpoint of endpoints) {
      const wanted = [endpoint.access.scope].flat() as string[]
      const isPermitted = wanted.includes('any') || wanted.includes(scope) || wanted.includes(`${scope}.read`)
      // An invalid id in the path, or else an invalid body, so that a permitted request gets 400 and changes
      // nothing.
      const hasParameter = endpoint.path.includes(':')
      if (isPermitted && !hasParameter && endpoint.method !== 'GET' && endpoint.body === undefined) continue
      const { statusCode } = await call(
        holder,
        endpoint,
        fill(endpoint.path, () => 'no-uuid'),
        endpoint.body === undefined ? undefined : [],
      )
      assert.equal(
        statusCode === 403,
        !isPermitted,
        `${nameOf(endpoint)} with ${scope} returned ${statusCode}`,
      )
    }
  }
})

test('a token with all scopes except the required ones is refused, and the refusal names the scope', async () => {
  for (const endpoint of endpoints) {
    if (endpoint.access.scope === 'any') continue
    const wanted = [endpoint.access.scope].flat() as string[]
    const others = scopes.filter(scope => !wanted.includes(scope) && !wanted.includes(`${scope}.read`))
    const response = await call(
      as(admin, { scopes: others }),
      endpoint,
      fill(endpoint.path, parameter => ownRecords[parameter] as string),
      bodyOf(endpoint),
    )
    assert.deepEqual(
      refusalOf(response),
      [403, [`The token needs the scope ${wanted.join(' or ')}.`]],
      nameOf(endpoint),
    )
  }
})

test('in every path, an id of another organisation gets the same response as an unknown id: 404, same body', async () => {
  for (const endpoint of endpoints) {
    for (const place of parameters(endpoint.path)) {
      if (sharedRecords.includes(place)) continue
      // The ids before the foreign one are the caller's own, so that the record itself is looked up. The last
      // request has foreign ids only.
      const url = (id: string) =>
        fill(endpoint.path, parameter => (parameter === place ? id : (ownRecords[parameter] as string)))
      const body = bodyOf(endpoint)
      const unknown = await call(admin, endpoint, url(uuidv7()), body)
      const other = await call(admin, endpoint, url(foreignRecords[place] as string), body)
      assert.deepEqual(refusalOf(other), refusalOf(unknown), `${nameOf(endpoint)}: ${place}`)
      assert.equal(
        unknown.statusCode,
        404,
        `${nameOf(endpoint)} returned ${unknown.statusCode} for an unknown ${place}: ${unknown.body}`,
      )
    }
    if (parameters(endpoint.path).length < 2) continue
    const all = await call(
      admin,
      endpoint,
      fill(endpoint.path, parameter => foreignRecords[parameter] as string),
      bodyOf(endpoint),
    )
    assert.equal(all.statusCode, 404, `${nameOf(endpoint)} with foreign ids only`)
  }
})

/** Lists the uuid fields of a body, as paths of field names; `0` is the first entry of a list. */
function findUuidPlaces(schema: unknown, path: string[] = []): string[][] {
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
    ...Object.entries(properties).flatMap(([name, member]) => findUuidPlaces(member, [...path, name])),
    ...(items === undefined ? [] : findUuidPlaces(items, [...path, '0'])),
    ...anyOf.flatMap(option => findUuidPlaces(option, path)),
  ]
}

/** Creates the smallest body of a schema with a value at a place. */
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
 * Returns the name of a kind of record: `taxrate` for `/v1/tax-rates/:id`, and `warehousezone` for
 * `…/:warehouseZoneId`.
 */
function recordNameOf(kind: string): string {
  const [collection = '', parameter = ''] = kind.split('/').slice(-2)
  return (
    parameter === ':id' ? collection.replace(/-|s$/g, '') : parameter.replace(/^:|Id$/g, '')
  ).toLowerCase()
}

/** Lists the other organisation's ids for a field: those of the kind that its name contains, or else all. */
function foreignIdsFor(field: string): string[] {
  const word = field.replace(/Ids?$/, '').toLowerCase()
  const ofName = Object.entries(foreignRecords).filter(
    ([kind]) => !sharedRecords.includes(kind) && word.includes(recordNameOf(kind)),
  )
  return ofName.length === 0 ? foreignIds : ofName.map(([, id]) => id)
}

/** Its operations have separate results: an operation that depends on a failed one is refused alone. */
const replay = 'POST /v1/inventory/replay'
/** Its consignments have separate results too. */
const close = 'POST /v1/consignments/close'
function refusalInside(endpoint: Endpoint, response: Awaited<ReturnType<typeof call>>) {
  if (nameOf(endpoint) === close) {
    const [{ result, messages }] = response.json().results
    return [result === 3 ? 404 : 200, messages]
  }
  const [outcome] = response.json().operations
  return [outcome.status, outcome.body.ErrorMessages]
}

test('an id of another organisation in a body gets the same response as an unknown id', async () => {
  let places = 0
  for (const endpoint of endpoints) {
    if (endpoint.body === undefined) continue
    const schema = endpoint.body
    for (const place of findUuidPlaces(schema)) {
      // Callers choose operation ids freely.
      if (place.at(-1) === 'operationId') continue
      places++
      const url = fill(endpoint.path, parameter => ownRecords[parameter] as string)
      const refusals = new Set<string>()
      for (const id of [uuidv7(), ...foreignIdsFor(place.findLast(step => step !== '0') ?? '')]) {
        const response = await call(admin, endpoint, url, withValue(schema, place, id))
        const isInside = [replay, close].includes(nameOf(endpoint))
        const [status, messages] = isInside ? refusalInside(endpoint, response) : refusalOf(response)
        // A message may contain the id of the request.
        refusals.add(JSON.stringify([status, messages]).replaceAll(id, 'the id'))
        assert.ok(
          status >= 400 && status < 500,
          `${nameOf(endpoint)} returned ${status} for a foreign ${place.join('.')}`,
        )
      }
      assert.equal(refusals.size, 1, `${nameOf(endpoint)}, ${place.join('.')}: ${[...refusals].join(' ')}`)
    }
  }
  assert.ok(places > 0)
})

test('an id of another organisation in a filter finds nothing, like an unknown id', async () => {
  let filters = 0
  for (const endpoint of endpoints) {
    const { properties = {} } = (endpoint.query ?? {}) as {
      properties?: Record<string, { format?: string; items?: { format?: string } }>
    }
    for (const [name, { format, items }] of Object.entries(properties)) {
      if ((items?.format ?? format) !== 'uuid') continue
      filters++
      const filterBy = async (id: string) => {
        const { statusCode, body } = await call(
          admin,
          endpoint,
          `${fill(endpoint.path, parameter => ownRecords[parameter] as string)}?${name}=${id}`,
        )
        // A refusal contains the id of its request, and some answers say when they were read.
        const comparable = statusCode < 400 ? body : JSON.stringify(JSON.parse(body).ErrorMessages)
        return [statusCode, comparable.replaceAll(id, 'the id').replace(/"asOfUtc":"[^"]+"/, '')]
      }
      const unknown = await filterBy(uuidv7())
      for (const [kind, id] of Object.entries(foreignRecords)) {
        if (!sharedRecords.includes(kind))
          assert.deepEqual(await filterBy(id), unknown, `${nameOf(endpoint)} by ${name} with ${kind}`)
      }
    }
  }
  assert.ok(filters > 0)
})

/** Required query parameters, with values that exist in both organisations. */
const queries: Record<string, string> = {
  'GET /v1/consignment-imports/csv-template': '?ConsignmentType=2',
  'GET /v1/scan': '?Code=PALLET',
  'GET /v1/search': '?Q=a-',
  'GET /v1/rate-cards/in-force': `?PartnerId=${ownRecords['/v1/partners/:partnerId']}`,
}

test('lists and records contain nothing of another organisation', async () => {
  for (const endpoint of endpoints) {
    if (endpoint.method !== 'GET') continue
    const url = fill(endpoint.path, parameter => ownRecords[parameter] as string)
    const { statusCode, body } = await call(admin, endpoint, `${url}${queries[nameOf(endpoint)] ?? ''}`)
    // The consignment has no documents of the other direction and no pallets, and there is no printer.
    const hasNoDocument = statusCode === 400 && /-pdf$|pallet-labels$|\/print$/.test(endpoint.path)
    assert.ok(
      statusCode < 400 || statusCode === 404 || hasNoDocument,
      `${nameOf(endpoint)} returned ${statusCode}`,
    )
    for (const id of [...foreignIds, stranger.actor.organisationId, stranger.actor.userId])
      assert.ok(!body.includes(id), `${nameOf(endpoint)} contains ${id}`)
  }
})

/** Fields that a caller must not set, and unknown fields. */
const extra = {
  organisationId: stranger.actor.organisationId,
  organisation_id: stranger.actor.organisationId,
  id: uuidv7(),
  createdUtc: '2000-01-01T00:00:00Z',
  unknown: { deep: [1] },
  constructor: 1,
}

test('unknown fields of a body have no effect', async () => {
  for (const endpoint of endpoints) {
    if (endpoint.body === undefined) continue
    const schema = endpoint.body as { properties?: Record<string, unknown> }
    const unknownFields = Object.fromEntries(
      Object.entries(extra).filter(([name]) => schema.properties?.[name] === undefined),
    )
    const url = fill(endpoint.path, unknownIdFor)
    const plain = bodyOf(endpoint)
    if (!endpoint.path.includes(':')) continue
    const without = await call(admin, endpoint, url, plain)
    const withExtra = await call(admin, endpoint, url, { ...(plain as object), ...unknownFields })
    assert.deepEqual(refusalOf(withExtra), refusalOf(without), nameOf(endpoint))
  }
  const { partnerId } = (
    await admin.post('/v1/partners', { name: 'Extra', code: 'EXTRA', relationship: 1, ...extra })
  ).body
  assert.notEqual(partnerId, extra.id)
  assert.equal((await admin.get(`/v1/partners/${partnerId}`)).status, 200)
  assert.equal((await stranger.get('/v1/partners?SearchText=Extra')).body.total, 0)
})

test('the attempts above have left the records of the other organisation in place', async () => {
  for (const [kind, id] of Object.entries(foreignRecords)) {
    const reader = endpoints.find(({ method, path }) => method === 'GET' && path === kind)
    if (reader === undefined) continue
    const { status }: ApiResponse = await stranger.get(
      fill(kind, parameter => foreignRecords[parameter] as string),
    )
    assert.equal(status, 200, `${kind} ${id}`)
  }
})

test('every endpoint documents the statuses that are common to all endpoints', () => {
  for (const endpoint of endpoints) {
    const documented = documentedStatuses(endpoint)
    for (const status of [400, 401, 429, 500, 503]) assert.ok(documented.includes(status), nameOf(endpoint))
    assert.equal(new Set(documented).size, documented.length)
  }
})

test('every query parameter has a type that can be parsed from text', () => {
  for (const endpoint of endpoints) {
    const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, { type?: unknown }> }
    for (const [name, { type }] of Object.entries(properties))
      assert.ok(type !== undefined, `${nameOf(endpoint)}: ${name}`)
  }
})

test('every list in a body has a maximum length', () => {
  const findUnbounded = (schema: unknown, path: string): string[] => {
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
      ...(items === undefined ? [] : findUnbounded(items, `${path}[]`)),
      ...Object.entries(properties).flatMap(([name, member]) => findUnbounded(member, `${path}.${name}`)),
      ...anyOf.flatMap(option => findUnbounded(option, path)),
    ]
  }
  assert.deepEqual(
    endpoints.flatMap(endpoint =>
      endpoint.body === undefined ? [] : findUnbounded(endpoint.body, nameOf(endpoint)),
    ),
    [],
  )
})

test('every text and number of a request has a bound, and every form says what it is', () => {
  interface Schema {
    type?: string | string[]
    format?: string
    pattern?: string
    fault?: string
    enum?: unknown[]
    contentEncoding?: string
    maxLength?: number
    maximum?: number
    minimum?: number
    exclusiveMinimum?: number
    properties?: Record<string, unknown>
    items?: unknown
    anyOf?: unknown[]
    else?: unknown
  }
  // What has one of these forms has a length, or is checked by hand (files).
  const isShort = ({ format, pattern, fault, contentEncoding }: Schema) =>
    ['uuid', 'date', 'date-time', 'sscc'].includes(format ?? '') ||
    pattern !== undefined ||
    fault !== undefined ||
    contentEncoding !== undefined
  const inFiles = /\.(fileName|contentType|content)$/
  const findFaults = (value: unknown, path: string): string[] => {
    const schema = value as Schema
    const types = [schema.type].flat()
    const isListed = schema.enum !== undefined || (schema.else as Schema | undefined)?.enum !== undefined
    const isNumber = types.includes('number') || types.includes('integer')
    const { minimum = schema.exclusiveMinimum } = schema
    return [
      ...(types.includes('string') && !isListed && schema.maxLength === undefined && !isShort(schema)
        ? [`${path} has no maxLength`].filter(() => !inFiles.test(path))
        : []),
      ...(isNumber && !isListed && (minimum === undefined || schema.maximum === undefined)
        ? [`${path} has no bounds`]
        : []),
      ...(schema.pattern !== undefined && schema.pattern !== '\\S' && schema.fault === undefined
        ? [`${path} does not say what form it has`]
        : []),
      ...(schema.items === undefined ? [] : findFaults(schema.items, `${path}[]`)),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => findFaults(one, `${path}.${name}`)),
      ...(schema.anyOf ?? []).flatMap(option => findFaults(option, path)),
    ]
  }
  assert.deepEqual(
    endpoints.flatMap(endpoint =>
      [endpoint.body, endpoint.query].flatMap(schema =>
        schema === undefined ? [] : findFaults(schema, nameOf(endpoint)),
      ),
    ),
    [],
  )
})

/** Returns a hash of the content of every table. */
async function hashTables(): Promise<Record<string, string>> {
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
  client: { partnerId: ownRecords['/v1/partners/:partnerId'] as string, reach: ['all', 'clients'] },
  carrier: {
    partnerId: (await admin.get('/v1/partners?Relationship=2')).body.partners[0].id as string,
    reach: ['all', 'carriers'],
  },
}
/** Bodies about the caller's own partner, for endpoints whose smallest body is about another one. */
const bodiesOfPartners: Record<string, unknown> = {
  'POST /v1/consignment-imports': request(),
  'POST /v1/consignment-imports/csv': {
    ...{ consignmentType: 2, clientCode: 'KAURI', dryRun: true },
    file: { fileName: 'orders.csv', contentType: 'text/csv', content: '' },
  },
  'POST /v1/consignment-imports/reconcile-many': { kind: 'product', code: 'PLOM', replacement: null },
  'POST /v1/webhook-subscriptions/create': { webhookUrl: 'https://127.0.0.1:1/', eventType: 101 },
}

for (const [kind, { partnerId, reach }] of Object.entries(partnersOf)) {
  const partnerUser = as(admin, { partnerId })
  const ownUrl = ({ path }: Endpoint) => fill(path, parameter => ownRecords[parameter] as string)

  test(`the token of a ${kind} is refused at every endpoint that is not for it, with a reason, and nothing changes`, async () => {
    const refused = endpoints.filter(({ access }) => !reach.includes(access.partners))
    assert.ok(refused.length > 50)
    const before = await hashTables()
    for (const endpoint of refused) {
      // A malformed body, to show that the refusal precedes parsing.
      const type = { 'content-type': 'application/json' }
      const malformed = await app.inject({
        method: endpoint.method,
        url: ownUrl(endpoint),
        headers: { authorization: partnerUser.authorization, ...(endpoint.body === undefined ? {} : type) },
        ...(endpoint.body === undefined ? {} : { payload: '{' }),
      })
      for (const response of [
        malformed,
        await call(partnerUser, endpoint, ownUrl(endpoint), bodyOf(endpoint)),
      ]) {
        const [status, messages] = refusalOf(response)
        assert.equal(status, 403, nameOf(endpoint))
        assert.equal(messages.length, 1)
        assert.match(messages[0], new RegExp(`^A token that belongs to a ${kind} cannot [a-z].*[^.]\\.$`))
      }
    }
    assert.deepEqual(await hashTables(), before)
  })

  test(`the token of a ${kind} is accepted at every endpoint that is for it`, async () => {
    for (const endpoint of endpoints.filter(({ access }) => reach.includes(access.partners))) {
      const body = bodiesOfPartners[nameOf(endpoint)] ?? bodyOf(endpoint)
      // Deletes unknown ids, because later endpoints need the records.
      const url = endpoint.method === 'DELETE' ? fill(endpoint.path, () => uuidv7()) : ownUrl(endpoint)
      const { statusCode, body: text } = await call(partnerUser, endpoint, url, body)
      assert.notEqual(statusCode, 403, `${nameOf(endpoint)}: ${text}`)
      assert.ok(statusCode < 500, nameOf(endpoint))
    }
  })

  test(`a partner in a path is replaced by the ${kind}'s own`, async () => {
    const otherPartnerId = foreignRecords['/v1/partners/:partnerId'] as string
    for (const endpoint of endpoints) {
      const hasPartner = endpoint.path.includes(':partnerId')
      assert.equal(endpoint.access.partnerParam, hasPartner ? 'partnerId' : undefined, nameOf(endpoint))
      if (!hasPartner || endpoint.method !== 'GET' || !reach.includes(endpoint.access.partners)) continue
      const urlOf = (id: string) =>
        fill(endpoint.path, parameter =>
          parameter === '/v1/partners/:partnerId' ? id : (ownRecords[parameter] as string),
        )
      const [ownResponse, otherResponse] = [
        await call(partnerUser, endpoint, urlOf(partnerId)),
        await call(partnerUser, endpoint, urlOf(otherPartnerId)),
      ]
      const comparable = ({ statusCode, body }: typeof ownResponse) => [
        statusCode,
        body.replace(/"RequestId":"[^"]*"/, ''),
      ]
      assert.deepEqual(comparable(otherResponse), comparable(ownResponse), nameOf(endpoint))
    }
  })
}

/** Records of the organisation that partners share: whoever may read any of them may read all. */
const isShared = (parameter: string) =>
  /:(id|warehouse(Zone|Location)?Id|(service|task|consumable)TypeId|printerId)$/.test(parameter) ||
  sharedRecords.includes(parameter)

for (const [kind, { reach }] of Object.entries(partnersOf)) {
  test(`the token of another ${kind} neither reads nor changes what is not its own`, async () => {
    const relationship = kind === 'client' ? Relationship.Client : Relationship.Carrier
    const created = await admin.post('/v1/partners', { name: 'Another', code: 'ANO', relationship })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const other = as(admin, { partnerId: created.body.partnerId })
    const reached = endpoints.filter(({ access }) => reach.includes(access.partners))
    const address = ({ path }: Endpoint) => addressOf(ownRecords, path)
    // A partner in a path is replaced by the token's own.
    const isOfAnother = ({ path }: Endpoint) =>
      parameters(path).some(parameter => !isShared(parameter) && parameter !== '/v1/partners/:partnerId')
    const before = await hashTables()
    for (const endpoint of reached.filter(isOfAnother)) {
      const { statusCode, body } = await call(other, endpoint, address(endpoint), bodyOf(endpoint))
      assert.equal(statusCode, 404, `${nameOf(endpoint)}: ${body.slice(0, 300)}`)
    }
    assert.deepEqual(await hashTables(), before)
    const others = Object.entries(ownRecords).filter(([parameter]) => !isShared(parameter))
    const names = ['Kauri Foods', 'KAURI', 'APPLE', 'PLUM', 'Swift'].map(name => [name, name] as const)
    const isRead = ({ method, path }: Endpoint) => method === 'GET' || path.startsWith('/v1/reports')
    for (const endpoint of reached.filter(one => isRead(one) && !isOfAnother(one))) {
      const url = `${address(endpoint)}${queries[nameOf(endpoint)] ?? ''}`
      const { statusCode, body } = await call(other, endpoint, url, bodyOf(endpoint))
      assert.ok(statusCode < 500, nameOf(endpoint))
      for (const [what, text] of [...others, ...names])
        assert.ok(!body.includes(text), `${nameOf(endpoint)} shows ${what}`)
    }
    await admin.put(`/v1/partners/${created.body.partnerId}`, { code: `ANO-${kind}` })
  })
}
