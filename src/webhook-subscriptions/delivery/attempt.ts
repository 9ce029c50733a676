// One attempt to send a delivery: its request, and the meaning of the response. Spec 6.2 to 6.5; decision
// 6.

import type { OutgoingResponse } from '../../platform/outgoing/outgoing-http.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { eventTypeNames } from '../../vocabulary/events.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { DeliveryAttempt } from './settle.ts'
import { signatureHeaders } from './signature.ts'

const maxResponseBytes = 65_536
const maxStoredResponseBytes = 1_024

/** Sends a delivery once. Throws if a key cannot be decrypted, which is not a failure of the receiver. */
export async function attemptDelivery(
  context: Pick<WorkerContext, 'outgoing' | 'secretBox'>,
  delivery: ClaimedDelivery,
  timeoutMs: number,
): Promise<DeliveryAttempt> {
  return attemptOf(delivery, await context.outgoing.send({ ...requestOf(context, delivery), timeoutMs }))
}

/** What the request of a delivery is made of. */
export type DeliveryFacts = Pick<
  ClaimedDelivery,
  | 'id'
  | 'atUtc'
  | 'webhookUrl'
  | 'eventId'
  | 'eventType'
  | 'eventCreatedUtc'
  | 'data'
  | 'secretHash'
  | 'signingKey1'
  | 'signingKey2'
>

/**
 * The request. Its body is the same at every attempt, because it is made of what was stored with the event.
 */
export function requestOf({ secretBox }: Pick<WorkerContext, 'secretBox'>, delivery: DeliveryFacts) {
  const { id, eventId, eventType, eventCreatedUtc, data, signingKey1, signingKey2 } = delivery
  const head = JSON.stringify({ id: eventId, type: eventTypeNames[eventType], created: eventCreatedUtc })
  const body = Buffer.from(`${head.slice(0, -1)},"data":${data},"operationId":"${id}"}`)
  const keys = {
    app: delivery.secretHash && secretBox.open(delivery.secretHash),
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
    // The status alone decides whether the delivery succeeded, however long the response body is.
    onTooLarge: 'cut' as const,
  }
}

function attemptOf({ atUtc }: ClaimedDelivery, response: OutgoingResponse): DeliveryAttempt {
  const { status: statusCode, durationMs } = response
  if (!response.ok) return { atUtc, statusCode, durationMs, error: response.error, answer: null }
  return {
    atUtc,
    statusCode,
    durationMs,
    error: errorOf(response.status),
    answer: toStoredText(response.body),
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  return `The receiver answered ${status}.`
}

/** The first bytes of a response as text that the database accepts: without NUL or incomplete characters. */
function toStoredText(body: Buffer): string | null {
  if (body.length === 0) return null
  return new TextDecoder()
    .decode(body.subarray(0, maxStoredResponseBytes), { stream: true })
    .replaceAll('\0', '\uFFFD')
}
