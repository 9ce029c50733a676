// The OpenAPI document: it is complete, unambiguous and equal to the snapshot that the linter reads. Promise
// 26.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { describeAccess } from '../../src/access/access-rules.ts'
import { partnersInWords } from '../../src/access/partner-access.ts'
import { scopes } from '../../src/access/scopes.ts'
import { scopesInWords } from '../../src/access/scopes-in-words.ts'
import { enumerations } from '../../src/api/enumerations.ts'
import { examples } from '../../src/api/examples.ts'
import { markTruths, staleTruths } from '../../src/api/mark-truths.ts'
import { recordedExamples } from '../../src/api/recorded-examples.ts'
import { apiTags } from '../../src/api/tags.ts'
import { json } from '../../src/platform/http/endpoint.ts'
import { documentedStatuses, openApiDocument } from '../../src/platform/http/openapi.ts'
import { IntegerEnum, named, nullable, Type } from '../../src/platform/http/schema.ts'
import { apiDocument, snapshotPath } from '../support/api-document.ts'
import { endpoints } from '../support/harness.ts'
import { openResponseChecker, stabilise } from '../support/recorded-responses.ts'

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  responses: Record<string, unknown>
  parameters?: {
    name: string
    in: string
    required: boolean
    description?: string
    schema: Record<string, unknown>
  }[]
  requestBody?: unknown
  'x-extension'?: boolean
  'x-partners'?: string
}

const document = JSON.parse(JSON.stringify(apiDocument())) as {
  openapi: string
  info: { description: string }
  servers: unknown
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Record<string, unknown>>
    responses: Record<string, unknown>
    securitySchemes: { oauth2: { flows: Record<string, { scopes: Record<string, string> }> } }
  }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
)

test('each field of a detail, a list, a report and an event has one of the truths in truths.ts', () => {
  assert.deepEqual(markTruths(JSON.parse(JSON.stringify(document))), [])
  assert.deepEqual(staleTruths(document), [], 'truths of what is in no answer')
})

test('the snapshot is up to date', () => {
  const snapshot = JSON.parse(readFileSync(snapshotPath, 'utf8')) as typeof document
  const parts = ({ paths, components, ...rest }: typeof document) =>
    Object.entries({ ...paths, ...components.schemas, ...components.responses, rest })
  const before = new Map(parts(snapshot).map(([name, part]) => [name, JSON.stringify(part)]))
  const differing = parts(document).filter(([name, part]) => before.get(name) !== JSON.stringify(part))
  const names = differing.map(([name]) => name).join(', ')
  assert.ok(
    isDeepStrictEqual(document, snapshot),
    `Run \`npm run openapi\` and look at what changed: ${names || 'something was removed'}.`,
  )
})

test('it is OpenAPI 3.1 and names the installation', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual(document.servers, [{ url: 'https://waybill.example.com' }])
})

test('every endpoint is documented once, with exactly its statuses, parameters, scope and body', () => {
  assert.equal(operations.length, endpoints.length)
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`
    const operation =
      document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
    assert.ok(operation, name)
    assert.deepEqual(
      Object.keys(operation.responses).map(Number),
      documentedStatuses(endpoint).toSorted((a, b) => a - b),
      name,
    )
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter)
    const inQuery = Object.keys((endpoint.query as { properties?: object } | undefined)?.properties ?? {})
    const documented = operation.parameters ?? []
    assert.deepEqual(
      documented.filter(parameter => parameter.in !== 'header').map(parameter => parameter.name),
      [...inPath, ...inQuery],
      name,
    )
    assert.ok(
      documented.every(
        parameter => parameter.in !== 'path' || (parameter.required && parameter.schema.format === 'uuid'),
      ),
      name,
    )
    const scopes =
      endpoint.access.scope === 'any' ? [[]] : [endpoint.access.scope].flat().map(scope => [scope])
    const schemes = scopes.flatMap(needed => [{ oauth2: needed }, { accessToken: needed }])
    assert.deepEqual(operation.security, schemes, name)
    assert.equal(operation.requestBody !== undefined, endpoint.body !== undefined, name)
    assert.equal(operation['x-extension'] ?? false, endpoint.extension, name)
  }
})

/** The verbs of operation names such as `listConsignments`. Think twice before you add one. */
const verbs = [
  'add adjust allocate announce approve cancel check claim close confirm convert count create delete',
  'discard download end export find get hold import list mark pick preview print reactivate receive',
  'reconcile recount release remove reopen replace replay report retry rotate run scan set stage take',
  'test transfer trigger unmark unpick unreceive update void',
].flatMap(line => line.split(' '))
const verbFirst = new RegExp(`^(${verbs.join('|')})([A-Z][a-z0-9]+)+$`)
test('every operation documents which partners may call it, in words and for programs', () => {
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`
    const operation =
      document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
    assert.equal(operation?.['x-partners'], endpoint.access.partners, name)
    assert.ok(operation?.description?.endsWith(partnersInWords[endpoint.access.partners]), name)
    if (endpoint.access.partners !== 'all') assert.ok('403' in operation.responses, name)
  }
})

