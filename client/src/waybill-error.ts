// What the service refused, as an error to throw. Specification section 7; for tokens 5.6.

/**
 * A refusal of the service. The message is its sentences; `errorType` its kind, for tokens the OAuth error
 * code.
 */
export class WaybillError extends Error {
  override readonly name = 'WaybillError'
  readonly status: number
  readonly errorType: string
  readonly errorMessages: readonly string[]

  constructor(status: number, errorType: string, errorMessages: readonly string[]) {
    super(`${status} ${errorType}: ${errorMessages.join(' ')}`)
    this.status = status
    this.errorType = errorType
    this.errorMessages = errorMessages
  }
}

/**
 * The error that a refusal's body tells of: the API's own, that of the token endpoint, or the text of
 * whatever else answered.
 */
export function errorOf(status: number, body: unknown): WaybillError {
  const told = (
    typeof body === 'object' && body !== null ? body : { ErrorMessages: String(body ?? '').slice(0, 200) }
  ) as Record<string, unknown>
  const messages = told.ErrorMessages ?? told.error_description ?? []
  return new WaybillError(
    status,
    String(told.ErrorType ?? told.error ?? 'Unknown'),
    [messages].flat().map(String),
  )
}

/** The body of a refusal: JSON, or the text where it is none. */
export async function readRefusal(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a call of the client resolves with. */
interface Answered<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * The data of an answer; a refusal is thrown as a `WaybillError`. An update that changed nothing (304) is no
 * refusal: it has no data, and neither has an answer without a body.
 */
export function orThrow<Data>({ data, error, response }: Answered<Data>): Data {
  if (response.ok || response.status === 304) return data as Data
  throw errorOf(response.status, error)
}
