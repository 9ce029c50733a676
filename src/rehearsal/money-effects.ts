// What a rehearsed act does to money: what it bills, freezes, makes void, and puts on schedules.

import { type Db, sql } from '../platform/database/db.ts'
import type { Effect } from '../platform/http/rehearsal.ts'
import { ScheduleTransactionStatus } from '../vocabulary/billing.ts'
import { EventType } from '../vocabulary/events.ts'
import { Relationship } from '../vocabulary/partners.ts'
import { type Note, notesAbout } from './notes.ts'
import { amountOf, count } from './words.ts'

interface Total {
  transactionCount: number
  amountExclTax: number
}

interface PartnerTotal extends Total {
  partnerId: string
  partnerName: string
  relationship: number
}

/** What is read for the effects on money, in one statement. */
interface Figures {
  currencyCode: string | null
  bills: PartnerTotal[]
  frozenCount: number
  voided: Total
  raised: Total
  created: Total
  scheduled: Total
}

/** The effects on charges, transactions and schedules. */
export async function moneyEffects(
  db: Db,
  organisationId: string,
  notes: readonly Note[],
): Promise<Effect[]> {
  const billed = notesAbout(notes, 'bills').flatMap(({ consignmentIds }) => consignmentIds)
  const transactions = notesAbout(notes, 'transactions')
  const unscheduled = notesAbout(notes, 'unscheduled').reduce((sum, note) => sum + note.count, 0)
  const created = notesAbout(notes, 'events')
    .flatMap(({ events }) => events)
    .filter(({ type }) => type === EventType.PartnerScheduleCreated)
    .map(({ subjectId }) => subjectId)
  const scheduled = notesAbout(notes, 'scheduled').flatMap(({ ids }) => ids)
  const changes = [billed, transactions, created, scheduled].flat()
  if (changes.length + unscheduled === 0) return []
  const isUnfrozen = transactions.some(({ did }) => did === 'unfreeze')
  const idsOf = (isRaised: boolean) =>
    transactions.filter(({ did }) => (did === 'raise') === isRaised).flatMap(({ ids }) => ids)
  const figures = await readFigures(db, organisationId, {
    ...{ billed, created, scheduled, voided: idsOf(false), raised: idsOf(true) },
  })
  const { currencyCode, voided, raised } = figures
  const totalOf = ({ transactionCount, amountExclTax }: Total) =>
    `${count(transactionCount, 'transaction')} of ${amountOf(amountExclTax, currencyCode)}`
  const charge = (text: string, data: object): Effect => ({ kind: 'charge', text, data: { ...data } })
  return [
    ...(billed.length === 0 ? [] : billEffects(figures, billed.length)),
    ...(isUnfrozen ? [{ kind: 'unfreeze', text: 'unfreeze the charges', data: {} }] : []),
    ...(voided.transactionCount > 0 ? [charge(`void ${totalOf(voided)}`, voided)] : []),
    ...(raised.transactionCount > 0 ? [charge(`raise ${totalOf(raised)}`, raised)] : []),
    ...(created.length > 0
      ? [
          schedule(
            `create ${count(created.length, 'schedule')} with ${totalOf(figures.created)}`,
            figures.created,
          ),
        ]
      : []),
    ...(scheduled.length > 0
      ? [schedule(`put ${totalOf(figures.scheduled)} on the schedule`, figures.scheduled)]
      : []),
    ...(unscheduled > 0
      ? [
          schedule(`make ${count(unscheduled, 'transaction')} Pending again`, {
            transactionCount: unscheduled,
          }),
        ]
      : []),
  ]
}

const schedule = (text: string, data: object): Effect => ({ kind: 'schedule', text, data: { ...data } })

/** Work that nothing charges, of which an organisation that does not demand rates is only warned. */
export const unratedWarnings = (notes: readonly Note[]): Effect[] =>
  notesAbout(notes, 'bills')
    .flatMap(({ unrated }) => unrated())
    .slice(0, 100)
    .map(text => ({ kind: 'charge', text, data: {} }))

const voidStatus = ScheduleTransactionStatus.Void

async function readFigures(
  db: Db,
  organisationId: string,
  ids: Record<'billed' | 'voided' | 'raised' | 'created' | 'scheduled', readonly string[]>,
): Promise<Figures> {
  const sums = sql`json_build_object('transactionCount', count(*),
    'amountExclTax', coalesce(sum(t.amount_excl_tax), 0))`
  const transactions = (theirIds: readonly string[]) => sql`(select ${sums} from schedule_transaction t
    where t.organisation_id = o.id and t.id = any(${theirIds}))`
  return db.row<Figures>(sql`
    select o.currency_code,
      (select coalesce(json_agg(json_build_object('partnerId', b.partner_id, 'partnerName', p.name,
          'relationship', p.relationship, 'transactionCount', b.n, 'amountExclTax', b.amount)
          order by p.relationship, b.amount desc, p.name), '[]')
        from (select t.partner_id, count(*) as n, sum(t.amount_excl_tax) as amount
          from schedule_transaction t
          where t.organisation_id = o.id and t.consignment_id = any(${ids.billed})
            and t.status <> ${voidStatus}
          group by t.partner_id) b
        join partner p on p.organisation_id = o.id and p.id = b.partner_id) as bills,
      (select count(*) from consignment_charge h
        where h.organisation_id = o.id and h.consignment_id = any(${ids.billed})
          and (h.closing_number is null or h.closing_number = (select max(i.closing_number)
            from charge_input i where i.organisation_id = h.organisation_id
              and i.consignment_id = h.consignment_id))) as frozen_count,
      ${transactions(ids.voided)} as voided, ${transactions(ids.raised)} as raised,
      ${transactions(ids.scheduled)} as scheduled,
      (select ${sums} from schedule_transaction t
        where t.organisation_id = o.id and t.partner_schedule_id = any(${ids.created})) as created
    from organisation o where o.id = ${organisationId}`)
}

/** Up to so many partners are named; of more, only the total. */
const maxPartners = 5

function billEffects({ bills, frozenCount, currencyCode }: Figures, consignmentCount: number): Effect[] {
  const frozen: Effect = {
    kind: 'freeze',
    text: `freeze ${count(frozenCount, 'charge')}`,
    data: { chargeCount: frozenCount, consignmentCount },
  }
  const amount = (value: number) => amountOf(value, currencyCode)
  if (bills.length === 0)
    return [frozen, { kind: 'charge', text: 'charge nothing', data: { amountExclTax: 0 } }]
  const groups = [
    { verb: 'charge', noun: 'client', relationship: Relationship.Client },
    { verb: 'owe', noun: 'carrier', relationship: Relationship.Carrier },
  ]
  return [
    frozen,
    ...groups.flatMap(({ verb, noun, relationship }): Effect[] => {
      const ofGroup = bills.filter(bill => bill.relationship === relationship)
      if (ofGroup.length <= maxPartners)
        return ofGroup.map(({ relationship: _, ...bill }) => ({
          kind: 'charge',
          text: `${verb} ${bill.partnerName} ${amount(bill.amountExclTax)}`,
          data: bill,
        }))
      const sum = (figure: keyof Total) =>
        ofGroup.reduce((before, bill) => before + Math.round(bill[figure] * 100), 0) / 100
      const data = { transactionCount: sum('transactionCount'), amountExclTax: sum('amountExclTax') }
      return [
        {
          kind: 'charge',
          text: `${verb} ${count(ofGroup.length, noun)} ${amount(data.amountExclTax)}`,
          data: { partnerCount: ofGroup.length, ...data },
        },
      ]
    }),
  ]
}
