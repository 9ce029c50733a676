// What endpoints have answered, as examples in the API document.

import type { Json } from './described-schema.ts'

/** What an endpoint has answered: a body, and the bodies of refusals by their status. */
export interface Recorded {
  answer?: unknown
  refusals?: Readonly<Record<string, unknown>>
}

/** What was recorded of all endpoints. */
export interface RecordedExamples {
  /** refusals that are the same everywhere, by status */
  shared: Readonly<Record<string, unknown>>
  /** by the method and path of the endpoint, as `GET /v1/jobs/{jobId}` */
  endpoints: Readonly<Record<string, Recorded>>
}

type Response = Json & { $ref?: string; content?: Record<string, Json> }

const mediaType = 'application/json'

const withExample = (response: Response, example: unknown): Response => ({
  ...response,
  content: { [mediaType]: { ...response.content?.[mediaType], example } },
})

const nameOf = ({ $ref }: Response): string => $ref?.split('/').at(-1) ?? ''

/**
 * Puts examples into the responses of operations. A refusal of which an operation has an example of its own
 * stands there whole, the others in the shared responses; those that nobody refers to any more are left out.
 */
export function addRecorded(
  paths: Record<string, Json>,
  shared: Json,
  { endpoints, shared: everywhere }: RecordedExamples,
): void {
  const used = new Map<string, string>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, { responses: Json }>)) {
      const { answer, refusals } = endpoints[`${method.toUpperCase()} ${path}`] ?? {}
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
    const example = everywhere[used.get(name) ?? '']
    if (!used.has(name)) delete shared[name]
    else if (example !== undefined) shared[name] = withExample(response as Response, example)
  }
}
