// Reads the path, query and body of a request, and checks them against the schemas of its endpoint.

import type { FastifyRequest } from 'fastify'
import type { AnyAccessRules } from './access-rules.ts'
import type { Endpoint } from './endpoint.ts'
import { type Fault, faultAt } from './fault.ts'
import { unknownFieldsFinder } from './known-fields.ts'
import { isUuid, type Validation } from './validation.ts'

/** The parts of a request that its handler receives. */
export interface Input {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  /** the fields of the body that its schema does not know, by path */
  ignoredFields: readonly string[]
}

/** The properties of a request that the reader uses. */
type Parts = Pick<FastifyRequest, 'params' | 'query' | 'body' | 'actor' | 'storageFaults'>

/** Reads a request, and finds all its faults and the names in its query that nothing reads. */
export type RequestReader = (request: Parts) => Input & { faults: Fault[]; ignoredNames: readonly string[] }

/** Parses a query string. A repeated name becomes an array, as `EdiStatus=1&EdiStatus=null` needs. */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  if (text === '') return query
  for (const [key, value] of new URLSearchParams(text)) {
    const earlier = query[key]
    if (Array.isArray(earlier)) earlier.push(value)
    else query[key] = earlier === undefined ? value : [earlier, value]
  }
  return query
}

const noBody: Fault = { path: null, code: 'required', message: 'The request needs a JSON body.' }

/** Makes the reader of an endpoint's requests. */
export function requestReader(
  endpoint: Endpoint,
  validation: Validation,
  access: AnyAccessRules,
): RequestReader {
  const checkQuery = endpoint.query === undefined ? undefined : validation.query(endpoint.query)
  const checkBody = endpoint.body === undefined ? undefined : validation.body(endpoint.body)
  const findUnknown = endpoint.body === undefined ? undefined : unknownFieldsFinder(endpoint.body)
  return request => {
    const faults: Fault[] = []
    const params = { ...(request.params as Record<string, string>) }
    for (const [name, value] of Object.entries(params)) {
      if (isUuid(value)) params[name] = value.toLowerCase()
      else faults.push(faultAt(name, 'must be a uuid', 'format'))
    }
    let query: Record<string, unknown> = {}
    let ignoredNames: string[] = []
    if (checkQuery === undefined) ignoredNames = Object.keys(request.query as object)
    else {
      const checked = checkQuery(request.query as Record<string, string | string[]>)
      query = checked.query
      ignoredNames = checked.ignored
      faults.push(...checked.faults)
    }
    let body: unknown
    faults.push(...(request.storageFaults ?? []))
    if (checkBody !== undefined) {
      body = request.body ?? (endpoint.bodyOptional ? {} : undefined)
      faults.push(...(body === undefined ? [noBody] : checkBody(body)))
    }
    const ignoredFields = findUnknown?.(body) ?? []
    return {
      params: access.paramsFor(endpoint, request.actor, params),
      ...{ query, body, faults, ignoredFields, ignoredNames },
    }
  }
}
