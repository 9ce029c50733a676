// The endpoint that asks an app to perform an action. Decision 6.

import { endpoint } from '../access/endpoint.ts'
import { emit } from '../events/emit.ts'
import { sql } from '../platform/database/db.ts'
import { done } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { Name, named, optional, Type } from '../platform/http/schema.ts'
import { EventType } from '../vocabulary/events.ts'

const maxDataBytes = 65_536

const ActionData = {
  ...Type.Object({}, { additionalProperties: true }),
  description: 'The data of the action: an object of at most 64 KiB, which is passed on unchanged.',
  rule: (data: unknown) =>
    Buffer.byteLength(JSON.stringify(data)) > maxDataBytes
      ? [{ path: '', problem: 'must have at most 64 KiB as JSON', code: 'length' as const }]
      : [],
}

export const triggerAppAction = [
  endpoint({
    post: '/v1/custom-apps/:customAppId/trigger-action',
    name: 'triggerAppAction',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Ask an app to perform an action',
    description:
      'Sends an event to the subscriptions that this app has made to IdentityConnectionActionExecution ' +
      '(2), and to no others. Which actions there are is agreed between the app and its callers.',
    body: named(
      'AppAction',
      Type.Object({
        action: { ...Name, description: 'The action to perform, such as `resend-orders`.' },
        data: optional(ActionData),
      }),
    ),
    response: done,
    async handle({ tx, actor, params, body, requestId }) {
      const { customAppId } = params
      const app = await tx.maybe(sql`
        select id from custom_app where organisation_id = ${actor.organisationId} and id = ${customAppId}`)
      if (app === undefined) throw notFound('Custom app')
      await emit(tx, { ...actor, requestId }, [
        {
          type: EventType.IdentityConnectionActionExecution,
          subjectId: customAppId,
          data: { customAppId, action: body.action, data: body.data ?? null },
        },
      ])
    },
  }),
]
