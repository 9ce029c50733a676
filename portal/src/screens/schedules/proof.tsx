// The dialog Proof: how the amount of a line or a charge follows from a rule and its inputs, and whether it
// is what is billed. The address names the line, so a link leads others to the same proof.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { amount } from '../../../../ui/numbers.ts'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Nothing, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read } from '../../api.ts'
import { canOpen } from '../../frame/menu.ts'
import { useMe } from '../../me.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useChangeSearch, useSearch } from '../../router.tsx'
import { ofDaysInWords } from '../../words/rate-charges.ts'
import { scheduleWords as words } from '../../words/schedules.ts'
import styles from './money.module.css'
import { Inputs } from './proof-inputs.tsx'
import { Rule } from './proof-rule.tsx'
import { Correction, Series } from './proof-series.tsx'

type LineProof = Schemas['ScheduleTransactionProof']
type ChargeProof = Schemas['ChargeProof']

/** A proof of either: a charge of a consignment has no days, correction or difference. */
export type Proof = Omit<ChargeProof, 'series'> &
  Partial<Pick<LineProof, 'series' | 'adjusting' | 'difference'>>

/** A part of a proof, under its heading. */
export function ProofPart({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 id={id}>{heading}</h3>
      {children}
    </section>
  )
}

/** What a proof is of. */
export interface Subject {
  /** the consignment that it charges for */
  consignmentId: string | null
  /** who is billed */
  partnerId?: string
  /** what it is called where it was opened */
  about?: string
}

/** The proof of the line that the address names, if it names one. */
export function OpenedProof({ subjectOf }: { subjectOf: (id: string) => Subject }) {
  const { Proof: id } = useSearch()
  const change = useChangeSearch()
  if (typeof id !== 'string') return null
  return (
    <LineProofDialog
      scheduleTransactionId={id}
      {...subjectOf(id)}
      onClose={() => change({ Proof: undefined })}
    />
  )
}

interface LineProofProps extends Subject {
  scheduleTransactionId: string
  onClose: () => void
}

function LineProofDialog({ scheduleTransactionId, ...props }: LineProofProps) {
  const path = { path: { scheduleTransactionId } }
  const { data, error } = useQuery(read('/v1/schedule-transactions/{scheduleTransactionId}/proof', path))
  const me = useMe()
  const address = `/charges/${scheduleTransactionId}`
  const isElsewhere = location.pathname !== address && canOpen(me, address)
  return (
    <ProofDialog proof={data} error={error} hasLink {...props} charge={isElsewhere ? address : undefined} />
  )
}

/** The proof of a charge of a consignment: of an open one, as of now. */
export function ChargeProofDialog({
  consignmentId,
  consignmentChargeId,
  onClose,
}: {
  consignmentId: string
  consignmentChargeId: string
  onClose: () => void
}) {
  const path = { path: { consignmentId, consignmentChargeId } }
  const { data, error } = useQuery(
    read('/v1/consignments/{consignmentId}/charges/{consignmentChargeId}/proof', path),
  )
  return <ProofDialog proof={data && { ...data, series: null }} {...{ error, consignmentId, onClose }} />
}

interface ProofDialogProps extends Subject {
  proof: Proof | undefined
  error: unknown
  /** the address leads to it */
  hasLink?: boolean
  /** the address of the charge that it is of, where that is credited */
  charge?: string | undefined
  onClose: () => void
}

function ProofDialog(props: ProofDialogProps) {
  const { proof, error, about, hasLink = false, charge, onClose, ...subject } = props
  return (
    <Dialog
      title={words.proof}
      onClose={onClose}
      state={proof === undefined ? (error === null ? 'loading' : 'error') : 'ready'}
      isWide
      acts={
        <>
          <Button onPress={onClose}>{uiWords.close}</Button>
          {hasLink && (
            <Button kind="quiet" onPress={() => void copyLink()}>
              {words.copyLink}
            </Button>
          )}
          {charge !== undefined && <Link to={charge}>{words.openCharge}</Link>}
        </>
      }
    >
      {about !== undefined && <p className={styles.quiet}>{about}</p>}
      {error !== null && <Refusal reasons={reasonsOf(error)} />}
      {proof !== undefined && <Parts proof={proof} subject={subject} />}
    </Dialog>
  )
}

async function copyLink(): Promise<void> {
  await navigator.clipboard.writeText(location.href)
  notify({ text: words.linkCopied })
}

function Parts({ proof, subject }: { proof: Proof; subject: Subject }) {
  const { adjusting, difference, series } = proof
  return (
    <>
      <Verified proof={proof} />
      <Rule proof={proof} />
      <Inputs proof={proof} subject={subject} />
      <Steps steps={proof.steps} />
      {adjusting != null && <Correction adjusting={adjusting} />}
      {difference != null && difference.rates.length > 0 && <Difference difference={difference} />}
      {series != null && <Series days={series} />}
    </>
  )
}

function Verified({ proof: { subject, isVerified, derivedExclTax, isFrozen, rule } }: { proof: Proof }) {
  const { amountExclTax } = subject
  return (
    <ProofPart heading={words.verifiedHeading}>
      {isVerified ? (
        <p className={styles.verified}>
          {rule === null && derivedExclTax === null
            ? words.byHand
            : words.isVerified(derivedExclTax ?? amountExclTax)}
        </p>
      ) : (
        <Refusal reasons={[words.isNotVerified(amountExclTax, derivedExclTax)]} />
      )}
      {!isFrozen && <p className={styles.quiet}>{words.openNow}</p>}
    </ProofPart>
  )
}

const Steps = ({ steps }: { steps: Proof['steps'] }) => (
  <ProofPart heading={words.steps}>
    {steps.length === 0 ? <Nothing text={words.noSteps} /> : <StepTable label={words.steps} steps={steps} />}
  </ProofPart>
)

/** Steps from what was measured to the amount. */
export const StepTable = ({ label, steps }: { label: string; steps: Proof['steps'] }) => (
  <SmallTable
    label={label}
    heads={[
      { text: words.step },
      { text: words.from, isAtEnd: true },
      { text: words.operation },
      { text: words.to, isAtEnd: true },
    ]}
    rows={steps.map(({ name, from, operation, to }, i) => ({
      id: `${i} ${name}`,
      cells: [
        words.stepName(name),
        words.figure(from),
        words.operationInWords(ofDaysInWords(operation)),
        <b key="to">{words.figure(to)}</b>,
      ],
    }))}
  />
)

const Difference = ({ difference: { rates } }: { difference: NonNullable<LineProof['difference']> }) => (
  <ProofPart heading={words.difference}>
    <SmallTable
      label={words.difference}
      heads={[
        { text: words.rateName },
        { text: words.before, isAtEnd: true },
        { text: words.now, isAtEnd: true },
      ]}
      rows={rates.map(({ name, before, after }) => ({
        id: name,
        cells: [name, amount(before), amount(after)],
      }))}
    />
  </ProofPart>
)
