// The field and code of each fault, for programs.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { accessRules } from '../../../src/access/access-rules.ts'
import { endpoint } from '../../../src/access/endpoint.ts'
import { perMinute } from '../../../src/access/limits.ts'
import { changed, done, json } from '../../../src/platform/http/endpoint.ts'
import { collectEntryFaults, collectFaults } from '../../../src/platform/http/entry-faults.ts'
import {
  type ErrorCode,
  errorCodes,
  type Fault,
  faultAt,
  floorErrorCodes,
} from '../../../src/platform/http/fault.ts'
import {
  conflict,
  duplicate,
  Refusal,
  unauthorised,
  unavailable,
  unprocessable,
  verificationFailed,
} from '../../../src/platform/http/refusal.ts'
import {
  Code,
  Decimal,
  Email,
  IntegerEnum,
  PlainDate,
  Type,
  Uuid,
} from '../../../src/platform/http/schema.ts'
import { openServer } from '../../../src/platform/http/server.ts'
import { createValidation } from '../../../src/platform/http/validation.ts'
import { createLimitsInMemory } from '../../../src/platform/limits/limits.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { noDatabase } from '../../support/no-database.ts'

const { body } = createValidation()

test('every fault that a schema finds has the code for its keyword and the path of its field', () => {
  for (const [schema, value, code] of [
    [Uuid, 1, 'type'],
    [Type.Integer(), 1.5, 'type'],
    [Type.Array(Uuid), {}, 'type'],
    [Uuid, 'x', 'format'],
    [PlainDate, '2026-02-30', 'format'],
    [Email, 'x', 'format'],
    [Type.Integer({ minimum: 5 }), 4, 'range'],
    [Type.Integer({ maximum: 5 }), 6, 'range'],
    [Type.Number({ exclusiveMinimum: 0 }), 0, 'range'],
    [Type.Number({ exclusiveMaximum: 0 }), 0, 'range'],
    [Decimal(2), 0.001, 'range'],
    [Type.Number(), Number.POSITIVE_INFINITY, 'range'],
    [Code, '', 'length'],
    [Code, ' ', 'length'],
    [Code, 'x'.repeat(51), 'length'],
    [Type.Array(Type.String(), { minItems: 1 }), [], 'length'],
    [Type.Array(Type.String(), { maxItems: 0 }), ['x'], 'length'],
    [IntegerEnum({ One: 1 }), 2, 'enum'],
    [IntegerEnum({ One: 1 }), 'x', 'enum'],
    [Type.Unsafe({ const: 7 }), 8, 'enum'],
    [Type.String({ pattern: '^[A-Z]$' }), 'a', 'pattern'],
    [Type.String({ pattern: '^[A-Z]$', fault: 'must be a capital' }), 'a', 'pattern'],
    [Type.Array(Type.Integer(), { uniqueItems: true }), [1, 1], 'duplicate'],
    [Type.Integer({ rule: () => [{ path: '', problem: 'is odd' }] }), 1, 'invalid'],
    [Type.Integer({ rule: () => [{ path: '', problem: 'is odd', code: 'range' }] }), 1, 'range'],
  ] as const) {
    const check = body(Type.Object({ products: Type.Array(Type.Object({ given: schema })) }))
    const [fault, ...others] = check({ products: [{ given: value }] })
    assert.deepEqual([fault?.path, fault?.code], ['products[0].given', code], fault?.message)
    assert.deepEqual(others, [])
  }
  const [missing] = body(Type.Object({ lines: Type.Array(Type.Object({ name: Code })) }))({ lines: [{}] })
  assert.deepEqual(missing, {
    path: 'lines[0].name',
    code: 'required',
    message: 'lines[0].name is required.',
  })
  assert.deepEqual(body(Type.Object({}))([]), [
    { path: null, code: 'type', message: 'The body must be an object.' },
  ])
})

