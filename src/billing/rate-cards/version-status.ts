// Approving a version of a rate card. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { forbidden, verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../../platform/http/schema.ts'
import { noteStatus } from '../../rehearsal/notes.ts'
import { RateCardVersionStatus } from '../../vocabulary/billing.ts'
import type { RateCardContent } from '../evaluator/rate-card-content.ts'
import { checkReferences } from './content-references.ts'
import { lockVersion } from './rate-card-version.ts'

export const rateCardVersionStatus = [
  endpoint({
    put: '/v1/rate-cards/:rateCardId/versions/:rateCardVersionId/status',
    name: 'setRateCardVersionStatus',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Approve a version of a rate card',
    description:
      'The version is in force from its effectiveFrom, which may be in the past: open consignments follow ' +
      'at once, Closed ones never. An Approved version never changes. Every record that it refers to must ' +
      'be active. If the organisation requires two people, the last editor may not approve it.',
    body: named('RateCardVersionStatusChange', Type.Object({ status: IntegerEnum(RateCardVersionStatus) })),
    response: changed,
    async handle({ tx, actor, params, body: { status } }) {
      const version = await lockVersion(tx, actor, params)
      const { organisationId, id, number } = version
      if (version.status === status) return false
      if (status === RateCardVersionStatus.Draft)
        throw verificationFailed(`Version ${number} is Approved and never becomes a Draft again.`)
      const { rateCardApprovalBySecondUser } = await tx.row<{ rateCardApprovalBySecondUser: boolean }>(
        sql`select rate_card_approval_by_second_user from organisation where id = ${organisationId}`,
      )
      if (rateCardApprovalBySecondUser && version.editedBy === actor.userId)
        throw forbidden(`Another person than the one who edited version ${number} last has to approve it.`)
      const content = JSON.parse(version.content) as RateCardContent
      await checkReferences(tx, organisationId, content, { isApproved: true })
      await tx.run(sql`
        update rate_card_version v
        set status = ${status}, approved_utc = now(), approved_by = ${actor.userId}, rate_card_name = k.name
        from rate_card k
        where v.organisation_id = ${organisationId} and v.id = ${id}
          and k.organisation_id = v.organisation_id and k.id = v.rate_card_id`)
      noteStatus(tx, RateCardVersionStatus, { id, from: version.status, to: status })
      return true
    },
  }),
]
