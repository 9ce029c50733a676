// The error statuses of endpoints, for the API document. Spec 7.

import type { Endpoint } from './endpoint.ts'

/** What each error status means; the application says what 403 does. */
export const errorDescriptions: Record<number, string> = {
  400:
    'The request is malformed (Validation Failed) or does not fit the current records (Verification ' +
    'Failed).',
  401: 'The access token is missing, expired or not valid.',
  404: 'There is no such record, or the token may not see it.',
  412: 'The record no longer has the ETag in If-Match; nothing was changed.',
  409: 'The request conflicts with an existing record.',
  413: 'The body is larger than the endpoint accepts.',
  415: 'The body is not JSON.',
  422: 'The request is valid, but the content of its file cannot be processed.',
  429: 'A rate limit is exceeded.',
  500: 'A defect of the service. Its log has the details under the request id.',
  503: 'The service is temporarily unable to respond.',
}

/** The error statuses that an endpoint may return. */
export function errorStatuses(endpoint: Endpoint): number[] {
  const always = [400, 401, 429, 500, 503]
  const record = endpoint.path.includes(':') ? [404] : []
  const body = endpoint.method === 'GET' ? [] : [412, 413, 415]
  return [...new Set([...always, ...record, ...body, ...endpoint.refuses])].toSorted((a, b) => a - b)
}
