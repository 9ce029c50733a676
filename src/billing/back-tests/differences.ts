// The endpoint that lists the consignments for which the card of a back-test gives another amount.
// Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import { named, Type, Uuid } from '../../platform/http/schema.ts'

const BackTestDifference = named(
  'RateCardBackTestDifference',
  Type.Object({
    consignmentId: Uuid,
    consignmentNumber: Type.String(),
    before: Type.Number(),
    after: Type.Number(),
    difference: Type.Number(),
    rates: Type.Array(Type.Object({ name: Type.String(), before: Type.Number(), after: Type.Number() })),
  }),
)

export const rateCardBackTestDifferences = [
  endpoint({
    get: '/v1/rate-card-back-tests/:rateCardBackTestId/differences',
    name: 'listRateCardBackTestDifferences',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'List the consignments that differ, the largest differences first',
    description: 'The largest 10,000 differences are kept. Rates without a difference are left out.',
    query: pageQuery({}),
    response: json(pageOf('rateCardBackTestDifferences', BackTestDifference)),
    handle: ({ db, actor, params, query }) =>
      readPage(db, 'rateCardBackTestDifferences', query, {
        parent: {
          from: sql`rate_card_back_test t
            where t.organisation_id = ${actor.organisationId} and t.id = ${params.rateCardBackTestId}`,
          noun: 'Back-test',
        },
        columns: sql`d.consignment_id, c.consignment_number, d.amount_before as before,
          d.amount_after as after,
          d.amount_after - d.amount_before as difference, d.rates`,
        from: sql`rate_card_back_test_difference d
          join consignment c on c.organisation_id = d.organisation_id and c.id = d.consignment_id
          where d.organisation_id = ${actor.organisationId}
            and d.rate_card_back_test_id = ${params.rateCardBackTestId}`,
        order: sql`d.ordinal`,
      }),
  }),
]
