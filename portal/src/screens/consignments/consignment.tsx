// A consignment, `/consignments/{id}`: what it is, how far it is, its regions, and the one act that comes
// next. Each region is a file beside this one.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Identifier } from '../../../../ui/Identifier.tsx'
import { LocalTime } from '../../../../ui/LocalTime.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { day } from '../../../../ui/time.ts'
import { type Got, read } from '../../api.ts'
import { isAtRest, pathOf, toneOf } from '../../consignment-status.ts'
import { Page } from '../../frame/Page.tsx'
import { kindOf, useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import { ConsignmentActs } from './acts.tsx'
import { Charges } from './charges.tsx'
import styles from './consignment.module.css'
import { Container } from './container.tsx'
import { Details } from './details.tsx'
import { Jobs } from './jobs.tsx'
import { Lines } from './lines.tsx'
import { Notes } from './notes.tsx'
import { CarrierActs, ClientActs } from './partner-acts.tsx'
import { Proofs } from './proofs.tsx'
import { Route } from './route.tsx'
import { Tracking } from './tracking.tsx'
import { Work } from './work.tsx'

/** A consignment as its record shows it. */
export type Consignment = Got<'/v1/consignments/{consignmentId}'>

export function Screen() {
  const { id: consignmentId = '' } = useIds()
  const kind = kindOf(useMe())
  const [isAddingNote, setAddingNote] = useState(false)
  const [isAddingProof, setAddingProof] = useState(false)
  const { data: consignment } = useSuspenseQuery(
    read('/v1/consignments/{consignmentId}', { path: { consignmentId } }),
  )
  const { consignmentNumber, status, type, priority, closedTransactionDate } = consignment
  const lines = <Lines key="lines" consignment={consignment} />
  const work = <Work key="work" consignment={consignment} />
  const tracking = <Tracking key="tracking" consignment={consignment} />
  const notes = (
    <Notes key="notes" consignment={consignment} isAdding={isAddingNote} setAdding={setAddingNote} />
  )
  const proofs = (
    <Proofs key="proofs" consignment={consignment} isAdding={isAddingProof} setAdding={setAddingProof} />
  )
  return (
    <Page
      heading={consignmentNumber}
      shownHeading={<Identifier value={consignmentNumber} />}
      id={consignmentId}
      status={words.statusName(status)}
      above={<Link to="/consignments">{words.consignments}</Link>}
      beside={
        <>
          <Pill text={words.status(status)} tone={toneOf(status)} isRing={isAtRest(status)} />
          {priority > 2 && <Pill text={words.priority(priority)} tone="alert" />}
        </>
      }
      acts={
        <ActsOfKind
          consignment={consignment}
          onAddNote={isAddingNote ? undefined : () => setAddingNote(true)}
          onAddProof={isAddingProof ? undefined : () => setAddingProof(true)}
        />
      }
      details={<Details consignment={consignment} />}
    >
      {status === ConsignmentStatus.Closed && closedTransactionDate != null && (
        <p role="note" className={styles.note}>
          {words.closedOn(day(closedTransactionDate))}
        </p>
      )}
      {status !== ConsignmentStatus.Void && (
        <Progress steps={stepsOf(type, status, consignment)} current={String(status)} />
      )}
      <Route consignment={consignment} />
      {kind === 'carrier' ? [proofs, notes, lines, tracking] : [lines, work, tracking, notes, proofs]}
      <Container consignment={consignment} />
      <Charges consignment={consignment} />
      {kind === 'staff' && <Jobs consignment={consignment} />}
    </Page>
  )
}

/** What the person does with the consignment: the house, its client or its carrier. */
function ActsOfKind(props: Parameters<typeof CarrierActs>[0]) {
  const kind = kindOf(useMe())
  const { consignment, onAddNote } = props
  if (kind === 'carrier') return <CarrierActs {...props} />
  if (kind === 'client') return <ClientActs consignment={consignment} />
  return <ConsignmentActs consignment={consignment} onAddNote={onAddNote ?? (() => {})} />
}

/** The steps of the path, with the times that are known. */
const stepsOf = (type: number, status: number, consignment: Consignment) =>
  pathOf(type, status).map(step => ({
    id: String(step),
    text: words.status(step),
    note: noteOf(step, consignment),
  }))

function noteOf(step: number, { dateEntered, actualReceiveDateTime, actualDispatchDateTime }: Consignment) {
  const at =
    step === ConsignmentStatus.Pending
      ? dateEntered
      : step === ConsignmentStatus.ReadyToReceive
        ? actualReceiveDateTime
        : step === ConsignmentStatus.InTransit
          ? actualDispatchDateTime
          : null
  return at == null ? undefined : <LocalTime value={at} />
}
