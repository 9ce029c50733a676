// Reads the API document by place: `GET /v1/jobs > jobs[].status` is a field of a response, `POST
// /v1/jobs/wave-pick < clientId` is a field of a request body.

/** A JSON Schema of the document, reduced to what is compared. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  'x-enum-varnames'?: string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  maximum?: number
  maxLength?: number
  deprecated?: boolean
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

/** An endpoint of the document. */
export interface Operation {
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
  'x-extension'?: boolean
}

/** The API document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Returns the endpoint that `GET /v1/…` names, if it exists. */
export function operationOf(document: Document, name: string): Operation | undefined {
  const [method = '', path = ''] = name.split(' ')
  return document.paths[path]?.[method.toLowerCase()]
}

/** Resolves references and removes "or null" from a schema. */
export function resolveSchema(document: Document, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  if (name !== undefined) return resolveSchema(document, document.components.schemas[name])
  const nonNull = schema?.anyOf?.find(({ type }) => type !== 'null')
  return nonNull === undefined ? schema : resolveSchema(document, nonNull)
}

/** Returns the schema of an endpoint's response, or `undefined` if it has none. */
export function responseSchemaOf(document: Document, operation: Operation): Schema | undefined {
  const success = Object.entries(operation.responses).find(
    ([status, { content }]) => status.startsWith('2') && content !== undefined,
  )
  return resolveSchema(document, Object.values(success?.[1].content ?? {})[0]?.schema)
}

/** Returns the schema of an endpoint's request body. */
export const bodySchemaOf = (document: Document, operation: Operation): Schema | undefined =>
  resolveSchema(document, operation.requestBody?.content?.['application/json']?.schema)

/** Returns the schema at a place, or `undefined` if the document has no such place. */
export function schemaAt(document: Document, place: string): Schema | undefined {
  const [, name = '', direction, trail = ''] = /^(\S+ \S+) ([<>])(?: (\S+))?$/.exec(place) ?? []
  const operation = operationOf(document, name)
  if (operation === undefined) return undefined
  let schema = direction === '<' ? bodySchemaOf(document, operation) : responseSchemaOf(document, operation)
  for (const step of trail.split(/\.|(?=\[\])/).filter(Boolean)) {
    schema = resolveSchema(document, step === '[]' ? schema?.items : schema?.properties?.[step])
  }
  return schema
}

/** How to recognise each kind of value that the contract names. */
const kinds: Record<string, (schema: Schema, types: string[]) => boolean> = {
  text: (_, types) => types.includes('string'),
  uuid: ({ format }) => format === 'uuid',
  int: (_, types) => types.includes('integer'),
  num: (_, types) => types.includes('number') || types.includes('integer'),
  bool: (_, types) => types.includes('boolean'),
  time: ({ format }) => format === 'date-time',
  date: ({ format }) => format === 'date',
  list: (_, types) => types.includes('array'),
  object: (_, types) => types.includes('object'),
}

/** Whether a schema is of a kind. */
export function isOfKind(document: Document, schema: Schema | undefined, kind: string): boolean {
  const found = resolveSchema(document, schema)
  const check = kinds[kind]
  if (check === undefined) throw new Error(`There is no kind ${kind}.`)
  return found !== undefined && check(found, [found.type ?? []].flat())
}
