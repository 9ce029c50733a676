// The kinds of rows in the contract's table, each with what it requires of the API document.

import {
  bodySchemaOf,
  type Document,
  isOfKind,
  type Operation,
  operationOf,
  resolveSchema,
  responseSchemaOf,
  type Schema,
  schemaAt,
} from './document.ts'

/** One requirement of the contract. */
export interface Row {
  /** the requirement in Markdown */
  requirement: string
  /** what the API document lacks of it; absent if the document cannot prove it */
  lacks?: (document: Document) => string[]
  /**
   * whether the document alone proves it. The tests validate responses against the document, so its shapes
   * are true; what endpoints do is not in it
   */
  isProvedByDocument?: true
  /** the tests that prove it, as `file: title`, with the file's path below test/ without `.test.ts` */
  proofs: string[]
}

/** A section of the contract. */
export interface Section {
  title: string
  rows: Row[]
}

/** Creates a row that only tests can prove. */
export const rule = (requirement: string, ...proofs: string[]): Row => ({ requirement, proofs })

/** Creates a row that the API document proves, with or without additional tests. */
export const documented = (
  requirement: string,
  lacks: (document: Document) => string[],
  ...proofs: string[]
): Row => ({
  requirement,
  lacks,
  isProvedByDocument: true,
  proofs,
})

interface Field {
  name: string
  kind: string
  isRequired: boolean
}

/**
 * Parses fields that are written as text: names separated by spaces, `name:kind` if the kind is not text,
 * `name!` if a body must have the field.
 */
const parseFields = (text: string): Field[] =>
  text.split(/\s+/).map(word => {
    const [, name = '', mark, kind = 'text'] = /^(\w+)(!)?(?::(\w+))?$/.exec(word) ?? []
    if (name === '') throw new Error(`"${word}" is not a field.`)
    return { name, kind, isRequired: mark !== undefined }
  })

/**
 * Lists what a schema lacks of these fields. A response must always have all of them; a body must require
 * exactly those that are marked.
 */
function missingFields(
  document: Document,
  schema: Schema,
  text: string,
  where: string,
  isResponse: boolean,
): string[] {
  return parseFields(text).flatMap(({ name, kind, isRequired }) => {
    const field = schema.properties?.[name]
    const isDocumentedRequired = schema.required?.includes(name) ?? false
    if (field === undefined) return [`${where} has no ${name}`]
    if (!isOfKind(document, field, kind)) return [`${where}: ${name} is not of the kind ${kind}`]
    if (isResponse && !isDocumentedRequired) return [`${where}: ${name} may be absent`]
    if (!isResponse && isDocumentedRequired !== isRequired)
      return [`${where}: ${name} is ${isDocumentedRequired ? 'required' : 'optional'}`]
    return []
  })
}

/** Creates a row for the fields at one or more places of the document. */
export function fields(
  requirement: string,
  places: string | string[],
  text: string,
  ...proofs: string[]
): Row {
  const lacks = (document: Document) =>
    [places].flat().flatMap(place => {
      const schema = schemaAt(document, place)
      if (schema === undefined) return [`${place} does not exist`]
      return missingFields(document, schema, text, place, place.includes(' >'))
    })
  const names = parseFields(text).map(({ name }) => `\`${name}\``)
  return { requirement: `${requirement}: ${names.join(', ')}`, lacks, isProvedByDocument: true, proofs }
}

/** Creates a row for the values of an enumeration, such as `0 Unknown, 1 Printed`, at a place of the document. */
export function values(requirement: string, place: string, text: string, ...proofs: string[]): Row {
  const lacks = (document: Document) => {
    const schema = schemaAt(document, place)
    if (schema === undefined) return [`${place} does not exist`]
    return text.split(', ').flatMap(entry => {
      const [value = '', name = ''] = entry.split(' ')
      const at = schema.enum?.indexOf(Number(value)) ?? -1
      return at >= 0 && schema['x-enum-varnames']?.[at] === name ? [] : [`${place} has no ${entry}`]
    })
  }
  return { requirement: `${requirement}: ${text}`, lacks, isProvedByDocument: true, proofs }
}

