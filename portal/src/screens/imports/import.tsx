// An import, `/imports/{id}`: what was sent, what it waits for, and the acts that settle it.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ImportStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Facts, Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { entityTagOf, type Got, read, send } from '../../api.ts'
import { Page } from '../../frame/Page.tsx'
import { ImportPill } from '../../lists/imports.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useIds } from '../../router.tsx'
import { importWords as words } from '../../words/imports.ts'
import { AmendForm } from './amend.tsx'
import { DiscardDialog } from './discard.tsx'
import styles from './imports.module.css'
import { Sent } from './sent.tsx'

/** An import as its record shows it. */
export type Import = Got<'/v1/consignment-imports/{consignmentImportId}'>

/** How often it is read while a worker has it, and for how long after a correction: it takes moments. */
const pendingMs = 500
const correctedMs = 10_000

export function Screen() {
  const { id = '' } = useIds()
  const [readUntil, setReadUntil] = useState(0)
  const { data } = useSuspenseQuery({
    ...read('/v1/consignment-imports/{consignmentImportId}', { path: { consignmentImportId: id } }),
    refetchInterval: ({ state: { data: latest } }) =>
      latest?.status === ImportStatus.Pending ||
      (latest?.status === ImportStatus.PendingReconciliation && performance.now() < readUntil)
        ? pendingMs
        : false,
  })
  const [isEditing, setEditing] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const mayAct = hasScope(useMe(), 'consignment') && data.status === ImportStatus.PendingReconciliation
  return (
    <Page
      heading={referenceOf(data) ?? data.id}
      id={data.id}
      status={words.statusName(data.status)}
      above={<Link to="/imports">{words.imports}</Link>}
      beside={<ImportPill status={data.status} />}
      acts={
        mayAct &&
        !isEditing && (
          <>
            <Button onPress={() => setDiscarding(true)}>{words.discard}…</Button>
            <Button kind="main" onPress={() => void tryAgain(data)}>
              {words.tryAgain}
            </Button>
          </>
        )
      }
      details={<Details of={data} />}
    >
      <Outcome of={data} />
      <Reasons of={data} />
      {isEditing ? (
        <AmendForm
          of={data}
          onClose={() => setEditing(false)}
          onSaved={() => setReadUntil(performance.now() + correctedMs)}
        />
      ) : (
        <Sent of={data} onEdit={mayAct ? () => setEditing(true) : undefined} />
      )}
      {isDiscarding && <DiscardDialog ids={[data.id]} onClose={() => setDiscarding(false)} />}
    </Page>
  )
}

/** What the import waits for. */
function Reasons({ of: { status, reasons } }: { of: Import }) {
  if (status !== ImportStatus.PendingReconciliation) return null
  return (
    <Region heading={words.reasons} summary={reasons.length || undefined}>
      {reasons.length === 0 ? (
        <Nothing text={words.noReasons} />
      ) : (
        <Rows>
          {reasons.map(({ message, path }) => (
            <li key={`${path} ${message}`}>{message}</li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

const referenceOf = ({ request }: Import): string | undefined => {
  const { referenceNumber } = request as { referenceNumber?: string | null }
  return referenceNumber || undefined
}

/** Says what became of an import that waits no more. */
function Outcome({ of }: { of: Import }) {
  if (of.status === ImportStatus.Reconciled)
    return (
      <p role="note" className={styles.note}>
        {words.becameConsignment} <Link to={`/consignments/${of.id}`}>{words.openConsignment}</Link>
      </p>
    )
  if (of.status === ImportStatus.Pending)
    return (
      <p role="note" className={styles.note}>
        {words.becomes}
      </p>
    )
  const who = of.discarded?.userFullName ?? of.discarded?.appName
  if (of.status !== ImportStatus.Discarded || who == null) return null
  return (
    <p role="note" className={styles.note}>
      {words.discardedBy(who)} <UtcTime value={of.discarded?.atUtc} />
    </p>
  )
}

const Details = ({ of }: { of: Import }) => (
  <Facts
    facts={[
      [words.headReceived, <UtcTime key="received" value={of.receivedUtc} />],
      [words.id, of.id],
      [words.ignored, of.ignoredFields?.join(', ')],
      [
        words.replaced,
        of.replacements
          ?.map(({ code, path, replacement }) => words.replacedBy(code ?? path ?? '', replacement))
          .join(', '),
      ],
    ]}
  />
)

/** Tries an import again: it becomes a consignment, or the reasons are shown anew. */
async function tryAgain(one: Import): Promise<void> {
  try {
    await send('put', '/v1/consignment-imports/{consignmentImportId}/reconcile', {
      path: { consignmentImportId: one.id },
      ifMatch: entityTagOf(one),
    })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readAgain('/v1/consignment-imports', '/v1/consignments')
}
