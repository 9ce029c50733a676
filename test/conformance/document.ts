// Reading the API document by place: `GET /v1/jobs > jobs[].status` is a field of an answer, `POST
// /v1/jobs/wave-pick < clientId` one of a body.

/** A JSON Schema of the document, as far as the comparison looks at it. */
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

/** The endpoint that `GET /v1/…` names, unless it stands around the contract. */
export function operationOf(document: Document, name: string): Operation | undefined {
  const [method = '', path = ''] = name.split(' ')
  return document.paths[path]?.[method.toLowerCase()]
}

/** What a schema says once references and "or null" are looked through. */
export function plain(document: Document, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  if (name !== undefined) return plain(document, document.components.schemas[name])
  const other = schema?.anyOf?.find(({ type }) => type !== 'null')
  return other === undefined ? schema : plain(document, other)
}

/** The schema of an endpoint's answer, `undefined` where it has none. */
export function answerOf(document: Document, operation: Operation): Schema | undefined {
  const success = Object.entries(operation.responses).find(
    ([status, { content }]) => status.startsWith('2') && content !== undefined,
  )
  return plain(document, Object.values(success?.[1].content ?? {})[0]?.schema)
}

/** The schema of an endpoint's body. */
export const bodyOf = (document: Document, operation: Operation): Schema | undefined =>
  plain(document, operation.requestBody?.content?.['application/json']?.schema)

/** The schema at a place, `undefined` where the document has no such place. */
export function schemaAt(document: Document, place: string): Schema | undefined {
  const [, name = '', direction, trail = ''] = /^(\S+ \S+) ([<>])(?: (\S+))?$/.exec(place) ?? []
  const operation = operationOf(document, name)
  if (operation === undefined) return undefined
  let schema = direction === '<' ? bodyOf(document, operation) : answerOf(document, operation)
  for (const step of trail.split(/\.|(?=\[\])/).filter(Boolean)) {
    schema = plain(document, step === '[]' ? schema?.items : schema?.properties?.[step])
  }
  return schema
}

/** The kinds of values that the contract names, by what the document says of each. */
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
  const found = plain(document, schema)
  const check = kinds[kind]
  if (check === undefined) throw new Error(`There is no kind ${kind}.`)
  return found !== undefined && check(found, [found.type ?? []].flat())
}
