// Adds recorded responses to the API document as examples.

import type { Json } from './describe-schema.ts'

/** What was recorded of an endpoint: a request that succeeded, its response, and error bodies by status. */
export interface RecordedExample {
  request?: unknown
  answer?: unknown
  refusals?: Readonly<Record<string, unknown>>
}

/** What was recorded of all endpoints. */
export interface RecordedExamples {
  /** error bodies by status, for endpoints without one of their own */
  shared: Readonly<Record<string, unknown>>
  /** by the method and path of the endpoint, such as `GET /v1/jobs/{jobId}` */
  endpoints: Readonly<Record<string, RecordedExample>>
}

interface Operation {
  responses: Json
  requestBody?: { content: Record<string, Json> }
}

type Response = Json & { $ref?: string; content?: Record<string, Json> }

const mediaType = 'application/json'

const withExample = (response: Response, example: unknown): Response => ({
  ...response,
  content: { [mediaType]: { ...response.content?.[mediaType], example } },
})

const nameOf = ({ $ref }: Response): string => $ref?.split('/').at(-1) ?? ''

/**
 * Adds examples to the requests and responses of operations. A request keeps the example that it has. An
 * error response that has its own example for an operation is written out in that operation; the others stay
 * references to the shared responses. Shared responses that are no longer referenced are removed.
 */
export function addRecordedExamples(
  paths: Record<string, Json>,
  shared: Json,
  { endpoints, shared: sharedExamples }: RecordedExamples,
): void {
  const used = new Map<string, string>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const { request, answer, refusals } = endpoints[`${method.toUpperCase()} ${path}`] ?? {}
      const body = operation.requestBody?.content[mediaType]
      if (body !== undefined && request !== undefined) body.example ??= request
      const responses = operation.responses as Record<string, Response>
      for (const [status, response] of Object.entries(responses)) {
        const name = nameOf(response)
        const example = refusals?.[status]
        if (name !== '' && example !== undefined)
          responses[status] = withExample(shared[name] as Response, example)
        else if (name !== '') used.set(name, status)
        else if (answer !== undefined && response.content?.[mediaType] !== undefined)
          responses[status] = withExample(response, answer)
      }
    }
  }
  for (const [name, response] of Object.entries(shared)) {
    const example = sharedExamples[used.get(name) ?? '']
    if (!used.has(name)) delete shared[name]
    else if (example !== undefined) shared[name] = withExample(response as Response, example)
  }
}
