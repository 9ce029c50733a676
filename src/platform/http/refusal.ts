// Refusals: the error responses of the API, with the error body of the specification. Spec 7; decision 1
// (ErrorType).

import type { ErrorCode, Fault } from './fault.ts'

/** The error body of the specification. Spec 7. */
export interface ErrorBody {
  ErrorType: string
  ErrorMessages: string[]
}

/** The error body that every endpoint returns: the specified one with details for programs. */
export interface DetailedErrorBody extends ErrorBody {
  /** one for each message, in the same order */
  ErrorDetails: readonly Fault[]
  RequestId: string
}

/** The most faults that an error body lists. */
export const maxFaults = 100

/** A sentence about the request as a whole, or a fault with its field and code. */
type Reason = string | Fault

interface RefusalOptions {
  retryAfterSeconds?: number
  /** further headers of the response */
  headers?: Readonly<Record<string, string>>
}

/** A fault as ErrorMessages lists it. */
const sentenceOf = ({ message, listedAs }: Fault): string => listedAs ?? message

/**
 * Thrown to roll back the open transaction and send an error response. Messages are full sentences that say
 * what was wrong and name the field, if there is one. A reason without a code of its own gets `code`.
 */
export class Refusal extends Error {
  readonly status: number
  readonly type: string
  readonly faults: readonly Fault[]
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    type: string,
    code: ErrorCode,
    reasons: readonly Reason[],
    { retryAfterSeconds, headers = {} }: RefusalOptions = {},
  ) {
    const faults = reasons.map(reason =>
      typeof reason === 'string' ? { path: null, code, message: reason } : reason,
    )
    const listed =
      faults.length <= maxFaults
        ? faults
        : [...faults.slice(0, maxFaults), { path: null, code, message: 'Further faults are not listed.' }]
    super(`${type}: ${listed.map(sentenceOf).join(' ')}`)
    this.status = status
    this.type = type
    this.faults = listed
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }

  get messages(): string[] {
    return this.faults.map(sentenceOf)
  }

  get body(): ErrorBody {
    return { ErrorType: this.type, ErrorMessages: this.messages }
  }

  /** The response body for the request with this id. */
  bodyFor(requestId: string): DetailedErrorBody {
    const details = this.faults.map(({ path, code, message }) => ({ path, code, message }))
    return { ...this.body, ErrorDetails: details, RequestId: requestId }
  }
}

/** 400: the request itself is malformed. */
export const validationFailed = (...reasons: Reason[]) =>
  new Refusal(400, 'Validation Failed', 'invalid', reasons)
/** 400: the request is well formed but does not fit the current records. */
export const verificationFailed = (...reasons: Reason[]) =>
  new Refusal(400, 'Verification Failed', 'state', reasons)
/** 400: the record is in a status that does not permit it. */
export const wrongStatus = (message: string) =>
  verificationFailed({ path: null, code: 'wrong_status', message })
/** 401: the token is missing or was not issued by this service. */
export const unauthorised = (message: string) =>
  new Refusal(401, 'Unauthorised', 'unauthorised', [message], { headers: { 'www-authenticate': 'Bearer' } })
/** 401: the token is expired or malformed, so the caller needs a new one. RFC 6750, 3.1. */
export const invalidToken = (message: string) =>
  new Refusal(401, 'Unauthorised', 'unauthorised', [message], {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
/** 403: the token is valid but lacks the scope or permission. */
export const forbidden = (message: string) => new Refusal(403, 'Forbidden', 'forbidden', [message])
/** 404: there is no such record, or the caller may not see it. `noun` is for example "Consignment". */
export const notFound = (noun: string) => new Refusal(404, 'Not Found', 'not_found', [`${noun} not found.`])
/** 405: the path exists but not with this method; `allowed` lists the methods that it has. */
export const methodNotAllowed = (message: string, allowed: readonly string[]) =>
  new Refusal(405, 'Method Not Allowed', 'method_not_allowed', [message], {
    headers: { allow: allowed.join(', ') },
  })
/** 409: the request contradicts an existing record. */
export const conflict = (reason: Reason, headers: Readonly<Record<string, string>> = {}) =>
  new Refusal(409, 'Conflict', 'conflict', [reason], { headers })
/** 409: a unique key is taken. `path` is the field with the key, null if several fields form it. */
export const duplicate = (path: string | null, message: string) =>
  new Refusal(409, 'Conflict', 'duplicate', [{ path, code: 'duplicate', message }])
/** 412: the record is not the one that If-Match names. */
export const preconditionFailed = (message: string) =>
  new Refusal(412, 'Precondition Failed', 'precondition', [message])
/** 413: the body, or a file in it, is larger than allowed. */
export const tooLarge = (reason: Reason) => new Refusal(413, 'Payload Too Large', 'too_large', [reason])
/** 415: the body is not JSON. */
export const unsupportedMediaType = (message: string) =>
  new Refusal(415, 'Validation Failed', 'unsupported_type', [message])
/** 422: the request is valid but the content of its file cannot be processed. */
export const unprocessable = (...reasons: Reason[]) =>
  new Refusal(422, 'Unprocessable', 'unprocessable', reasons)
/** 429: a rate limit is exceeded. Spec 8. */
export const rateLimitExceeded = (seconds: number) =>
  new Refusal(
    429,
    'RateLimitExceeded',
    'rate_limited',
    [`The rate limit is exceeded. Retry after ${seconds} seconds.`],
    { retryAfterSeconds: seconds },
  )
/** 429: too many streams are open, or too many requests wait, at the same time. */
export const tooManyAtOnce = (message: string) =>
  new Refusal(429, 'RateLimitExceeded', 'rate_limited', [message], { retryAfterSeconds: 5 })
/** 500: a defect of the service. */
export const internalError = (message: string) => new Refusal(500, 'Internal Error', 'internal', [message])
/** 503: it is unknown whether the request took effect, and whoever sent it has to find out. */
export const outcomeUnknown = (reason: string) =>
  new Refusal(
    503,
    'Unavailable',
    'unavailable',
    [`${reason} It may have been stored: repeat it with its idempotency key, or look it up.`],
    { retryAfterSeconds: 2, headers: { outcome: 'unknown' } },
  )
/** 503: the database is unreachable or overloaded; the request may be sent again. */
export const unavailable = (message: string, retryAfterSeconds = 2) =>
  new Refusal(503, 'Unavailable', 'unavailable', [message], { retryAfterSeconds })
