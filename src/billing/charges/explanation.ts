// The endpoint that explains the charges of a consignment. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { json } from '../../platform/http/endpoint.ts'
import { readChargedConsignment } from './charged-consignment.ts'
import { Explanation, explainCharges } from './explain-charges.ts'

export const chargeExplanation = [
  endpoint({
    get: '/v1/consignments/:consignmentId/charges/explanation',
    name: 'getChargeExplanation',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Explain why a consignment is charged as it is',
    description:
      'Every rate and every charge of the cards that apply, with its outcome. For a Closed consignment, ' +
      'from the data that was frozen when it was Closed.',
    response: json(Explanation),
    async handle({ db, actor, params, passOn }) {
      const { consignment, rated } = await readChargedConsignment(db, actor, params.consignmentId, passOn)
      return consignment === null || rated === null
        ? { rates: [], unrated: [] }
        : explainCharges(consignment, rated)
    },
  }),
]
