// The OpenAPI 3.1 document, generated from the endpoints.

import type { TSchema } from 'typebox'
import {
  type DocumentState,
  describeFields,
  describeSchema,
  type Enumeration,
  type Json,
  startDocument,
} from './describe-schema.ts'
import type { Endpoint, ResponseSpec } from './endpoint.ts'
import { hasEntityTag } from './entity-tag.ts'
import { errorDescriptions, errorStatuses } from './error-statuses.ts'
import { errorSchema } from './fault.ts'
import { addRecordedExamples, type RecordedExamples } from './recorded-examples.ts'
import { rehearsalHeader } from './rehearsal.ts'

/** Who may call an endpoint, as the document says it. */
export interface AccessInWords {
  sentence: string
  /** the scopes of which a token needs one; none: every token will do */
  scopes: readonly string[]
  /** the same for programs: fields that begin with `x-` */
  extensions: Json
}

/** Everything that the document needs besides the endpoints. */
export interface DocumentContent<Access> {
  version: string
  /** the base URL of the API */
  baseUrl: string
  /** the base URL of the authorisation server */
  authUrl: string
  /** the purpose of the endpoints below `/v1/<name>`, by name */
  tags: Readonly<Record<string, string>>
  /** the groups of these names, by heading */
  tagGroups: Readonly<Record<string, readonly string[]>>
  /** the guide that the document begins with, in Markdown */
  introduction: string
  /** what each scope allows, in words */
  scopes: Readonly<Record<string, string>>
  describeAccess(endpoint: Endpoint<Access>): AccessInWords
  /** what the status 403 means */
  forbidden: string
  /** what a field or parameter with this name means */
  termOf(name: string): string | undefined
  /** every enumeration, by name */
  enumerations: Readonly<Record<string, Enumeration>>
  /** example request bodies, by method and path */
  examples: Readonly<Record<string, unknown>>
  /** the answer to a rehearsal */
  rehearsal?: TSchema
  /** recorded example responses */
  recorded: RecordedExamples
  /** the webhooks by event type */
  webhooks: Readonly<Record<string, Webhook>>
}

/** A webhook as the document describes it. */
export interface Webhook {
  summary: string
  description: string
  /** what each header contains, by name */
  headers: Readonly<Record<string, string>>
  body: TSchema
}

function successStatuses(endpoint: Endpoint): number[] {
  const { kind, status, meanings } = endpoint.response
  if (kind === 'status') return Object.keys(meanings ?? {}).map(Number)
  return kind === 'changed' || hasEntityTag(endpoint) ? [status, 304] : [status]
}

/** Every status that an endpoint may return. */
export function documentedStatuses(endpoint: Endpoint): number[] {
  return [...successStatuses(endpoint), ...errorStatuses(endpoint)]
}

const fileResponse = (contentTypes: readonly string[] = ['application/octet-stream']): Json => {
  const schema = { type: 'string', format: 'binary' }
  const content = Object.fromEntries(contentTypes.map(type => [type, { schema }]))
  return { 200: { description: 'The file.', content } }
}

/** The response with rows: a JSON array, or a table for a caller that accepts CSV. */
const rowsResponse = (schema: TSchema, state: DocumentState): Json => {
  const table = { type: 'string', description: 'A table whose first line has the names of the fields.' }
  const content = {
    'application/json': { schema: describeSchema(schema, state) },
    'text/csv': { schema: table },
  }
  return { 200: { description: 'The rows; a table if the caller accepts text/csv.', content } }
}