const id = '019a9d3e-7c7b-7d55-a1c5-0123456789ab'
/** The error that the handler throws, by the value of the query parameter `Is`. */
const refusals: Record<string, () => Error> = {
  unknown: () =>
    verificationFailed(faultAt('lines[0].productId', 'does not refer to a product', 'unknown_reference')),
  state: () => verificationFailed('The consignment is Closed.'),
  duplicate: () => duplicate('code', 'A warehouse with the code DUP already exists.'),
  conflict: () => conflict('The import waits no more.'),
  unprocessable: () => unprocessable('The file cannot be processed.'),
  away: () => unavailable('The database is not available.'),
  defect: () => new Error('of ours'),
}

const thing = { partners: 'all', scope: 'any', summary: 'Thing' } as const
const app = openServer({
  endpoints: [
    endpoint({
      ...{ ...thing, post: '/v1/things', name: 'makeThing' },
      query: Type.Object({ N: Type.Optional(Type.Integer({ maximum: 5 })) }),
      body: Type.Object({
        code: Code,
        kind: Type.Optional(IntegerEnum({ One: 1 })),
        size: Type.Optional(Type.Integer({ rule: () => [{ path: '', problem: 'is odd' }] })),
      }),
      response: done,
      handle: async () => {},
    }),
    endpoint({
      ...thing,
      get: '/v1/report',
      name: 'report',
      scope: 'report',
      response: done,
      async handle() {},
    }),
    endpoint({
      ...thing,
      put: '/v1/things/:thingId',
      name: 'changeThing',
      response: changed,
      handle: async () => true,
    }),
    endpoint({
      ...{ ...thing, get: '/v1/answers', name: 'answers', response: json(Type.Object({})) },
      query: Type.Object({ Is: Type.String() }),
      async handle({ query: { Is } }) {
        throw refusals[Is]?.()
      },
    }),
  ],
  database: noDatabase,
  metrics: createMetrics(),
  log: pino({ level: 'silent' }),
  authenticate(authorization = '') {
    if (!/^Bearer o\d$/.test(authorization)) throw unauthorised('The access token is missing or not valid.')
    return {
      organisationId: authorization.slice('Bearer '.length),
      ...{ connectionId: 'c', userId: 'u', clientId: 'a', partnerId: null, partnerKind: null },
      scopes: new Set<string>(),
    }
  },
  access: accessRules,
  limits: createLimitsInMemory(perMinute),
  formats: {},
})
after(() => app.close())

/** A request: its method, URL, body and further headers. */
type TestRequest = readonly ['GET' | 'POST' | 'PUT', string, unknown?, Record<string, string>?]

