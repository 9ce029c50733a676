// One attempt to send a delivery: the request, and what its answer means. Spec 6.2 to 6.5; open-points 6.

import { eventTypeNames } from '../../events/event.ts'
import type { OutgoingResponse } from '../../platform/outgoing/outgoing-http.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import type { Claimed } from './claim.ts'
import type { Attempt } from './settle.ts'
import { signatureHeaders } from './signature.ts'

const maxResponseBytes = 65_536
const keptAnswerBytes = 1_024

/** Sends a delivery once. Throws when a key of its does not open, which is not the receiver's failure. */
export async function attempt(
  context: Pick<WorkerContext, 'outgoing' | 'secretBox'>,
  delivery: Claimed,
  timeoutMs: number,
): Promise<Attempt> {
  return attemptOf(delivery, await context.outgoing.send({ ...requestOf(context, delivery), timeoutMs }))
}

/** What is sent: the same bytes at every attempt, for they are made of what was stored with the event. */
function requestOf({ secretBox }: Pick<WorkerContext, 'secretBox'>, delivery: Claimed) {
  const { id, eventId, eventType, eventCreatedUtc, data, signingKey1, signingKey2 } = delivery
  const head = JSON.stringify({ id: eventId, type: eventTypeNames[eventType], created: eventCreatedUtc })
  const body = Buffer.from(`${head.slice(0, -1)},"data":${data},"operationId":"${id}"}`)
  const keys = {
    app: secretBox.open(delivery.secretHash),
    signingKey1: signingKey1 && secretBox.open(signingKey1),
    signingKey2: signingKey2 && secretBox.open(signingKey2),
  }
  return {
    url: delivery.webhookUrl,
    method: 'POST' as const,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Waybill',
      ...signatureHeaders(keys, eventId, new Date(delivery.atUtc), body),
    },
    body,
    maxResponseBytes,
    // The status says whether the delivery was taken, however long the body is.
    onTooLarge: 'cut' as const,
  }
}

function attemptOf({ atUtc }: Claimed, answer: OutgoingResponse): Attempt {
  const { status: statusCode, durationMs } = answer
  if (!answer.ok) return { atUtc, statusCode, durationMs, error: answer.error, answer: null }
  return { atUtc, statusCode, durationMs, error: errorOf(answer.status), answer: storable(answer.body) }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  return `The receiver answered ${status}.`
}

/** The beginning of an answer as text that the database takes: no NUL, no half characters. */
function storable(body: Buffer): string | null {
  if (body.length === 0) return null
  return new TextDecoder()
    .decode(body.subarray(0, keptAnswerBytes), { stream: true })
    .replaceAll('\0', '\uFFFD')
}
