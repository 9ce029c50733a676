// The OpenAPI 3.1 document, generated from the endpoints.

import type { TSchema } from 'typebox'
import {
  beginDescribing,
  type Described,
  describe,
  describeFields,
  type Enumeration,
  type Json,
} from './described-schema.ts'
import type { Answer, Endpoint } from './endpoint.ts'
import { isTagged } from './entity-tag.ts'
import { errorSchema } from './fault.ts'
import { partnersInWords } from './partner-access.ts'
import { addRecorded, type RecordedExamples } from './recorded-examples.ts'
import type { Scope } from './scopes.ts'

/** What the document says about the service itself. */
export interface About {
  version: string
  /** where the API is */
  baseUrl: string
  /** where tokens come from */
  authUrl: string
  /** what the endpoints below `/v1/<name>` are for, by name */
  tags: Readonly<Record<string, string>>
  /** what somebody has to know before the first call, in Markdown */
  introduction: string
  /** each scope as a person understands it */
  scopes: Readonly<Record<Scope, string>>
  /** what a field or parameter of this name means */
  termOf(name: string): string | undefined
  /** every enumeration by its name */
  enumerations: Readonly<Record<string, Enumeration>>
  /** bodies to begin with, by method and path */
  examples: Readonly<Record<string, unknown>>
  /** what endpoints have answered */
  recorded: RecordedExamples
  /** what subscribers are sent, by the type of the event */
  webhooks: Readonly<Record<string, Webhook>>
}

/** What subscribers are sent. */
export interface Webhook {
  summary: string
  description: string
  /** the names of headers and what they hold */
  headers: Readonly<Record<string, string>>
  body: TSchema
}

const errorAnswers: Record<number, string> = {
  400:
    'The request is malformed (Validation Failed) or does not fit the current records (Verification ' +
    'Failed).',
  401: 'The access token is missing, expired or not valid.',
  403: 'The token lacks the scope, or belongs to a client or carrier whose people may not do this.',
  404: 'There is no such record, or it is not accessible.',
  412: 'The record is not the one that If-Match names; nothing was changed.',
  409: 'The request conflicts with an existing record.',
  413: 'The body is larger than the endpoint accepts.',
  415: 'The body is not JSON.',
  422: 'The request is valid but its file content cannot be processed.',
  429: 'A rate limit is exceeded.',
  500: 'A defect of the service, which its log tells by the request id.',
  503: 'The service cannot answer at the moment.',
}

/** The statuses of refusal that an endpoint may answer with. */
function refusalStatuses(endpoint: Endpoint): number[] {
  const always = [400, 401, 429, 500, 503]
  const isForAll = endpoint.scope === 'any' && endpoint.partners === 'all'
  const scoped = isForAll && endpoint.method === 'GET' ? [] : [403]
  const found = endpoint.path.includes(':') ? [404] : []
  const body = endpoint.method === 'GET' ? [] : [412, 413, 415]
  return [...new Set([...always, ...scoped, ...found, ...body, ...endpoint.refuses])].toSorted(
    (a, b) => a - b,
  )
}

function answerStatuses(endpoint: Endpoint): number[] {
  const { kind, status, meanings } = endpoint.answer
  if (kind === 'status') return Object.keys(meanings ?? {}).map(Number)
  return kind === 'changed' || isTagged(endpoint) ? [status, 304] : [status]
}

/** Every status that an endpoint may answer with. */
export function documentedStatuses(endpoint: Endpoint): number[] {
  return [...answerStatuses(endpoint), ...refusalStatuses(endpoint)]
}

const theFile: Json = {
  200: {
    description: 'The file.',
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  },
}

/** Rows, which a caller that accepts CSV gets as a table. */
const rowsOrTable = (schema: TSchema, described: Described): Json => {
  const table = { type: 'string', description: 'A table, its first line the names of the fields.' }
  const content = {
    'application/json': { schema: describe(schema, described) },
    'text/csv': { schema: table },
  }
  return { 200: { description: 'The rows; a table where the caller accepts text/csv.', content } }
}

