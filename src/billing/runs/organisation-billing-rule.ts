// The organisation's billing rule, which applies to partners without one of their own. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { changed, done, json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { hint } from '../../platform/work/hints.ts'
import { rulesJson, type StoredRule } from './billed-partner.ts'
import { addDays, startOfPeriod } from './billing-period.ts'
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
      "The periods are that of today and the next two, for partners with stock in the organisation's time " +
      'zone only. 404 if there is no rule.',
    response: json(OrganisationRule),
    async handle({ db, actor }) {
      const { rules, today, timezoneId } = await readOrganisation(db, actor)
      const rule = currentRule(rules)?.rule ?? null
      if (rule === null) throw notFound('Billing rule')
      const nothing = { pendingFrom: null, workFrom: null, storedFrom: null }
      const anyPartner = {
        ...nothing,
        own: [],
        organisation: rules,
        billedTo: addDays(startOfPeriod(rule, today), -1),
      }
      return { ...rule, periods: upcomingPeriods({ ...anyPartner, today, timezoneId }, []) }
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
      return writeRule(tx, owner, current, today, applyChange(current?.rule ?? null, body, today))
    },
  }),
  endpoint({
    delete: '/v1/organisation/billing-rule',
    name: 'deleteOrganisationBillingRule',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Remove the billing rule of partners without one of their own',
    description:
      'From today those partners are billed only on request; their running periods end yesterday and are ' +
      'still billed. 404 if there is no rule.',
    response: done,
    refuses: [404],
    async handle({ tx, actor }) {
      const owner = { organisationId: actor.organisationId, partnerId: null }
      await lockOwner(tx, owner)
      const { rules, today } = await readOrganisation(tx, actor)
      const current = currentRule(rules)
      if (!current?.rule) throw notFound('Billing rule')
      await writeRule(tx, owner, current, today, null)
    },
  }),
]
