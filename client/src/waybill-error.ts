// Refusals of the service as errors. Specification section 7; for tokens 5.6.

/** A fault of a request: the field that it is about, a code for programs, and a sentence. */
export interface ErrorDetail {
  /** the field, such as `products[2].items[0].quantity`; null if it is none */
  path: string | null
  code: string
  message: string
}

/**
 * A refusal of the service. The message contains all its `errorMessages`; `errorType` is its kind, or the
 * OAuth error code if a token was refused.
 */
export class WaybillError extends Error {
  override readonly name = 'WaybillError'
  readonly status: number
  readonly errorType: string
  readonly errorMessages: readonly string[]
  /** the same faults with their fields and codes; empty if the service did not name them */
  readonly details: readonly ErrorDetail[]
  /** the id under which the service has logged the request */
  readonly requestId: string | undefined

  constructor(
    status: number,
    errorType: string,
    errorMessages: readonly string[],
    details: readonly ErrorDetail[] = [],
    requestId?: string,
  ) {
    super(`${status} ${errorType}: ${errorMessages.join(' ')}`)
    this.status = status
    this.errorType = errorType
    this.errorMessages = errorMessages
    this.details = details
    this.requestId = requestId
  }

  /** Reads the error from a response that is a refusal. */
  static async of(response: Response): Promise<WaybillError> {
    return errorOf(response.status, await readRefusal(response))
  }
}

/**
 * Returns the error for the body of a refusal: an error of the API, an error of the token endpoint, or the
 * text of another server, such as a proxy.
 */
export function errorOf(status: number, body: unknown): WaybillError {
  const details = (
    typeof body === 'object' && body !== null ? body : { ErrorMessages: String(body ?? '').slice(0, 200) }
  ) as Record<string, unknown>
  const messages = details.ErrorMessages ?? details.error_description ?? []
  return new WaybillError(
    status,
    String(details.ErrorType ?? details.error ?? 'Unknown'),
    [messages].flat().map(String),
    Array.isArray(details.ErrorDetails) ? (details.ErrorDetails as ErrorDetail[]) : [],
    typeof details.RequestId === 'string' ? details.RequestId : undefined,
  )
}

/** Reads the body of a refusal: parsed JSON, or the text if it is not JSON. */
export async function readRefusal(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The result of a call of the client. */
interface CallResult<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * Returns the data of a response, and throws a refusal as a `WaybillError`. An update that changed nothing
 * (304) is not a refusal; its data is undefined, like that of a response without a body.
 */
export function orThrow<Data>({ data, error, response }: CallResult<Data>): Data {
  if (response.ok || response.status === 304) return data as Data
  throw errorOf(response.status, error)
}
