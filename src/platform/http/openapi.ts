// The OpenAPI 3.1 document, generated from the endpoints.

import type { TSchema } from 'typebox'
import type { Answer, Endpoint } from './endpoint.ts'
import { partnersInWords } from './partner-access.ts'
import { inWords } from './scopes.ts'

type Json = Record<string, unknown>

/** What the document says about the service itself. */
export interface About {
  version: string
  /** where the API is */
  baseUrl: string
  /** where tokens come from */
  authUrl: string
  /** what the endpoints below `/v1/<name>` are for, by name */
  tags: Readonly<Record<string, string>>
  /** what a field or parameter of this name means */
  termOf(name: string): string | undefined
  /** bodies to begin with, by method and path */
  examples: Readonly<Record<string, unknown>>
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

// Keywords of ours that mean nothing to a reader of the document.
const private_ = new Set(['rule', 'fault', 'decimals', 'trimmed', '~kind', '~optional', '~unsafe'])

/** The named schemas that were met so far, and what fields mean. */
interface Described {
  components: Map<string, Json>
  termOf: About['termOf']
}

/** Named schemas become components; the rest is copied without our own keywords. */
function describe(schema: unknown, described: Described): unknown {
  if (Array.isArray(schema)) return schema.map(part => describe(part, described))
  if (schema === null || typeof schema !== 'object') return schema
  const { components } = described
  const copy: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') copy[key] = describeFields(value as Record<string, TSchema>, described)
    else if (!private_.has(key)) copy[key] = describe(value, described)
  }
  if (copy.format === 'local-date-time') {
    copy.format = 'date-time'
    copy.description ??= 'Wall clock of the warehouse concerned, although it ends in Z.'
  }
  const { title } = copy
  if (typeof title !== 'string') return copy
  const known = components.get(title)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy)) {
    // The same record that may also be null is told apart by its type.
    if (JSON.stringify({ ...copy, type: known.type }) === JSON.stringify(known)) {
      return { anyOf: [{ $ref: `#/components/schemas/${title}` }, { type: 'null' }] }
    }
    throw new Error(`Two different schemas are called ${title}.`)
  }
  if (Array.isArray(copy.type)) {
    components.set(title, { ...copy, type: copy.type[0] })
    return { anyOf: [{ $ref: `#/components/schemas/${title}` }, { type: 'null' }] }
  }
  components.set(title, copy)
  return { $ref: `#/components/schemas/${title}` }
}

/** Fields by name, each with what its name means unless its schema says something itself. */
const describeFields = (fields: Record<string, TSchema>, described: Described): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const field = describe(schema, described) as Json
      const description = described.termOf(name)
      const isSilent =
        description !== undefined &&
        field.description === undefined &&
        field.$ref === undefined &&
        field.anyOf === undefined
      return [name, isSilent ? { ...field, description } : field]
    }),
  )

const errorAnswers: Record<number, string> = {
  400:
    'The request is malformed (Validation Failed) or does not fit the current records (Verification ' +
    'Failed).',
  401: 'The access token is missing, expired or not valid.',
  403: 'The token lacks the scope, or belongs to a client or carrier whose people may not do this.',
  404: 'There is no such record, or it is not accessible.',
  409: 'The request conflicts with an existing record.',
  413: 'The body is larger than the endpoint accepts.',
  415: 'The body is not JSON.',
  422: 'The request is valid but its file content cannot be processed.',
  429: 'A rate limit is exceeded.',
  503: 'The service cannot answer at the moment.',
}

/** The statuses of refusal that an endpoint may answer with. */
function refusalStatuses(endpoint: Endpoint): number[] {
  const always = [400, 401, 429, 503]
  const isForAll = endpoint.scope === 'any' && endpoint.partners === 'all'
  const scoped = isForAll && endpoint.method === 'GET' ? [] : [403]
  const found = endpoint.path.includes(':') ? [404] : []
  const body = endpoint.method === 'GET' ? [] : [413, 415]
  return [...new Set([...always, ...scoped, ...found, ...body, ...endpoint.refuses])].toSorted(
    (a, b) => a - b,
  )
}

