// The kinds of rows that the contract's table is made of, each with what it asks of the API document.

import {
  answerOf,
  bodyOf,
  type Document,
  isOfKind,
  type Operation,
  operationOf,
  plain,
  type Schema,
  schemaAt,
} from './document.ts'

/** One thing that the contract asks for. */
export interface Row {
  /** what it is, in Markdown */
  asks: string
  /** what the API document lacks of it; absent where the document cannot tell */
  lacks?: (document: Document) => string[]
  /**
   * whether the document alone proves it: answers in the tests are held against it, so its shapes are true;
   * what endpoints do is not in it
   */
  isShape?: true
  /** the tests that prove it, each `file: title` with the file relative to test/ and without `.test.ts` */
  proofs: string[]
}

/** A section of the contract. */
export interface Section {
  title: string
  rows: Row[]
}

/** A row that only tests can prove. */
export const rule = (asks: string, ...proofs: string[]): Row => ({ asks, proofs })

/** A row that the API document proves by itself, with tests beside it or without. */
export const documented = (
  asks: string,
  lacks: (document: Document) => string[],
  ...proofs: string[]
): Row => ({
  asks,
  lacks,
  isShape: true,
  proofs,
})

/**
 * Fields as text: names with blanks between them, `name:kind` where it is no text, `name!` where a body must
 * have it.
 */
interface Field {
  name: string
  kind: string
  isNeeded: boolean
}

const fieldsOf = (text: string): Field[] =>
  text.split(/\s+/).map(word => {
    const [, name = '', needed, kind = 'text'] = /^(\w+)(!)?(?::(\w+))?$/.exec(word) ?? []
    if (name === '') throw new Error(`"${word}" is not a field.`)
    return { name, kind, isNeeded: needed !== undefined }
  })

/**
 * What a schema lacks of these fields. In an answer every field is always there; in a body exactly those
 * marked must be.
 */
function lacking(
  document: Document,
  schema: Schema,
  text: string,
  where: string,
  isAnswer: boolean,
): string[] {
  return fieldsOf(text).flatMap(({ name, kind, isNeeded }) => {
    const field = schema.properties?.[name]
    const isRequired = schema.required?.includes(name) ?? false
    if (field === undefined) return [`${where} has no ${name}`]
    if (!isOfKind(document, field, kind)) return [`${where}: ${name} is not of the kind ${kind}`]
    if (isAnswer && !isRequired) return [`${where}: ${name} may be absent`]
    if (!isAnswer && isRequired !== isNeeded)
      return [`${where}: ${name} is ${isRequired ? 'required' : 'optional'}`]
    return []
  })
}

/** A field table: the fields at one or more places of the document. */
export function fields(asks: string, places: string | string[], text: string, ...proofs: string[]): Row {
  const lacks = (document: Document) =>
    [places].flat().flatMap(place => {
      const schema = schemaAt(document, place)
      if (schema === undefined) return [`${place} is not there`]
      return lacking(document, schema, text, place, place.includes(' >'))
    })
  const names = fieldsOf(text).map(({ name }) => `\`${name}\``)
  return { asks: `${asks}: ${names.join(', ')}`, lacks, isShape: true, proofs }
}

/** An enumeration, as `0 Unknown, 1 Printed`: the values that the document names at a place. */
export function values(asks: string, place: string, text: string, ...proofs: string[]): Row {
  const lacks = (document: Document) => {
    const schema = schemaAt(document, place)
    if (schema === undefined) return [`${place} is not there`]
    return text.split(', ').flatMap(entry => {
      const [value = '', name = ''] = entry.split(' ')
      const at = schema.enum?.indexOf(Number(value)) ?? -1
      return at >= 0 && schema['x-enum-varnames']?.[at] === name ? [] : [`${place} has no ${entry}`]
    })
  }
  return { asks: `${asks}: ${text}`, lacks, isShape: true, proofs }
}

/** What the contract says of an endpoint. */
interface Asked {
  /** query parameters, as fields */
  query?: string
  /** fields of the body */
  body?: string
  /** the array of the page that it answers, which also brings the parameters of paging */
  page?: string
  /** the index of the first page, where it is not 1 */
  first?: number
  /** fields of the answer, `uuid` for a bare id, or `file` */
  answer?: string
  /** the statuses beside 401, 403 and 429, `200` where absent */
  status?: string
}

/** The tests that hold every endpoint to a status which it shares with others. */
const sweeps: Record<string, (name: string) => string> = {
  304: name =>
    `nothing-changed: ${name.replace(/\{(\w+)\}/g, ':$1')}: the same again is 304, reads the same and raises no event`,
  404: () =>
    'every-endpoint: an id of another organisation answers as an id of nothing does, in every place of every path: 404, same body',
}

/** An endpoint of the contract. `proofs` are for what it alone does. */
export function endpoint(name: string, asked: Asked, ...proofs: string[]): Row {
  const status = asked.status ?? '200'
  const lacks = (document: Document) => {
    const operation = operationOf(document, name)
    if (operation === undefined || operation['x-extension']) return ['there is no such endpoint']
    return [
      ...`${status} 401 429`
        .split(' ')
        .flatMap(code => (operation.responses[code] === undefined ? [`it does not document ${code}`] : [])),
      ...queryLacks(document, operation, asked),
      ...bodyLacks(document, operation, asked.body),
      ...answerLacks(document, operation, asked),
    ]
  }
  const parameters =
    asked.query === undefined ? [] : fieldsOf(asked.query).map(parameter => `\`${parameter.name}\``)
  const swept = proofs.length === 0 ? [] : status.split(' ').flatMap(code => sweeps[code]?.(name) ?? [])
  return {
    asks: [`\`${name}\` ${status.replaceAll(' ', ', ')}`, ...parameters].join(', '),
    lacks,
    proofs: [...proofs, ...swept],
  }
}

function queryLacks(
  document: Document,
  operation: Operation,
  { query = '', page, first = 1 }: Asked,
): string[] {
  const given = new Map(
    (operation.parameters ?? [])
      .filter(({ in: place }) => place === 'query')
      .map(({ name, schema }) => [name, schema]),
  )
  const faults = (query === '' ? [] : fieldsOf(query)).flatMap(({ name, kind }) =>
    isOfKind(document, given.get(name), kind) ? [] : [`the query has no ${name} of the kind ${kind}`],
  )
  const [index, size] = [given.get('PageIndex'), given.get('PageSize')]
  if (page !== undefined && index?.default !== first) faults.push(`PageIndex is not ${first} by default`)
  if (page !== undefined && (size?.default !== 25 || size.maximum !== 500))
    faults.push('PageSize is not 25 by default and 500 at most')
  return faults
}

function bodyLacks(document: Document, operation: Operation, text: string | undefined): string[] {
  if (text === undefined) return []
  const body = bodyOf(document, operation)
  return body === undefined ? ['it takes no body'] : lacking(document, body, text, 'the body', false)
}

function answerLacks(document: Document, operation: Operation, { answer, page }: Asked): string[] {
  const text = page === undefined ? answer : `index:int total:int ${page}:list`
  if (text === undefined) return []
  const schema = answerOf(document, operation)
  if (schema === undefined) return ['it answers nothing']
  if (text === 'uuid') return isOfKind(document, schema, 'uuid') ? [] : ['it does not answer a uuid']
  if (text === 'file')
    return plain(document, schema)?.format === 'binary' ? [] : ['it does not answer a file']
  return lacking(document, schema, text, 'the answer', true)
}
