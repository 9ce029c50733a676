// The OpenAPI 3.1 document, generated from the endpoints.

import type { TSchema } from 'typebox'
import type { Answer, Endpoint } from './endpoint.ts'
import { scopes } from './scopes.ts'

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
}

// Keywords of ours that mean nothing to a reader of the document.
const private_ = new Set(['rule', 'fault', 'decimals', 'trimmed', '~kind', '~optional', '~unsafe'])

/** Named schemas become components; the rest is copied without our own keywords. */
function describe(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(part => describe(part, components))
  if (schema === null || typeof schema !== 'object') return schema
  const copy: Json = {}
  for (const [key, value] of Object.entries(schema)) if (!private_.has(key)) copy[key] = describe(value, components)
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

const errorAnswers: Record<number, string> = {
  400: 'The request is malformed (Validation Failed) or does not fit the current records (Verification Failed).',
  401: 'The access token is missing, expired or not valid.',
  403: 'The token lacks the scope or permission.',
  404: 'There is no such record, or it is not accessible.',
  409: 'The request conflicts with an existing record.',
  413: 'The body is larger than the endpoint accepts.',
  415: 'The body is not JSON.',
  422: 'The request is valid but its file content cannot be processed.',
  429: 'A rate limit is exceeded.',
  503: 'The service cannot answer at the moment.',
}

/** The statuses of refusal that an endpoint may answer with. */
export function refusalStatuses(endpoint: Endpoint): number[] {
  const always = [400, 401, 429, 503]
  const scoped = endpoint.scope === 'any' && endpoint.method === 'GET' ? [] : [403]
  const found = endpoint.path.includes(':') ? [404] : []
  const body = endpoint.method === 'GET' ? [] : [413, 415]
  return [...new Set([...always, ...scoped, ...found, ...body, ...endpoint.refuses])].toSorted((a, b) => a - b)
}

/** Every status that an endpoint may answer with. */
export function documentedStatuses(endpoint: Endpoint): number[] {
  return [...Object.keys(answers(endpoint.answer, new Map())).map(Number), ...refusalStatuses(endpoint)]
}

function answers(answer: Answer<unknown>, components: Map<string, Json>): Json {
  const { kind, status, schema, meanings } = answer
  switch (kind) {
    case 'status':
      return Object.fromEntries(Object.entries(meanings ?? {}).map(([code, description]) => [code, { description }]))
    case 'changed':
      return { 200: { description: 'Updated.' }, 304: { description: 'Nothing changed.' } }
    case 'empty':
      return { [status]: { description: 'Done.' } }
    case 'file':
      return { 200: { description: 'The file.', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } }
    default: {
      const content = { 'application/json': { schema: describe(schema, components) } }
      const description = status === 201 ? 'Created.' : status === 202 ? 'Accepted; it is done in the background.' : 'Success.'
      const headers = status === 201 ? { headers: { Location: { description: 'The new record.', schema: { type: 'string' } } } } : {}
      return { [status]: { description, ...headers, content } }
    }
  }
}

/** `/v1/consignments/:consignmentId/notes` and `post` to `postConsignmentsNotes`; parameters become `By…`. */
function operationId(endpoint: Endpoint): string {
  const words = endpoint.path
    .split('/')
    .slice(2)
    .map(part => (part.startsWith(':') ? `by-${part.slice(1)}` : part))
    .flatMap(part => part.split('-'))
  return endpoint.method.toLowerCase() + words.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
}

function parameters(endpoint: Endpoint, components: Map<string, Json>): Json[] {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))
  const { properties = {}, required = [] } = (endpoint.query ?? {}) as { properties?: Record<string, TSchema>; required?: string[] }
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    const described = describe(schema, components) as Json
    return { name, in: 'query', required: required.includes(name) && described.default === undefined, schema: described }
  })
  return [...inPath, ...inQuery]
}

function operation(endpoint: Endpoint, components: Map<string, Json>): Json {
  const refusals = refusalStatuses(endpoint).map(status => [
    status,
    status === 429 || status === 503 ? { $ref: '#/components/responses/RetryLater' } : { $ref: `#/components/responses/Refusal${status}` },
  ])
  const wanted = endpoint.scope === 'any' ? [] : [endpoint.scope].flat()
  const inputs = parameters(endpoint, components)
  const tag = endpoint.path.split('/')[2] as string
  return {
    operationId: operationId(endpoint),
    tags: [tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    ...(endpoint.extension ? { 'x-extension': true } : {}),
    security: (wanted.length === 0 ? [[]] : wanted.map(scope => [scope])).flatMap(needed => [{ oauth2: needed }, { accessToken: needed }]),
    ...(inputs.length === 0 ? {} : { parameters: inputs }),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: { 'application/json': { schema: describe(endpoint.body, components) } },
          },
        }),
    responses: { ...answers(endpoint.answer, components), ...Object.fromEntries(refusals) },
  }
}

/** The whole document. */
export function openApiDocument(endpoints: readonly Endpoint[], about: About): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint, components)
  }
  const tags = [...new Set(endpoints.map(({ path }) => path.split('/')[2] as string))]
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const meanings = Object.fromEntries(scopes.map(scope => [scope, scopeMeaning(scope)]))
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
        'Operations marked `x-extension` stand around the interface specification. Every error has the body `Error`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.baseUrl }],
    tags: tags.map(name => ({ name, description: about.tags[name] })),
    paths,
    components: {
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description: `An app that signs people in can be used from the reference page once its redirect URIs have ${about.baseUrl}/docs/oauth2-redirect.html.`,
          flows: {
            authorizationCode: {
              authorizationUrl: `${about.authUrl}/connect/authorize`,
              tokenUrl: `${about.authUrl}/connect/token`,
              refreshUrl: `${about.authUrl}/connect/token`,
              scopes: meanings,
            },
            clientCredentials: { tokenUrl: `${about.authUrl}/connect/token`, scopes: meanings },
          },
        },
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token that is there already.' },
      },
      responses: {
        ...Object.fromEntries(refusals),
        RetryLater: {
          description: 'Too many requests (429) or not available (503): the same request may be sent again later.',
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

const scopeMeaning = (scope: string) =>
  scope.endsWith('.read')
    ? `Read the ${scope.slice(0, -5)} area.`
    : scope === 'print' || scope === 'report'
      ? `Use ${scope}s.`
      : `Use the ${scope} area.`