function answers(endpoint: Endpoint, described: Described): Json {
  const { kind, status, schema, meanings }: Answer<unknown> = endpoint.answer
  switch (kind) {
    case 'status':
      return Object.fromEntries(
        Object.entries(meanings ?? {}).map(([code, description]) => [code, { description }]),
      )
    case 'changed':
      return {
        200: {
          description: 'Updated.',
          ...(schema === undefined
            ? {}
            : { content: { 'application/json': { schema: describe(schema, described) } } }),
        },
        304: { description: 'Nothing changed.' },
      }
    case 'empty':
      return { [status]: { description: 'Done.' } }
    case 'events': {
      const text = { type: 'string', description: 'Messages, each with an id and an event as data.' }
      const content = {
        'application/json': { schema: describe(schema, described) },
        'text/event-stream': { schema: text },
      }
      return { [status]: { description: 'Success; a stream where the caller accepts one.', content } }
    }
    case 'stream':
    case 'file':
      return schema === undefined ? theFile : rowsOrTable(schema, described)
    default: {
      const content = { 'application/json': { schema: describe(schema, described) } }
      const description =
        status === 201 ? 'Created.' : status === 202 ? 'Accepted; it is done in the background.' : 'Success.'
      const text = { type: 'string' }
      const headers = {
        ...(status === 201 ? { Location: { description: 'The new record.', schema: text } } : {}),
        ...(isTagged(endpoint)
          ? { ETag: { description: 'For If-Match and If-None-Match.', schema: text } }
          : {}),
      }
      return {
        [status]: { description, ...(Object.keys(headers).length === 0 ? {} : { headers }), content },
        ...(isTagged(endpoint) ? { 304: { description: 'As If-None-Match names it.' } } : {}),
      }
    }
  }
}

/** `faf-profiles` as `FAF profiles`. */
function heading(tag: string): string {
  const words = tag.replaceAll('-', ' ').replace(/^(dg|faf)\b/, abbreviation => abbreviation.toUpperCase())
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const inCapitals = (words: readonly string[]) =>
  words.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')

/** The component that a schema refers to. */
const componentOf = ({ $ref }: Json, { components }: Described): Json | undefined =>
  typeof $ref === 'string' ? components.get($ref.split('/').at(-1) as string) : undefined

function parameters(endpoint: Endpoint, described: Described): Json[] {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))
  const { properties = {}, required = [] } = (endpoint.query ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  const inQuery = Object.entries(describeFields(properties, described)).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name) && schema.default === undefined,
      description: description ?? componentOf(schema, described)?.description,
      schema,
    }),
  )
  return [...inPath, ...inQuery, ...conditions(endpoint)]
}

/** The headers that say what a request depends on: what its record is at that moment, or what was read. */
function conditions(endpoint: Endpoint): Json[] {
  const condition = (name: string, description: string) => [
    { name, in: 'header', required: false, description, schema: { type: 'string' } },
  ]
  if (endpoint.answer.kind === 'events')
    return condition(
      'Last-Event-ID',
      'Of a stream: the id of the last message that came. Goes before `After`.',
    )
  if (isTagged(endpoint))
    return condition('If-None-Match', 'The ETag of an earlier answer: 304 while it would be the same.')
  if (!endpoint.path.includes(':') || endpoint.method === 'GET') return []
  return condition(
    'If-Match',
    "The ETag of the record's GET: 412, and nothing is changed, when it is another now.",
  )
}

function operation(endpoint: Endpoint, described: Described, examples: About['examples']): Json {
  const refusals = refusalStatuses(endpoint).map(status => [
    status,
    status === 429 || status === 503
      ? { $ref: '#/components/responses/RetryLater' }
      : { $ref: `#/components/responses/Refusal${status}` },
  ])
  const wanted = endpoint.scope === 'any' ? [] : [endpoint.scope].flat()
  const inputs = parameters(endpoint, described)
  const tag = endpoint.path.split('/')[2] as string
  const example = examples[`${endpoint.method} ${endpoint.path}`]
  return {
    operationId: endpoint.name,
    tags: [tag],
    summary: endpoint.summary,
    description: [endpoint.description ?? [], partnersInWords[endpoint.partners]].flat().join('\n\n'),
    'x-partners': endpoint.partners,
    ...(endpoint.extension ? { 'x-extension': true } : {}),
    security: (wanted.length === 0 ? [[]] : wanted.map(scope => [scope])).flatMap(needed => [
      { oauth2: needed },
      { accessToken: needed },
    ]),
    ...(inputs.length === 0 ? {} : { parameters: inputs }),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: {
              'application/json': {
                schema: describe(endpoint.body, described),
                ...(example === undefined ? {} : { example }),
              },
            },
          },
        }),
    responses: { ...answers(endpoint, described), ...Object.fromEntries(refusals) },
  }
}