test('operations have unique names, a summary without a full stop, and a described tag', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual(ids.length, new Set(ids).size)
  for (const { operation } of operations) {
    assert.match(operation.operationId, verbFirst)
    assert.ok(operation.operationId.length <= 40, operation.operationId)
    assert.match(operation.summary, /^[A-Z].*[^.]$/, operation.operationId)
  }
  for (const { name, description } of document.tags)
    assert.match(description ?? '', /\.$/, `The tag ${name} needs a description in src/api/tags.ts.`)
  const used = new Set(operations.flatMap(({ operation }) => operation.tags))
  assert.deepEqual(
    Object.keys(apiTags).filter(name => !used.has(name)),
    [],
    'These tags are not used.',
  )
})

test('every query parameter and every scope has a description', () => {
  for (const { path, operation } of operations) {
    for (const { name, in: place, description = '' } of operation.parameters ?? [])
      assert.ok(
        place === 'path' || description.length > 5,
        `${path} does not describe ${name}; src/api/terms.ts describes parameters by name.`,
      )
  }
  const { flows } = document.components.securitySchemes.oauth2
  for (const { scopes: documented } of Object.values(flows)) {
    assert.deepEqual(Object.keys(documented).toSorted(), [...scopes].toSorted())
    assert.match(
      Object.values(documented).join('\n'),
      /^See and change clients, carriers and their products$/m,
    )
  }
})

test('a field has the description for its name, unless its schema has its own', () => {
  const descriptionOf = (schema: string, name: string) =>
    (document.components.schemas[schema] as { properties: Record<string, { description?: string }> })
      .properties[name]?.description
  assert.match(descriptionOf('ConsignmentImportRequest', 'containerTareWeightKG') ?? '', /^Kilograms/)
  assert.match(descriptionOf('ConsignmentImportRequest', 'idempotencyKey') ?? '', /409/)
  assert.equal(descriptionOf('Partner', 'name'), undefined)
})

test('every example belongs to an endpoint with a body, and is in the document', () => {
  const withBody = new Set(
    endpoints.filter(({ body }) => body !== undefined).map(({ method, path }) => `${method} ${path}`),
  )
  for (const name of Object.keys(examples)) assert.ok(withBody.has(name), name)
  const { requestBody } = document.paths['/v1/consignment-imports']?.post ?? {}
  assert.deepEqual(
    (requestBody as { content: Record<string, { example: unknown }> }).content['application/json']?.example,
    examples['POST /v1/consignment-imports'],
  )
})

