// What waits to be billed, by client and carrier: the overview from which somebody bills. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { empty, raw, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import {
  Count,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { ScheduleStatus, ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { PartnerStatus, Relationship } from '../../vocabulary/partners.ts'
import { readBilledPartners } from './billed-partner.ts'
import { upcomingPeriods } from './billing-rule.ts'

const BilledPartner = named(
  'BilledPartner',
  Type.Object({
    partner: Type.Object({ id: Uuid, name: Type.String(), code: Type.String() }),
    relationship: IntegerEnum(Relationship),
    pendingCount: { ...Count, description: 'Its Pending transactions.' },
    pendingExclTax: { ...Type.Number(), description: 'What they come to.' },
    completeCount: { ...Count, description: 'Its Complete consignments, which are not Closed yet.' },
    lastSchedule: nullable(
      Type.Object({
        id: Uuid,
        date: PlainDate,
        status: IntegerEnum(ScheduleStatus),
        amountExclTax: Type.Number(),
      }),
    ),
    nextPeriod: nullable(
      Type.Object(
        { periodFrom: PlainDate, periodTo: PlainDate, runUtc: UtcTime },
        {
          description:
            'The next period without a run, and when its run is due for stock in the time zone of the ' +
            'organisation; null without a billing rule.',
        },
      ),
    ),
  }),
)
type BilledPartner = Static<typeof BilledPartner>

// Literals: a prepared statement could not otherwise use the indexes of these statuses.
const pending = raw(String(ScheduleTransactionStatus.Pending))
const complete = raw(String(ConsignmentStatus.Complete))

const ofPartner = sql`t.organisation_id = p.organisation_id and t.partner_id = p.id and t.status = ${pending}`
const columns = sql`json_build_object('id', p.id, 'name', p.name, 'code', p.code) as partner, p.relationship,
  (select count(*) from schedule_transaction t where ${ofPartner}) as pending_count,
  (select coalesce(sum(t.amount_excl_tax), 0) from schedule_transaction t where ${ofPartner})
    as pending_excl_tax,
  (select count(*) from consignment c where c.organisation_id = p.organisation_id and c.client_id = p.id
    and c.status = ${complete}) as complete_count,
  (select json_build_object('id', s.id, 'date', s.date, 'status', s.status,
      'amountExclTax', s.amount_excl_tax)
    from partner_schedule s where s.organisation_id = p.organisation_id and s.partner_id = p.id
    order by s.date desc, s.id desc limit 1) as last_schedule`

export const billedPartners = [
  endpoint({
    get: '/v1/billed-partners',
    name: 'listBilledPartners',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'List what waits to be billed, by client and carrier',
    description: 'Active partners by name, with their next billing periods and latest schedules.',
    query: pageQuery({
      SearchText: searchIn('name and code'),
      Relationship: Type.Optional(IntegerEnum(Relationship)),
    }),
    response: json(pageOf('billedPartners', BilledPartner)),
    async handle({ db, actor, query }) {
      const page = await readPage<'billedPartners', Omit<BilledPartner, 'nextPeriod'>>(
        db,
        'billedPartners',
        query,
        {
          columns,
          from: sql`partner p
            where p.organisation_id = ${actor.organisationId} and p.status = ${PartnerStatus.Active}
            ${
              query.SearchText
                ? sql`and lower(concat_ws(E'\n', p.code, p.name)) like containing(${query.SearchText})`
                : empty
            }
            ${query.Relationship === undefined ? empty : sql`and p.relationship = ${query.Relationship}`}`,
          order: sql`lower(p.name), p.id`,
        },
      )
      const ids = page.billedPartners.map(({ partner }) => partner.id)
      const rules = await readBilledPartners(
        db,
        sql`p.organisation_id = ${actor.organisationId} and p.id = any(${ids})`,
      )
      const periods = new Map(
        rules.map(partner => [partner.partnerId, upcomingPeriods(partner, [])[0]] as const),
      )
      const billed = page.billedPartners.map(row => ({
        ...row,
        nextPeriod: periods.get(row.partner.id) ?? null,
      }))
      return { ...page, billedPartners: billed }
    },
  }),
]
