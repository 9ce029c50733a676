// What the service answers when it will not do what was asked: the error body of the specification. Spec 7;
// open-points 1 (ErrorType).

import { type ErrorDetail, errorDetails } from './error-details.ts'

/** The error body of the specification. Spec 7.1. */
export interface ErrorBody {
  ErrorType: string
  ErrorMessages: string[]
}

/** What every endpoint answers: the same, with what programs want to know. */
export interface DetailedErrorBody extends ErrorBody {
  /** one for each message, in their order */
  ErrorDetails: ErrorDetail[]
  RequestId: string
}

/**
 * Thrown to undo the open transaction and answer the caller. Messages are full sentences that name the field
 * and what was wrong.
 */
export class Refusal extends Error {
  readonly status: number
  readonly type: string
  readonly messages: string[]
  readonly retryAfterSeconds: number | undefined
  /** further headers of the answer */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    type: string,
    messages: string[],
    retryAfterSeconds?: number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${type}: ${messages.join(' ')}`)
    this.status = status
    this.type = type
    this.messages = messages
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }

  get body(): ErrorBody {
    return { ErrorType: this.type, ErrorMessages: this.messages }
  }

  /** The body of the answer to the request with this id. */
  bodyFor(requestId: string): DetailedErrorBody {
    return {
      ...this.body,
      ErrorDetails: errorDetails(this.status, this.type, this.messages),
      RequestId: requestId,
    }
  }
}

/** At most this many faults of one kind are told; more would help nobody. */
export const maxFaults = 100

/** 400: the request itself is wrong. */
export const validationFailed = (...messages: string[]) => new Refusal(400, 'Validation Failed', messages)
/** 400: the request is well formed but does not fit the current records. */
export const verificationFailed = (...messages: string[]) => new Refusal(400, 'Verification Failed', messages)
/** 401: the token is missing, or not one of ours. */
export const unauthorised = (message: string) =>
  new Refusal(401, 'Unauthorised', [message], undefined, { 'www-authenticate': 'Bearer' })
/** 401: there is a token, and it is expired or malformed: another one has to be got. RFC 6750, 3.1. */
export const invalidToken = (message: string) =>
  new Refusal(401, 'Unauthorised', [message], undefined, {
    'www-authenticate': 'Bearer error="invalid_token"',
  })
/** 403: a valid token without the scope or permission. */
export const forbidden = (message: string) => new Refusal(403, 'Forbidden', [message])
/** 404: no such record, or not one of this caller's. `what` is a noun such as "Consignment". */
export const notFound = (what: string) => new Refusal(404, 'Not Found', [`${what} not found.`])
/** 405: the address is right and the method is not; `allowed` are the methods that it answers to. */
export const methodNotAllowed = (message: string, allowed: readonly string[]) =>
  new Refusal(405, 'Method Not Allowed', [message], undefined, { allow: allowed.join(', ') })
/** 412: the record is not the one that If-Match names. */
export const preconditionFailed = (message: string) => new Refusal(412, 'Precondition Failed', [message])
/** 409: a unique key is taken. */
export const conflict = (message: string) => new Refusal(409, 'Conflict', [message])
/** 413: the body or a file in it is larger than allowed. */
export const tooLarge = (message: string) => new Refusal(413, 'Payload Too Large', [message])
/** 415: the body is not JSON. */
export const unsupportedMediaType = (message: string) => new Refusal(415, 'Validation Failed', [message])
/** 422: a valid request whose file content cannot be processed. */
export const unprocessable = (...messages: string[]) => new Refusal(422, 'Unprocessable', messages)
/** 429: over a limit of section 8. */
export const rateLimitExceeded = (seconds: number) =>
  new Refusal(
    429,
    'RateLimitExceeded',
    [`The rate limit is exceeded. Retry after ${seconds} seconds.`],
    seconds,
  )
/** 429: more streams at a time than there may be. */
export const tooManyStreams = (message: string) => new Refusal(429, 'RateLimitExceeded', [message], 5)
/** 503: the database is away or overloaded; the request may be sent again. */
export const unavailable = (message: string, retryAfterSeconds = 2) =>
  new Refusal(503, 'Unavailable', [message], retryAfterSeconds)
