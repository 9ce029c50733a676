// The ERP of a client of the demo, which answers every webhook that it is down for maintenance. Its
// subscription fails, and the events that follow are kept for it.

import { fastify } from 'fastify'
import { EventType } from '../vocabulary/events.ts'
import type { CallApi } from './call-api.ts'

const path = '/harbour/waybill-events'

/** How soon deliveries are tried again in the demo, so that one need not wait to see a subscription fail. */
export const retrySeconds = [1, 1, 1, 1, 1]

/**
 * Starts the receiver, and subscribes it to the status of one client's consignments. A second run starts it
 * at the address of the first, or not at all if that is taken.
 */
export async function startFailingReceiver(call: CallApi): Promise<{ stop(): Promise<void> }> {
  const known = await subscribedPort(call)
  const receiver = fastify().post(path, (_, reply) =>
    reply.code(503).send('Down for maintenance until 6 pm.'),
  )
  const url = await receiver.listen({ host: '127.0.0.1', port: known ?? 0 }).catch(error => {
    if (known === undefined) throw error
  })
  if (known === undefined) await subscribe(call, `${url}${path}`)
  return { stop: async () => void (await receiver.close()) }
}

/** The port of the address that an earlier run has subscribed. */
async function subscribedPort(call: CallApi): Promise<number | undefined> {
  const { webhookSubscriptions } = await call<{ webhookSubscriptions: { webhookUrl: string }[] }>(
    'GET',
    '/v1/webhook-subscriptions?PageSize=100',
  )
  const found = webhookSubscriptions.find(({ webhookUrl }) => webhookUrl.endsWith(path))
  return found && Number(new URL(found.webhookUrl).port)
}

async function subscribe(call: CallApi, webhookUrl: string): Promise<void> {
  const { partners } = await call<{ partners: { id: string; code: string }[] }>(
    'GET',
    '/v1/partners?SearchText=HARBOUR',
  )
  const clientPartnerId = partners.find(({ code }) => code === 'HARBOUR')?.id
  await call('POST', '/v1/webhook-subscriptions/create', {
    ...{ webhookUrl, clientPartnerId, eventType: EventType.ConsignmentGeneralUpdated },
  })
  const { consignments } = await call<{ consignments: { id: string }[] }>(
    'GET',
    `/v1/consignments?Status=-1&ClientId=${clientPartnerId}&PageSize=20`,
  )
  for (const { id } of consignments)
    await call('PUT', `/v1/consignments/${id}/general`, {
      deliveryInstructions: 'Call the shop an hour before you arrive.',
    })
}