/** The success responses of an endpoint. */
function successResponses(endpoint: Endpoint, state: DocumentState): Json {
  const { kind, status, schema, meanings, contentTypes }: ResponseSpec<unknown> = endpoint.response
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
            : { content: { 'application/json': { schema: describeSchema(schema, state) } } }),
        },
        304: { description: 'Nothing changed.' },
      }
    case 'empty':
      return { [status]: { description: 'Done.' } }
    case 'events': {
      const text = { type: 'string', description: 'Messages, each with an id and an event as data.' }
      const content = {
        'application/json': { schema: describeSchema(schema, state) },
        'text/event-stream': { schema: text },
      }
      return {
        [status]: { description: 'Success; a stream if the caller accepts one.', content },
      }
    }
    case 'stream':
    case 'file':
      return schema === undefined ? fileResponse(contentTypes) : rowsResponse(schema, state)
    default: {
      const content = { 'application/json': { schema: describeSchema(schema, state) } }
      const description =
        status === 201 ? 'Created.' : status === 202 ? 'Accepted; processed in the background.' : 'Success.'
      const text = { type: 'string' }
      const headers = {
        ...(status === 201 ? { Location: { description: 'The new record.', schema: text } } : {}),
        ...(hasEntityTag(endpoint)
          ? { ETag: { description: 'For If-Match and If-None-Match.', schema: text } }
          : {}),
      }
      return {
        [status]: { description, ...(Object.keys(headers).length === 0 ? {} : { headers }), content },
        ...(hasEntityTag(endpoint) ? { 304: { description: 'Same ETag as in If-None-Match.' } } : {}),
      }
    }
  }
}

/** Converts `faf-profiles` to `FAF profiles`. */
function headingOf(tag: string): string {
  const words = tag.replaceAll('-', ' ').replace(/^(dg|faf)\b/, abbreviation => abbreviation.toUpperCase())
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const toPascalCase = (words: readonly string[]) =>
  words.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')

/** Returns the component that a schema refers to, if it is a reference. */
const componentOf = ({ $ref }: Json, { components }: DocumentState): Json | undefined =>
  typeof $ref === 'string' ? components.get($ref.split('/').at(-1) as string) : undefined

function parameters(endpoint: Endpoint, state: DocumentState): Json[] {
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
  const inQuery = Object.entries(describeFields(properties, state)).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name) && schema.default === undefined,
      description: description ?? componentOf(schema, state)?.description,
      schema,
    }),
  )
  return [...inPath, ...inQuery, ...conditionHeaders(endpoint), ...rehearsalHeader(endpoint)]
}

/** The headers that make a request conditional on an ETag, or resume a stream after an event. */
function conditionHeaders(endpoint: Endpoint): Json[] {
  const header = (name: string, description: string) => [
    { name, in: 'header', required: false, description, schema: { type: 'string' } },
  ]
  if (endpoint.response.kind === 'events')
    return header(
      'Last-Event-ID',
      'For a stream: the id of the last message received. Takes precedence over `After`.',
    )
  if (hasEntityTag(endpoint))
    return header('If-None-Match', 'The ETag of an earlier response. Returns 304 if it is unchanged.')
  if (!endpoint.path.includes(':') || endpoint.method === 'GET') return []
  return header(
    'If-Match',
    "The ETag from the record's GET. Returns 412 and changes nothing if the record has another one now.",
  )
}

function operation<Access>(
  endpoint: Endpoint<Access>,
  state: DocumentState,
  { examples, describeAccess, rehearsal }: DocumentContent<Access>,
): Json {
  const errors = errorStatuses(endpoint).map(status => [
    status,
    status === 429 || status === 503
      ? { $ref: '#/components/responses/RetryLater' }
      : { $ref: `#/components/responses/Refusal${status}` },
  ])
  const { sentence, scopes, extensions } = describeAccess(endpoint)
  const inputs = parameters(endpoint, state)
  const tag = endpoint.path.split('/')[2] as string
  const example = examples[`${endpoint.method} ${endpoint.path}`]
  return {
    operationId: endpoint.name,
    tags: [tag],
    summary: endpoint.summary,
    description: [endpoint.description ?? [], sentence].flat().join('\n\n'),
    ...extensions,
    ...(endpoint.extension ? { 'x-extension': true } : {}),
    ...(endpoint.canBeRehearsed ? { 'x-rehearsal': describeSchema(rehearsal, state) } : {}),
    security: (scopes.length === 0 ? [[]] : scopes.map(scope => [scope])).flatMap(required => [
      { oauth2: required },
      { accessToken: required },
    ]),
    ...(inputs.length === 0 ? {} : { parameters: inputs }),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: {
              'application/json': {
                schema: describeSchema(endpoint.body, state),
                ...(example === undefined ? {} : { example }),
              },
            },
          },
        }),
    responses: { ...successResponses(endpoint, state), ...Object.fromEntries(errors) },
  }
}

