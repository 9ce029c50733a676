// A charge of a partner, `/charges/{id}`: what it is for, on which bill it is, and what of it is credited.

import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ChargeApplication } from '../../../../client/src/waybill.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { type Got, read } from '../../api.ts'
import { canOpen } from '../../frame/menu.ts'
import { Page } from '../../frame/Page.tsx'
import { RecordFacts } from '../../frame/RecordForm.tsx'
import { ChargePill, chargeNameOf } from '../../lists/charges.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { billingWords as words } from '../../words/billing.ts'
import { chargeWords } from '../../words/charges.ts'
import { OpenedProof } from '../schedules/proof.tsx'
import { ChargeActs } from './charge-acts.tsx'

/** A charge with its status, bill and credits. */
export type BilledCharge = Got<'/v1/schedule-transactions/{scheduleTransactionId}'>

export function Screen() {
  const { id: scheduleTransactionId = '' } = useIds()
  const { data: charge } = useSuspenseQuery(
    read('/v1/schedule-transactions/{scheduleTransactionId}', { path: { scheduleTransactionId } }),
  )
  return (
    <Page
      heading={chargeNameOf(charge)}
      id={charge.id}
      status={words.statusName(charge.status)}
      above={<Link to="/charges">{words.charges}</Link>}
      beside={<ChargePill status={charge.status} />}
      acts={<ChargeActs charge={charge} />}
    >
      <Region heading={words.charge} summary={charge.partner.name}>
        <ChargeFacts charge={charge} />
      </Region>
      <Credits charge={charge} />
      <OpenedProof subjectOf={() => ({ ...charge, partnerId: charge.partner.id })} />
    </Page>
  )
}

/** A link if the person has the screen, else the text. */
function MaybeLink({ to, children }: { to: string; children: ReactNode }) {
  return canOpen(useMe(), to) ? <Link to={to}>{children}</Link> : children
}

const moneyOf = (value: number | null) => (value === null ? undefined : amount(value))

function ChargeFacts({ charge }: { charge: BilledCharge }) {
  const { consignmentId, consignmentNumber, partnerScheduleId, creditOf, adjusts } = charge
  const linkTo = (to: string, text: ReactNode) => (
    <MaybeLink key={to} to={to}>
      {text}
    </MaybeLink>
  )
  const isFee = charge.chargeApplication === ChargeApplication.Fee
  return (
    <RecordFacts
      groups={[]}
      record={charge}
      also={[
        [words.date, <LocalDay key="date" value={charge.date} />],
        [words.activity, charge.activityName ?? words.type(charge.type)],
        [
          words.consignment,
          consignmentId === null ? undefined : linkTo(`/consignments/${consignmentId}`, consignmentNumber),
        ],
        [words.bill, partnerScheduleId && linkTo(`/schedules/${partnerScheduleId}`, words.openBill)],
        [
          words.period,
          charge.periodFrom && charge.periodTo && words.days(charge.periodFrom, charge.periodTo),
        ],
        [words.quantity, quantity(charge.quantity)],
        [words.rate, amount(charge.chargeRateExclTax)],
        [chargeWords.application, chargeWords.applicationOf[isFee ? 2 : 1]],
        [words.base, moneyOf(charge.baseChargeExclTax)],
        [words.minimum, moneyOf(charge.minChargeExclTax)],
        [words.maximum, moneyOf(charge.maxChargeExclTax)],
        [words.tax, words.taxOf(charge.taxRateName, charge.taxRatePercent)],
        [words.revenueAccount, charge.revenueAccountCode],
        [words.costCentre, charge.costCentreCode],
        [words.amount, <b key="amount">{amount(charge.amountExclTax)}</b>],
        [words.creditOf, creditOf && linkTo(`/charges/${creditOf}`, words.originalCharge)],
        [words.adjusts, adjusts && linkTo(`/charges/${adjusts}`, words.originalCharge)],
        [words.voidReason, charge.voidReason],
      ]}
    />
  )
}

/** What credits the charge, and what of it is left. */
function Credits({ charge: { credits, creditOf, creditableExclTax } }: { charge: BilledCharge }) {
  if (creditOf !== null) return null
  return (
    <Region
      heading={words.credits}
      state={credits.length === 0 ? 'empty' : 'ready'}
      summary={creditableExclTax > 0 ? `${words.creditable}: ${amount(creditableExclTax)}` : undefined}
    >
      {credits.length === 0 ? (
        <Nothing text={words.noCredits} />
      ) : (
        <Rows>
          {credits.map(id => (
            <CreditRow key={id} id={id} />
          ))}
        </Rows>
      )}
    </Region>
  )
}

function CreditRow({ id: scheduleTransactionId }: { id: string }) {
  const { data: credit } = useSuspenseQuery(
    read('/v1/schedule-transactions/{scheduleTransactionId}', { path: { scheduleTransactionId } }),
  )
  return (
    <li data-id={credit.id}>
      <Link to={`/charges/${credit.id}`}>{chargeNameOf(credit)}</Link>
      <LocalDay value={credit.date} />
      <ChargePill status={credit.status} />
      <b>{amount(credit.amountExclTax)}</b>
    </li>
  )
}
