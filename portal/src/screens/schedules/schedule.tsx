// A schedule, `/schedules/{id}`: what a partner is billed, line by line, and whether every line is what it is
// derived to be.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { amount } from '../../../../ui/numbers.ts'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Facts, Region, SmallTable } from '../../../../ui/Region.tsx'
import { daysInWords } from '../../../../ui/time.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, read } from '../../api.ts'
import { canOpen } from '../../frame/menu.ts'
import { Page } from '../../frame/Page.tsx'
import { SchedulePill } from '../../lists/schedules.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import { EditBill } from './edit-bill.tsx'
import { lineNameOf, ScheduleLines } from './lines.tsx'
import styles from './money.module.css'
import { OpenedProof } from './proof.tsx'
import { isChangeable, ScheduleActs } from './schedule-acts.tsx'
import { mayChangeMoney } from './schedule-paths.ts'

/** A schedule with its lines. */
export type Schedule = Got<'/v1/schedules/{partnerScheduleId}'>
export type ScheduleProof = Got<'/v1/schedules/{partnerScheduleId}/proof'>

export function Screen() {
  const { id: partnerScheduleId = '' } = useIds()
  const { data: schedule } = useSuspenseQuery(
    read('/v1/schedules/{partnerScheduleId}', { path: { partnerScheduleId } }),
  )
  const { data: proof, isError } = useQuery(
    read('/v1/schedules/{partnerScheduleId}/proof', { path: { partnerScheduleId } }),
  )
  return (
    <Page
      heading={words.nameOf(schedule.partner.name, schedule.date)}
      id={schedule.id}
      status={words.statusName(schedule.status)}
      above={<Link to="/schedules">{words.schedules}</Link>}
      beside={
        <>
          <SchedulePill status={schedule.status} />
          {schedule.invoiceNumber !== null && <b>{schedule.invoiceNumber}</b>}
          {schedule.isExported && <span className={styles.quiet}>{words.exported}</span>}
        </>
      }
      acts={<ScheduleActs {...{ schedule, proof }} />}
      details={<Bill schedule={schedule} />}
    >
      <Differing {...{ schedule, proof }} />
      <Totals schedule={schedule} />
      <ByActivity schedule={schedule} />
      <ScheduleLines schedule={schedule} verified={verifiedInWords(proof, isError)} />
      <OpenedProof subjectOf={id => subjectOf(schedule, id)} />
    </Page>
  )
}

function subjectOf({ partner, transactions }: Schedule, id: string) {
  const line = transactions.find(one => one.id === id)
  return {
    consignmentId: line?.consignmentId ?? null,
    partnerId: partner.id,
    ...(line && { about: words.lineAbout(lineNameOf(line), line.date) }),
  }
}

function verifiedInWords(proof: ScheduleProof | undefined, isError: boolean): string {
  if (proof !== undefined) return words.verified(proof.verified, proof.transactions)
  return isError ? words.cannotVerify : words.verifying
}

const maxNamed = 10

/** The lines that are not what they are derived to be, each with a link to its proof. */
function Differing({ schedule, proof }: { schedule: Schedule; proof: ScheduleProof | undefined }) {
  const ids = new Set(proof?.differing)
  if (ids.size === 0) return null
  const lines = schedule.transactions.filter(({ id }) => ids.has(id))
  return (
    <div className={styles.differing}>
      <Refusal heading={words.differs(ids.size)} reasons={[words.differsHelp]}>
        <ul>
          {lines.slice(0, maxNamed).map(line => (
            <li key={line.id}>
              <Link to="." search={{ Proof: line.id } as never}>
                {lineNameOf(line)}
              </Link>
            </li>
          ))}
          {lines.length > maxNamed && <li>{words.more(lines.length - maxNamed)}</li>}
        </ul>
      </Refusal>
    </div>
  )
}

/** Net, the tax at each rate, and the total. */
function Totals({ schedule: { amountExclTax, taxes, amountInclTax } }: { schedule: Schedule }) {
  const currency = useMe().organisation.currencyCode ?? undefined
  const figures = [
    { id: 'net', term: words.net, value: amountExclTax },
    ...taxes.map(({ taxRateId, name, percent, taxAmount }) => ({
      ...{ id: taxRateId, term: words.tax(name, percent), value: taxAmount },
    })),
    { id: 'total', term: words.total, value: amountInclTax },
  ]
  return (
    <dl className={styles.figures}>
      {figures.map(({ id, term, value }) => (
        <div key={id}>
          <dt>{term}</dt>
          <dd title={currency}>{amount(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const ByActivity = ({ schedule: { activities } }: { schedule: Schedule }) => (
  <Region heading={words.byActivity}>
    <SmallTable
      label={words.byActivity}
      heads={[
        { text: words.activity },
        { text: words.lines, isAtEnd: true },
        { text: words.amount, isAtEnd: true },
      ]}
      rows={activities.map(({ activityCode, activityName, transactionCount, amountExclTax }) => ({
        id: `${activityCode} ${activityName}`,
        cells: [activityName ?? activityCode ?? words.otherWork, transactionCount, amount(amountExclTax)],
      }))}
    />
  </Region>
)

/** What stands on the bill besides its lines. Whoever bills may change it while it is a Draft. */
function Bill({ schedule }: { schedule: Schedule }) {
  const [isEditing, setEditing] = useState(false)
  const mayEdit = mayChangeMoney(useMe()) && isChangeable(schedule)
  useKeys(mayEdit ? { e: () => setEditing(true) } : {})
  return (
    <Region
      heading={words.bill}
      isBare
      acts={
        mayEdit &&
        !isEditing && (
          <Button kind="quiet" hint="E" onPress={() => setEditing(true)}>
            {uiWords.edit}
          </Button>
        )
      }
    >
      {isEditing ? (
        <EditBill schedule={schedule} onClose={() => setEditing(false)} />
      ) : (
        <BillFacts schedule={schedule} />
      )}
    </Region>
  )
}

function BillFacts({ schedule }: { schedule: Schedule }) {
  const me = useMe()
  const { partner, date, referenceNumber, description, invoiceNumber, dueDate, externalUrl } = schedule
  return (
    <Facts
      facts={[
        [
          words.billedTo,
          canOpen(me, '/partners') ? (
            <Link key="partner" to={`/partners/${partner.id}`}>
              {partner.name}
            </Link>
          ) : (
            partner.name
          ),
        ],
        [words.date, <LocalDay key="date" value={date} />],
        [words.reference, referenceNumber],
        [words.description, description === null ? undefined : daysInWords(description)],
        [words.invoice, invoiceNumber],
        [words.due, dueDate === null ? undefined : <LocalDay key="due" value={dueDate} />],
        [
          words.externalUrl,
          externalUrl === null ? undefined : (
            <a key="url" href={externalUrl} rel="noreferrer" target="_blank">
              {externalUrl}
            </a>
          ),
        ],
      ]}
    />
  )
}
