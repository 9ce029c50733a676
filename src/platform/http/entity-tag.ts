// ETags: a record's is the hash of what its GET answers, so that two answers have the same tag only if they
// are the same. RFC 9110, 8.8.3 and 13.1.

import { hash } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** The tag of an answer's text. */
export const tagOf = (text: string): string => `"${hash('sha256', text, 'base64url').slice(0, 27)}"`

/**
 * Whether a header such as If-Match names a tag. Weak tags match too: a proxy that compresses makes a weak
 * one of ours, and what it names is still the same record.
 */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return [...header.matchAll(/"[^"]*"/g)].some(([given]) => given === tag)
}

const isPage = (schema: TSchema | undefined): boolean => {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  return 'index' in properties && 'total' in properties
}

/** Whether an endpoint's answers have an ETag: every JSON that is not a page of a list. */
export const isTagged = ({ method, answer, writes }: Endpoint): boolean =>
  method === 'GET' && !writes && answer.kind === 'json' && !isPage(answer.schema)

/**
 * The GET whose record an update changes: the one it names, else the one with the longest path that the
 * update's path begins with, of those that end in an id. Undefined for a GET, and where there is no record.
 */
export function recordOf(endpoint: Endpoint, endpoints: readonly Endpoint[]): Endpoint | undefined {
  if (endpoint.method === 'GET') return undefined
  const isAround = ({ path }: Endpoint) =>
    endpoint.record === undefined
      ? path === endpoint.path || (/:\w+$/.test(path) && endpoint.path.startsWith(`${path}/`))
      : path === endpoint.record
  return endpoints
    .filter(candidate => isTagged(candidate) && isAround(candidate))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
}