/** What the contract requires of an endpoint. */
interface EndpointRequirements {
  /** query parameters, as fields */
  query?: string
  /** fields of the body */
  body?: string
  /** the name of the array of its page; implies the paging parameters */
  page?: string
  /** the index of the first page, if it is not 1 */
  first?: number
  /** fields of the response, `uuid` for a bare id, or `file` */
  response?: string
  /** the statuses in addition to 401, 403 and 429; `200` by default */
  status?: string
}

/** The tests that check a status for every endpoint. */
const sharedTests: Record<string, (name: string) => string> = {
  304: name =>
    `nothing-changed: ${name.replace(/\{(\w+)\}/g, ':$1')}: repeating it returns 304, changes nothing and raises no event`,
  404: () =>
    'every-endpoint: in every path, an id of another organisation gets the same response as an unknown id: 404, same body',
}

/** Creates a row for an endpoint of the contract. `proofs` cover what is specific to it. */
export function endpoint(name: string, requirements: EndpointRequirements, ...proofs: string[]): Row {
  const status = requirements.status ?? '200'
  const lacks = (document: Document) => {
    const operation = operationOf(document, name)
    if (operation === undefined || operation['x-extension']) return ['there is no such endpoint']
    return [
      ...`${status} 401 429`
        .split(' ')
        .flatMap(code => (operation.responses[code] === undefined ? [`it does not document ${code}`] : [])),
      ...queryLacks(document, operation, requirements),
      ...bodyLacks(document, operation, requirements.body),
      ...responseLacks(document, operation, requirements),
    ]
  }
  const parameters =
    requirements.query === undefined
      ? []
      : parseFields(requirements.query).map(parameter => `\`${parameter.name}\``)
  const shared = proofs.length === 0 ? [] : status.split(' ').flatMap(code => sharedTests[code]?.(name) ?? [])
  return {
    requirement: [`\`${name}\` ${status.replaceAll(' ', ', ')}`, ...parameters].join(', '),
    lacks,
    proofs: [...proofs, ...shared],
  }
}

function queryLacks(
  document: Document,
  operation: Operation,
  { query = '', page, first = 1 }: EndpointRequirements,
): string[] {
  const parameters = new Map(
    (operation.parameters ?? [])
      .filter(({ in: place }) => place === 'query')
      .map(({ name, schema }) => [name, schema]),
  )
  const faults = (query === '' ? [] : parseFields(query)).flatMap(({ name, kind }) =>
    isOfKind(document, parameters.get(name), kind) ? [] : [`the query has no ${name} of the kind ${kind}`],
  )
  const [index, size] = [parameters.get('PageIndex'), parameters.get('PageSize')]
  if (page !== undefined && index?.default !== first) faults.push(`PageIndex is not ${first} by default`)
  if (page !== undefined && (size?.default !== 25 || size.maximum !== 500))
    faults.push('PageSize is not 25 by default and 500 at most')
  return faults
}

function bodyLacks(document: Document, operation: Operation, text: string | undefined): string[] {
  if (text === undefined) return []
  const body = bodySchemaOf(document, operation)
  return body === undefined
    ? ['it has no request body']
    : missingFields(document, body, text, 'the body', false)
}

function responseLacks(
  document: Document,
  operation: Operation,
  { response, page }: EndpointRequirements,
): string[] {
  const text = page === undefined ? response : `index:int total:int ${page}:list`
  if (text === undefined) return []
  const schema = responseSchemaOf(document, operation)
  if (schema === undefined) return ['it has no response body']
  if (text === 'uuid') return isOfKind(document, schema, 'uuid') ? [] : ['its response is not a uuid']
  if (text === 'file')
    return resolveSchema(document, schema)?.format === 'binary' ? [] : ['its response is not a file']
  return missingFields(document, schema, text, 'the response', true)
}