test('every JSON response has an example, every example matches its schema, and none contains a secret', () => {
  const check = openResponseChecker(document)
  const { endpoints: recorded, shared } = recordedExamples()
  const without: string[] = []
  for (const { method, path, operation } of operations) {
    const name = `${method.toUpperCase()} ${path}`
    const { answer, refusals = {} } = recorded[name] ?? {}
    const status = Object.keys(operation.responses)
      .map(Number)
      .find(code => code < 300) as number
    const content = (
      operation.responses[status] as {
        content?: Record<string, { example?: unknown; schema?: { format?: string } }>
      }
    ).content
    const isFile = content?.['application/json']?.schema?.format === 'binary'
    if (content?.['application/json'] === undefined || isFile) continue
    if (content['application/json'].example === undefined) without.push(name)
    else assert.equal(check({ method, path, status, body: answer }), '', name)
    for (const [code, body] of Object.entries(refusals)) {
      assert.equal(check({ method, path, status: Number(code), body }), '', `${name} ${code}`)
    }
  }
  assert.deepEqual(without, [], 'Run `npm run examples` and look at what changed.')
  const unknown = Object.keys(recorded).filter(
    name => !operations.some(({ method, path }) => name === `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(unknown, [], 'Run `npm run examples`: these endpoints were removed.')
  for (const [status, body] of Object.entries(shared)) {
    assert.equal(check({ method: 'any', path: 'any', status: Number(status), body }), '', status)
  }
  // The content of a file is as long as a secret.
  const text = JSON.stringify(recorded, (name, value) => (name === 'content' ? '' : value))
  assert.doesNotMatch(text, /127\.0\.0\.1|localhost|[A-Za-z0-9_-]{60,}/)
  assert.match(text, /"clientSecret":"shown-this-once"/)
  assert.ok(JSON.stringify(document).length < 1_900_000, 'The document has become too large to load.')
})

test('every refusal has an example, every response names its types, and every chapter is in one group', () => {
  type Response = { $ref?: string; content?: Record<string, { example?: unknown }> }
  const { responses } = document.components as unknown as { responses: Record<string, Response> }
  for (const { method, path, operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses as Record<string, Response>)) {
      const name = `${method} ${path} ${status}`
      const { content } = responses[response.$ref?.split('/').at(-1) ?? ''] ?? response
      assert.equal(content?.['*/*'], undefined, name)
      if (Number(status) >= 400) assert.ok(content?.['application/json']?.example, name)
    }
  }
  const chapters = (document.tags as { name: string }[]).map(({ name }) => name)
  const { 'x-tagGroups': groups } = document as unknown as { 'x-tagGroups': { tags: string[] }[] }
  assert.deepEqual(groups.flatMap(({ tags }) => tags).toSorted(), chapters.toSorted())
})

test('a response is recorded without the parts that differ between two runs', () => {
  const first = '0197e1c6-5a5e-7c1e-9d3a-2f4b6c8d0e1f'
  const answer = (id: string, at: string) => ({ id, at, clientSecret: id, list: [{ id }, { id }, { id }] })
  const recorded = stabilise(answer(first, '2026-11-22T04:00:00.123Z'))
  assert.deepEqual(recorded, stabilise(answer(crypto.randomUUID(), '2027-01-01T00:00:00.000Z')))
  const id = '0197e1c6-5a5e-7c1e-9d3a-000000000001'
  assert.deepEqual(recorded, {
    id,
    at: '2026-03-02T01:20:00.000Z',
    clientSecret: 'shown-this-once',
    list: [{ id }, { id }],
  })
})

test('the introduction has the URLs of the installation, and refers only to existing paths', () => {
  const { description } = document.info
  assert.match(description, /^curl https:\/\/waybill\.example\.com\/connect\/token /m)
  assert.doesNotMatch(description, /\{\{/)
  for (const heading of ['Get a token', 'Times', 'Pages', 'Null and absent', 'Errors', 'Limits', 'Webhooks'])
    assert.match(description, new RegExp(`^# ${heading}$`, 'm'))
  for (const [, path = ''] of description.matchAll(/example\.com(\/v1\/[\w/-]+)/g))
    assert.ok(document.paths[path], path)
})

test('paths and names follow the conventions of the specification', () => {
  for (const { path, operation } of operations) {
    assert.match(path, /^\/v1(\/([a-z0-9]+(-[a-z0-9]+)*|\{(id|[a-z]\w*Id)\}))+$/)
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'query')
        assert.match(parameter.name, /^[A-Z][A-Za-z0-9]*$/, `${path}: ${parameter.name}`)
    }
  }
  /** Checks the fields of nested objects and lists too. */
  const assertCamelCase = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'example' || key === 'examples') continue
      if (key === 'properties')
        for (const field of Object.keys(value as object)) assert.match(field, /^[a-z][A-Za-z0-9]*$/, at)
      assertCamelCase(value, `${at}.${key}`)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (name !== 'Error') assertCamelCase(schema, name)
  for (const { path, operation } of operations)
    assertCamelCase([operation.requestBody, operation.responses], path)
})

/** Finds internal keywords that were left in schemas. A field may have the same name as a keyword. */
function internalKeywords(part: unknown, at = ''): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    const isInternal = /^(rule|fault|decimals|trimmed|~\w+)$/.test(key) && !at.endsWith('/properties')
    if (key === 'example' || key === 'examples') return []
    return [...(isInternal ? [`${at}/${key}`] : []), ...internalKeywords(value, `${at}/${key}`)]
  })
}

