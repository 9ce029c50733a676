// The billing rule of a partner: its own, or that of the organisation. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { changed, done, json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { hint } from '../../platform/work/hints.ts'
import { type BilledPartner, firstUnbilledDay, readBilledPartners, warehousesOf } from './billed-partner.ts'
import {
  applyChange,
  currentRule,
  lockOwner,
  PartnerRule,
  RuleChange,
  upcomingPeriods,
  writeRule,
} from './billing-rule.ts'

/** Reads a partner with its rules. 404 if unknown. */
async function readPartner(db: Db, actor: Actor, partnerId: string): Promise<BilledPartner> {
  const [partner] = await readBilledPartners(
    db,
    sql`p.organisation_id = ${actor.organisationId} and p.id = ${partnerId}`,
  )
  if (partner === undefined) throw notFound('Partner')
  return partner
}

export const partnerBillingRule = [
  endpoint({
    get: '/v1/partners/:partnerId/billing-rule',
    name: 'getPartnerBillingRule',
    partners: 'none',
    partnerParam: 'partnerId',
    scope: 'financial.read',
    extension: true,
    summary: 'Read the billing rule of a partner',
    description:
      "Its own rule (isOwn), else the organisation's. The periods are the next three without a run, with " +
      'the instants at which their runs are due. 404 if there is no rule.',
    response: json(PartnerRule),
    async handle({ db, actor, params }) {
      const partner = await readPartner(db, actor, params.partnerId)
      const own = currentRule(partner.own)?.rule ?? null
      const rule = own ?? currentRule(partner.organisation)?.rule ?? null
      if (rule === null) throw notFound('Billing rule')
      const zones = (await warehousesOf(db, partner)).map(({ timezoneId }) => timezoneId)
      const firstPeriodFrom = partner.billedFrom ?? firstUnbilledDay(partner)
      return { ...rule, isOwn: own !== null, firstPeriodFrom, periods: upcomingPeriods(partner, zones) }
    },
  }),
  endpoint({
    put: '/v1/partners/:partnerId/billing-rule',
    name: 'setPartnerBillingRule',
    partners: 'none',
    partnerParam: 'partnerId',
    scope: 'financial',
    extension: true,
    summary: 'Give a partner a billing rule of its own, or change it',
    description:
      "Absent fields stay unchanged; in a new rule they take the service's defaults, not the settings of " +
      'the organisation. If periods now end on other days, the rule applies from today and the running ' +
      'period ends yesterday.',
    body: RuleChange,
    response: changed,
    async handle({ tx, actor, params, body }) {
      await lockOwner(tx, { organisationId: actor.organisationId, partnerId: params.partnerId })
      const partner = await readPartner(tx, actor, params.partnerId)
      const current = currentRule(partner.own)
      const rule = applyChange(current?.rule ?? null, body, partner.today)
      tx.afterCommit(() => hint('billing-runs'))
      return writeRule(tx, partner, current, partner.today, rule)
    },
  }),
  endpoint({
    delete: '/v1/partners/:partnerId/billing-rule',
    name: 'deletePartnerBillingRule',
    partners: 'none',
    partnerParam: 'partnerId',
    scope: 'financial',
    extension: true,
    summary: 'Bill a partner by the rule of the organisation again',
    description: 'From today. 404 if the partner has no rule of its own.',
    response: done,
    async handle({ tx, actor, params }) {
      await lockOwner(tx, { organisationId: actor.organisationId, partnerId: params.partnerId })
      const partner = await readPartner(tx, actor, params.partnerId)
      const current = currentRule(partner.own)
      if (!current?.rule) throw notFound('Billing rule')
      await writeRule(tx, partner, current, partner.today, null)
    },
  }),
]
