// The organisation's billing rule, which applies to partners without one of their own. Open-points 7.

import type { Actor } from '../../access/actor.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { changed, endpoint, json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { hint } from '../../platform/work/hints.ts'
import { rulesJson, type StoredRule } from './billed-partner.ts'
import { addDays } from './billing-period.ts'
import {
  applyChange,
  currentRule,
  lockOwner,
  OrganisationRule,
  RuleChange,
  upcomingPeriods,
  writeRule,
} from './billing-rule.ts'

interface OrganisationRules {
  timezoneId: string
  today: string
  rules: StoredRule[]
}

const readOrganisation = (db: Db, { organisationId }: Actor): Promise<OrganisationRules> =>
  db.row(sql`
    select o.timezone_id, (now() at time zone o.timezone_id)::date as today,
      ${rulesJson(sql`r.organisation_id = o.id and r.partner_id is null`)} as rules
    from organisation o where o.id = ${organisationId}`)

export const organisationBillingRule = [
  endpoint({
    get: '/v1/organisation/billing-rule',
    name: 'getOrganisationBillingRule',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read the billing rule of partners without one of their own',
    description:
      "The periods are the next three from today, for partners with stock in the organisation's time zone " +
      'only. 404 if there is no rule.',
    response: json(OrganisationRule),
    async handle({ db, actor }) {
      const { rules, today, timezoneId } = await readOrganisation(db, actor)
      const rule = currentRule(rules)?.rule ?? null
      if (rule === null) throw notFound('Billing rule')
      const anyPartner = { own: [], organisation: rules, billedTo: addDays(today, -1), pendingFrom: null }
      return { ...rule, periods: upcomingPeriods({ ...anyPartner, timezoneId }, []) }
    },
  }),
  endpoint({
    put: '/v1/organisation/billing-rule',
    name: 'setOrganisationBillingRule',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Set the billing rule of partners without one of their own',
    description:
      'Absent fields stay unchanged. If periods now end on other days, the rule applies from today and ' +
      'running periods end yesterday.',
    body: RuleChange,
    response: changed,
    async handle({ tx, actor, body }) {
      const owner = { organisationId: actor.organisationId, partnerId: null }
      await lockOwner(tx, owner)
      const { rules, today } = await readOrganisation(tx, actor)
      const current = currentRule(rules)
      tx.afterCommit(() => hint('billing-runs'))
      return writeRule(tx, owner, current, today, applyChange(current?.rule ?? null, body))
    },
  }),
]