test('every reference resolves, every component is used, and no internal keyword is left in a schema', () => {
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(
    ([, kind, name]) => `${kind}/${name}`,
  )
  const components = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map(name => `${kind}/${name}`))
  assert.deepEqual([...new Set(references)].toSorted(), components.toSorted())
  assert.deepEqual(internalKeywords(document), [])
  assert.doesNotMatch(text, /local-date-time/)
})

// The content of a separate document, for schemas that the API does not have.
const content = {
  version: '1',
  baseUrl: 'https://a',
  authUrl: 'https://a',
  introduction: '',
  tags: {},
  tagGroups: {},
  scopes: scopesInWords,
  describeAccess,
  forbidden: 'The token lacks the scope.',
  termOf: () => undefined,
  enumerations: {},
  examples: {},
  recorded: { shared: {}, endpoints: {} },
  webhooks: {},
}

const endpointWith = (schema: ReturnType<typeof Type.Object>, path: string) => ({
  method: 'GET' as const,
  path,
  name: path,
  access: {
    partners: 'all' as const,
    partnerParam: undefined,
    scope: 'any' as const,
    isAdministration: false,
  },
  summary: 'Read',
  extension: false,
  bodyOptional: false,
  files: false,
  oneStatement: false,
  ownTransactions: false,
  writes: false,
  limit: 'standard' as const,
  response: json(schema),
  refuses: [],
  handle: async () => {},
})

test('two different schemas cannot have the same name, and a nullable record is the same component', () => {
  const Thing = named('Thing', Type.Object({ a: Type.String() }))
  const both = openApiDocument(
    [endpointWith(Thing, '/v1/a'), endpointWith(Type.Object({ thing: nullable(Thing) }), '/v1/b')],
    content,
  )
  assert.deepEqual(Object.keys((both.components as { schemas: object }).schemas), ['Error', 'Thing'])
  const Other = named('Thing', Type.Object({ b: Type.String() }))
  assert.throws(
    () => openApiDocument([endpointWith(Thing, '/v1/a'), endpointWith(Other, '/v1/b')], content),
    /Two different schemas are called Thing/,
  )
})

test('every enumeration is a component with the names and meanings of its values, and none is inline', () => {
  const inline: string[] = []
  const visit = (part: unknown, path: string): void => {
    if (part === null || typeof part !== 'object') return
    const isEnumeration = 'enum' in part && Array.isArray(part.enum) && part.enum.some(Number.isInteger)
    if (isEnumeration && !/^\/components\/schemas\/\w+$/.test(path)) inline.push(path)
    for (const [name, value] of Object.entries(part)) visit(value, `${path}/${name}`)
  }
  visit(document, '')
  assert.deepEqual(inline, [])
  for (const [name, { values, meanings = {} }] of Object.entries(enumerations)) {
    const component = document.components.schemas[name] as Record<string, string[]>
    assert.ok(component, `${name} is not used.`)
    assert.deepEqual(component.enum, Object.values(values), name)
    assert.deepEqual(component['x-enum-varnames'], Object.keys(values), name)
    for (const description of component['x-enum-descriptions'] ?? [])
      assert.match(description, /^[A-Z0-9].*\.$/)
    for (const value of Object.keys(meanings)) assert.ok(value in values, `${name}: ${value}`)
  }
  assert.match(String(document.components.schemas.ConsignmentStatus?.description), /^- `1` Pending: /m)
})

test('a nullable enumeration is a reference or null, and a default stays beside the reference', () => {
  const { properties } = document.components.schemas.Job as { properties: Record<string, unknown> }
  const $ref = '#/components/schemas/WavePickStyle'
  assert.deepEqual(properties.wavePickStyle, { anyOf: [{ $ref }, { type: 'null' }] })
  const status = document.paths['/v1/tax-rates']?.get?.parameters?.find(({ name }) => name === 'Status')
  assert.deepEqual(status?.schema, { $ref: '#/components/schemas/SetUpStatus', default: 1 })
  assert.match(status?.description ?? '', /`2` Inactive/)
})

test('an enumeration without a name, or with two names, is an error', () => {
  const Colour = { Red: 1 }
  const colour = { values: Colour, description: 'A colour.', meanings: {} }
  const endpoint = endpointWith(Type.Object({ colour: IntegerEnum(Colour) }), '/v1/a')
  assert.throws(() => openApiDocument([endpoint], content), /The enumeration \{"Red":1\} has no name/)
  const twice = { Colour: colour, Shade: colour }
  assert.throws(
    () => openApiDocument([endpoint], { ...content, enumerations: twice }),
    /The enumeration Shade is called Colour too/,
  )
})
