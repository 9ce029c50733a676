// The endpoint that requests an export of a consignment by hand. Decision 6.

import { endpoint } from '../access/endpoint.ts'
import { emit } from '../events/emit.ts'
import { done } from '../platform/http/endpoint.ts'
import { EventType } from '../vocabulary/events.ts'
import { consignmentEvent, lockConsignment } from './consignment.ts'

export const triggerConsignmentAction = [
  endpoint({
    post: '/v1/consignments/:consignmentId/trigger-action',
    name: 'triggerConsignmentAction',
    partners: 'none',
    scope: 'consignment',
    extension: true,
    summary: 'Request an export of a consignment by hand',
    description:
      'Notifies the subscribers of ConsignmentConnectionActionManualTrigger (115), which acknowledge with ' +
      'connection-result. Possible in every status, any number of times.',
    response: done,
    async handle({ tx, actor, params, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      await emit(tx, { ...actor, requestId }, [
        consignmentEvent(EventType.ConsignmentConnectionActionManualTrigger, consignment),
      ])
    },
  }),
]