/** The operation of a webhook: what the receiver is sent and how it should respond. */
const webhookOperation = (
  type: string,
  { summary, description, headers, body }: Webhook,
  state: DocumentState,
): Json => ({
  operationId: `on${toPascalCase(type.split(/[.-]/))}`,
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
  requestBody: { required: true, content: { 'application/json': { schema: describeSchema(body, state) } } },
  responses: {
    '2XX': {
      description:
        'Received. Any other status, or none within 30 seconds, is a failure, and the event is sent again.',
    },
  },
})

const jsonError = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** The responses that many operations share: one for each error status in use. */
function sharedResponses(endpoints: readonly Endpoint[], forbidden: string): Json {
  const used = new Set(endpoints.flatMap(errorStatuses))
  const refusals = Object.entries<string>({ ...errorDescriptions, 403: forbidden })
    .filter(([status]) => status !== '429' && status !== '503' && used.has(Number(status)))
    .map(([status, description]) => [`Refusal${status}`, { description, content: jsonError }])
  return {
    ...Object.fromEntries(refusals),
    RetryLater: {
      description: 'Too many requests (429) or unavailable (503): the same request may be sent again later.',
      headers: {
        'Retry-After': { description: 'Seconds to wait, a whole number.', schema: { type: 'integer' } },
        RateLimit: {
          description: 'What is left of the limit: `"standard";r=0;t=12`. Other responses have it too.',
          schema: { type: 'string' },
        },
        Outcome: {
          description:
            '`unknown` (503 only): the request may have been carried out. Repeat it with its ' +
            'idempotencyKey or operationId, or look it up.',
          schema: { type: 'string', enum: ['unknown'] },
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

/** How a caller gets a token, or uses one that it already has. */
const securitySchemes = ({ baseUrl, authUrl, scopes }: DocumentContent<never>): Json => ({
  oauth2: {
    type: 'oauth2',
    description:
      'An app that signs people in can be used from the reference page if its redirect URIs include ' +
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
    description: 'An access token that you already have.',
  },
})

const byName = (components: ReadonlyMap<string, Json>): Json =>
  Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Builds the whole document. */
export function openApiDocument<Access>(
  endpoints: readonly Endpoint<Access>[],
  content: DocumentContent<Access>,
): Json {
  const state = startDocument(content.termOf, content.enumerations)
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint, state, content)
  }
  const responses = sharedResponses(endpoints, content.forbidden)
  addRecordedExamples(paths, responses, content.recorded)
  const webhooks = Object.fromEntries(
    Object.entries(content.webhooks).map(([type, hook]) => [
      type,
      { post: webhookOperation(type, hook, state) },
    ]),
  )
  const tags = [...new Set(endpoints.map(({ path }) => path.split('/')[2] as string))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waybill',
      version: content.version,
      summary: 'Warehouse and consignment management',
      description: content.introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: content.baseUrl }],
    tags: tags.map(name => ({ name, 'x-displayName': headingOf(name), description: content.tags[name] })),
    'x-tagGroups': Object.entries(content.tagGroups).map(([name, group]) => ({ name, tags: group })),
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(content),
      responses,
      schemas: { Error: errorSchema, ...byName(state.components) },
    },
  }
}
