// Requests that may be sent again although it is unknown whether they were carried out, because the service
// recognises the repetition. Specification sections 2.3 and 8.

/**
 * Whether a request may be repeated after a 503. Every request may, except a POST without an idempotency key
 * of its own: `idempotencyKey` of an import, `operationId` of a stock command.
 */
export async function mayRepeat(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return true
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof body !== 'object' || body === null) return false
  const { idempotencyKey, operationId } = body as Record<string, unknown>
  return [idempotencyKey, operationId].some(key => typeof key === 'string' && key !== '')
}

/** Whether a response says that the request may have been carried out. */
export const isOutcomeUnknown = (response: Response): boolean =>
  response.headers.get('outcome')?.toLowerCase() === 'unknown'

const importsPath = /\/v1\/consignment-imports$/

/**
 * Returns what the first attempt would have returned, if an import was sent again because the outcome of that
 * attempt was unknown, and is refused because its idempotency key is taken: the first attempt was stored. Any
 * other response is returned as it is.
 */
export async function responseOfFirstAttempt(request: Request, response: Response): Promise<Response> {
  if (response.status !== 409 || !importsPath.test(new URL(request.url).pathname)) return response
  const id = response.headers.get('location')?.split('/').at(-1)
  if (!id) return response
  await response.body?.cancel()
  const headers = new Headers(response.headers)
  for (const name of ['content-length', 'content-encoding', 'location']) headers.delete(name)
  return new Response(JSON.stringify({ consignmentId: id }), { status: 202, headers })
}
