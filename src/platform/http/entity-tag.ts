// ETags. The tag of a record is the hash of the response to its GET, so two responses have the same tag only
// if they are identical. RFC 9110, 8.8.3 and 13.1.

import { hash } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** The ETag of a response body. */
export const entityTagOf = (text: string): string => `"${hash('sha256', text, 'base64url').slice(0, 27)}"`

/**
 * Whether a header such as If-Match lists a tag. Weak tags match too: a proxy that compresses the response
 * makes its tag weak, but it still identifies the same state of the record.
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return [...header.matchAll(/"[^"]*"/g)].some(([listed]) => listed === tag)
}

const isPage = (schema: TSchema | undefined): boolean => {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  return 'index' in properties && 'total' in properties
}

/** Whether the responses of an endpoint have an ETag: all JSON responses of GETs except pages of lists. */
export const hasEntityTag = ({ method, response, writes }: Endpoint): boolean =>
  method === 'GET' && !writes && response.kind === 'json' && !isPage(response.schema)

/**
 * Finds the GET of the record that an update changes: the one that the endpoint names, otherwise the one with
 * the same path or with the longest path that ends in an id and begins the path of the update. Returns
 * undefined for a GET and if there is no such record.
 */
export function recordOf(endpoint: Endpoint, endpoints: readonly Endpoint[]): Endpoint | undefined {
  if (endpoint.method === 'GET') return undefined
  const isRecord = ({ path }: Endpoint) =>
    endpoint.record === undefined
      ? path === endpoint.path || (/:\w+$/.test(path) && endpoint.path.startsWith(`${path}/`))
      : path === endpoint.record
  return endpoints
    .filter(candidate => hasEntityTag(candidate) && isRecord(candidate))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
}