/** What a receiver is sent, and what it may answer. */
const told = (
  type: string,
  { summary, description, headers, body }: Webhook,
  described: Described,
): Json => ({
  operationId: `on${inCapitals(type.split(/[.-]/))}`,
  summary,
  description,
  security: [],
  parameters: Object.entries(headers).map(([name, meaning]) => ({
    name,
    in: 'header',
    required: name === 'X-Service-Signature',
    description: meaning,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': { schema: describe(body, described) } } },
  responses: {
    '2XX': {
      description:
        'Taken. Anything else, or nothing within 30 seconds, is a failure, and the same is sent again.',
    },
  },
})

const jsonError = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** Answers that many operations share: one for each status of refusal that is used. */
function sharedResponses(endpoints: readonly Endpoint[]): Json {
  const used = new Set(endpoints.flatMap(refusalStatuses))
  const refusals = Object.entries(errorAnswers)
    .filter(([status]) => status !== '429' && status !== '503' && used.has(Number(status)))
    .map(([status, description]) => [`Refusal${status}`, { description, content: jsonError }])
  return {
    ...Object.fromEntries(refusals),
    RetryLater: {
      description:
        'Too many requests (429) or not available (503): the same request may be sent again later.',
      headers: {
        'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer' } },
        RateLimit: {
          description: 'What is left of the limit, such as `"standard";r=0;t=12`. Other answers have it too.',
          schema: { type: 'string' },
        },
        'RateLimit-Policy': {
          description: 'The limit itself, such as `"standard";q=3000;w=60`.',
          schema: { type: 'string' },
        },
      },
      content: jsonError,
    },
  }
}

/** How a caller comes to a token, or shows one. */
const securitySchemes = ({ baseUrl, authUrl, scopes }: About): Json => ({
  oauth2: {
    type: 'oauth2',
    description:
      'An app that signs people in can be used from the reference page once its redirect URIs have ' +
      `${baseUrl}/docs. Tick the scopes that the app has before you authorise it.`,
    flows: {
      authorizationCode: {
        authorizationUrl: `${authUrl}/connect/authorize`,
        tokenUrl: `${authUrl}/connect/token`,
        refreshUrl: `${authUrl}/connect/token`,
        scopes,
        'x-scalar-redirect-uri': `${baseUrl}/docs`,
      },
      clientCredentials: { tokenUrl: `${authUrl}/connect/token`, scopes },
    },
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token that you have already.',
  },
})

const byName = (components: ReadonlyMap<string, Json>): Json =>
  Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The whole document. */
export function openApiDocument(endpoints: readonly Endpoint[], about: About): Json {
  const described = beginDescribing(about.termOf, about.enumerations)
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint, described, about.examples)
  }
  const responses = sharedResponses(endpoints)
  addRecorded(paths, responses, about.recorded)
  const webhooks = Object.fromEntries(
    Object.entries(about.webhooks).map(([type, webhook]) => [type, { post: told(type, webhook, described) }]),
  )
  const tags = [...new Set(endpoints.map(({ path }) => path.split('/')[2] as string))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waybill',
      version: about.version,
      summary: 'Warehouse and consignment management',
      description: about.introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.baseUrl }],
    tags: tags.map(name => ({ name, 'x-displayName': heading(name), description: about.tags[name] })),
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(about),
      responses,
      schemas: { Error: errorSchema, ...byName(described.components) },
    },
  }
}