async function faultsOf([method, url, payload, headers = {}]: TestRequest): Promise<Fault[]> {
  const response = await app.inject({
    ...{ method, url },
    headers: { authorization: 'Bearer o1', 'content-type': 'application/json', ...headers },
    ...(payload === undefined
      ? {}
      : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  })
  const { ErrorMessages, ErrorDetails } = response.json()
  assert.deepEqual(
    ErrorDetails.map(({ message }: Fault) => message),
    ErrorMessages,
  )
  return ErrorDetails
}

type RequestCode = Exclude<ErrorCode, 'rate_limited' | keyof typeof floorErrorCodes>
const requests: Record<RequestCode, readonly [TestRequest, path: string | null]> = {
  required: [['POST', '/v1/things', {}], 'code'],
  type: [['POST', '/v1/things', { code: 1 }], 'code'],
  format: [['PUT', '/v1/things/x'], 'thingId'],
  range: [['POST', '/v1/things?N=6', { code: 'x' }], 'N'],
  length: [['POST', '/v1/things', { code: ' ' }], 'code'],
  enum: [['POST', '/v1/things', { code: 'x', kind: 2 }], 'kind'],
  pattern: [['POST', '/v1/things', { code: 'x\0' }], 'code'],
  invalid: [['POST', '/v1/things', { code: 'x', size: 1 }], 'size'],
  unknown_reference: [['GET', '/v1/answers?Is=unknown'], 'lines[0].productId'],
  duplicate: [['GET', '/v1/answers?Is=duplicate'], 'code'],
  conflict: [['GET', '/v1/answers?Is=conflict'], null],
  state: [['GET', '/v1/answers?Is=state'], null],
  not_found: [['GET', '/v1/nothing'], null],
  method_not_allowed: [['PUT', '/v1/things'], null],
  unauthorised: [['GET', '/v1/report', undefined, { authorization: '' }], null],
  forbidden: [['GET', '/v1/report'], null],
  too_large: [['POST', '/v1/things', { code: 'x'.repeat(1_100_000) }], null],
  unsupported_type: [['POST', '/v1/things', 'x', { 'content-type': 'text/plain' }], null],
  unprocessable: [['GET', '/v1/answers?Is=unprocessable'], null],
  precondition: [['POST', '/v1/things', { code: 'x' }, { 'if-match': '"x"' }], null],
  not_rehearsed: [['POST', '/v1/things', { code: 'x' }, { 'waybill-rehearse': 'true' }], null],
  unavailable: [['GET', '/v1/answers?Is=away'], null],
  internal: [['GET', '/v1/answers?Is=defect'], null],
}

test('every documented code is returned for some request, with the field that it is about', async () => {
  for (const [code, [request, path]] of Object.entries(requests)) {
    const [fault] = await faultsOf(request)
    assert.deepEqual([fault?.code, fault?.path], [code, path], fault?.message)
  }
  const frequent: TestRequest = ['PUT', `/v1/things/${id}`, undefined, { authorization: 'Bearer o2' }]
  for (let i = 0; i < 3_000; i++)
    await app.inject({ method: frequent[0], url: frequent[1], headers: frequent[3] ?? {} })
  const [limited] = await faultsOf(frequent)
  assert.deepEqual([limited?.code, limited?.path], ['rate_limited', null])
  const others = Object.keys(errorCodes).filter(code => !(code in floorErrorCodes))
  assert.deepEqual([...Object.keys(requests), 'rate_limited'].toSorted(), others.toSorted())
})

test('every code is documented in a sentence', () => {
  for (const meaning of Object.values(errorCodes)) assert.match(meaning, /^[A-Z].*\.$/)
})

/** Returns the refusal that a function throws. */
function refusalOf(work: () => void): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return assert.fail('nothing was refused')
}

test('faults of entries are reported in the order of the entries, each with its path and code', () => {
  const { refuse, of, throwIfAny } = collectEntryFaults('lines')
  throwIfAny()
  refuse(2, 'A-02 is Inactive', 'state')
  of(0)('the serial 7 is given twice', 'duplicate')
  assert.deepEqual(refusalOf(throwIfAny).faults, [
    {
      ...{ path: 'lines[0]', code: 'duplicate', message: 'The serial 7 is given twice.' },
      listedAs: 'lines[0]: the serial 7 is given twice.',
    },
    {
      ...{ path: 'lines[2]', code: 'state', message: 'A-02 is Inactive.' },
      listedAs: 'lines[2]: A-02 is Inactive.',
    },
  ])
})

test('a fault of an entry that is named in words has no path', () => {
  for (const faults of [collectFaults('words'), collectEntryFaults(n => `Line ${n + 1}`)]) {
    if ('add' in faults) faults.add('Line 1', 'it is not counted', 'state')
    else faults.refuse(0, 'it is not counted', 'state')
    assert.deepEqual(refusalOf(faults.throwIfAny).faults, [
      { path: null, code: 'state', message: 'Line 1: it is not counted.' },
    ])
  }
})

test('at most a hundred faults are listed, followed by a note that there are more', () => {
  const many = Array.from({ length: 101 }, (_, n) => faultAt(`lines[${n}]`, 'is wrong', 'range'))
  const further = { path: null, code: 'state', message: 'Further faults are not listed.' }
  assert.deepEqual(verificationFailed(...many).faults, [...many.slice(0, 100), further])
  assert.deepEqual(verificationFailed(...many.slice(1)).faults, many.slice(1))
})
