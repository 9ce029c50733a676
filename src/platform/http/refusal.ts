// What the service answers when it will not do what was asked: the error body of the specification. Spec 7;
// open-points 1 (ErrorType).

import type { ErrorCode, Fault } from './fault.ts'

/** The error body of the specification. Spec 7.1. */
export interface ErrorBody {
  ErrorType: string
  ErrorMessages: string[]
}

/** What every endpoint answers: the same, with what programs want to know. */
export interface DetailedErrorBody extends ErrorBody {
  /** one for each message, in their order */
  ErrorDetails: readonly Fault[]
  RequestId: string
}

/** At most this many faults are told; more would help nobody. */
export const maxFaults = 100

/** A sentence that is about no certain field, or a fault with its field and code. */
type Said = string | Fault

interface Extras {
  retryAfterSeconds?: number
  /** further headers of the answer */
  headers?: Readonly<Record<string, string>>
}

/**
 * Thrown to undo the open transaction and answer the caller. Messages are full sentences that say what was
 * wrong, and name the field where it is one. What is said as a mere sentence has the code of the refusal.
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
    said: readonly Said[],
    { retryAfterSeconds, headers = {} }: Extras = {},
  ) {
    const faults = said.map(one => (typeof one === 'string' ? { path: null, code, message: one } : one))
    const told =
      faults.length <= maxFaults
        ? faults
        : [...faults.slice(0, maxFaults), { path: null, code, message: 'Further faults are not listed.' }]
    super(`${type}: ${told.map(({ message }) => message).join(' ')}`)
    this.status = status
    this.type = type
    this.faults = told
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }

  get messages(): string[] {
    return this.faults.map(({ message }) => message)
  }

  get body(): ErrorBody {
    return { ErrorType: this.type, ErrorMessages: this.messages }
  }

  /** The body of the answer to the request with this id. */
  bodyFor(requestId: string): DetailedErrorBody {
    return { ...this.body, ErrorDetails: this.faults, RequestId: requestId }
  }
}

/** 400: the request itself is wrong. */
export const validationFailed = (...said: Said[]) => new Refusal(400, 'Validation Failed', 'invalid', said)
/** 400: the request is well formed but does not fit the current records. */
export const verificationFailed = (...said: Said[]) => new Refusal(400, 'Verification Failed', 'state', said)
/** 401: the token is missing, or not one of ours. */
export const unauthorised = (message: string) =>
  new Refusal(401, 'Unauthorised', 'unauthorised', [message], { headers: { 'www-authenticate': 'Bearer' } })
/** 401: there is a token, and it is expired or malformed: another one has to be got. RFC 6750, 3.1. */
export const invalidToken = (message: string) =>
  new Refusal(401, 'Unauthorised', 'unauthorised', [message], {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
/** 403: a valid token without the scope or permission. */
export const forbidden = (message: string) => new Refusal(403, 'Forbidden', 'forbidden', [message])
/** 404: no such record, or not one of this caller's. `what` is a noun such as "Consignment". */
export const notFound = (what: string) => new Refusal(404, 'Not Found', 'not_found', [`${what} not found.`])
/** 405: the address is right and the method is not; `allowed` are the methods that it answers to. */
export const methodNotAllowed = (message: string, allowed: readonly string[]) =>
  new Refusal(405, 'Method Not Allowed', 'method_not_allowed', [message], {
    headers: { allow: allowed.join(', ') },
  })
/** 409: it contradicts a record that is there. */
export const conflict = (said: Said) => new Refusal(409, 'Conflict', 'conflict', [said])
/** 409: a unique key is taken; `path` is the field that gives it, null where several do. */
export const duplicate = (path: string | null, message: string) =>
  new Refusal(409, 'Conflict', 'duplicate', [{ path, code: 'duplicate', message }])
/** 412: the record is not the one that If-Match names. */
export const preconditionFailed = (message: string) =>
  new Refusal(412, 'Precondition Failed', 'precondition', [message])
/** 413: the body or a file in it is larger than allowed. */
export const tooLarge = (said: Said) => new Refusal(413, 'Payload Too Large', 'too_large', [said])
/** 415: the body is not JSON. */
export const unsupportedMediaType = (message: string) =>
  new Refusal(415, 'Validation Failed', 'unsupported_type', [message])
/** 422: a valid request whose file content cannot be processed. */
export const unprocessable = (...said: Said[]) => new Refusal(422, 'Unprocessable', 'unprocessable', said)
/** 429: over a limit of section 8. */
export const rateLimitExceeded = (seconds: number) =>
  new Refusal(
    429,
    'RateLimitExceeded',
    'rate_limited',
    [`The rate limit is exceeded. Retry after ${seconds} seconds.`],
    { retryAfterSeconds: seconds },
  )
/** 429: more streams at a time than there may be. */
export const tooManyStreams = (message: string) =>
  new Refusal(429, 'RateLimitExceeded', 'rate_limited', [message], { retryAfterSeconds: 5 })
/** 500: a defect of ours. */
export const internalError = (message: string) => new Refusal(500, 'Internal Error', 'internal', [message])
/** 503: the database is away or overloaded; the request may be sent again. */
export const unavailable = (message: string, retryAfterSeconds = 2) =>
  new Refusal(503, 'Unavailable', 'unavailable', [message], { retryAfterSeconds })
