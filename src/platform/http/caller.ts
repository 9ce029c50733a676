// The caller of a request, as far as the server knows it.

/** Limits and turns are by organisation and user; the log names the organisation and the connection. */
export interface Caller {
  readonly organisationId: string
  readonly connectionId: string
  readonly userId: string
}