/** Every status that an endpoint may answer with. */
export function documentedStatuses(endpoint: Endpoint): number[] {
  return [
    ...Object.keys(answers(endpoint.answer, { components: new Map(), termOf: () => undefined })).map(Number),
    ...refusalStatuses(endpoint),
  ]
}

function answers(answer: Answer<unknown>, described: Described): Json {
  const { kind, status, schema, meanings } = answer
  switch (kind) {
    case 'status':
      return Object.fromEntries(
        Object.entries(meanings ?? {}).map(([code, description]) => [code, { description }]),
      )
    case 'changed':
      return { 200: { description: 'Updated.' }, 304: { description: 'Nothing changed.' } }
    case 'empty':
      return { [status]: { description: 'Done.' } }
    case 'file':
      return {
        200: {
          description: 'The file.',
          content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
        },
      }
    default: {
      const content = { 'application/json': { schema: describe(schema, described) } }
      const description =
        status === 201 ? 'Created.' : status === 202 ? 'Accepted; it is done in the background.' : 'Success.'
      const headers =
        status === 201
          ? { headers: { Location: { description: 'The new record.', schema: { type: 'string' } } } }
          : {}
      return { [status]: { description, ...headers, content } }
    }
  }
}

const inCapitals = (words: readonly string[]) =>
  words.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')

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
      description,
      schema,
    }),
  )
  return [...inPath, ...inQuery]
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
    responses: { ...answers(endpoint.answer, described), ...Object.fromEntries(refusals) },
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

/** The whole document. */
export function openApiDocument(endpoints: readonly Endpoint[], about: About): Json {
  const components = new Map<string, Json>()
  const described = { components, termOf: about.termOf }
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint, described, about.examples)
  }
  const webhooks = Object.fromEntries(
    Object.entries(about.webhooks).map(([type, webhook]) => [type, { post: told(type, webhook, described) }]),
  )
  const tags = [...new Set(endpoints.map(({ path }) => path.split('/')[2] as string))]
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const used = new Set(endpoints.flatMap(refusalStatuses))
  const refusals = Object.entries(errorAnswers)
    .filter(([status]) => status !== '429' && status !== '503' && used.has(Number(status)))
    .map(([status, description]) => [`Refusal${status}`, { description, content: error }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waybill',
      version: about.version,
      summary: 'Warehouse and consignment management',
      description:
        'Identifiers are uuids, field names camelCase, query parameters PascalCase, enumerations integers. ' +
        'In a request null means absent; what is absent from a change stays as it is, and where an ' +
        'operation lists 304, that answers a change ' +
        'that changes nothing. ' +
        'Times whose names end in `Utc` are instants; most others are the wall clock of a warehouse, and ' +
        'say so. ' +
        'Operations marked `x-extension` stand around the interface specification. `x-partners` says whose ' +
        'people, of those that belong to a client or carrier, may call an operation: `all`, `clients`, ' +
        '`carriers` or `none`. Every error has the ' +
        'body `Error`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.baseUrl }],
    tags: tags.map(name => ({ name, description: about.tags[name] })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description:
            `An app that signs people in can be used from the reference page once its redirect ` +
            `URIs have ${about.baseUrl}/docs/oauth2-redirect.html.`,
          flows: {
            authorizationCode: {
              authorizationUrl: `${about.authUrl}/connect/authorize`,
              tokenUrl: `${about.authUrl}/connect/token`,
              refreshUrl: `${about.authUrl}/connect/token`,
              scopes: inWords,
            },
            clientCredentials: { tokenUrl: `${about.authUrl}/connect/token`, scopes: inWords },
          },
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token that you have already.',
        },
      },
      responses: {
        ...Object.fromEntries(refusals),
        RetryLater: {
          description:
            'Too many requests (429) or not available (503): the same request may be sent again later.',
          headers: { 'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer' } } },
          content: error,
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['ErrorType', 'ErrorMessages'],
          properties: {
            ErrorType: { type: 'string', examples: ['Validation Failed'] },
            ErrorMessages: { type: 'array', items: { type: 'string' } },
          },
        },
        ...Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      },
    },
  }
}
