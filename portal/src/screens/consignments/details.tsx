// Details of a consignment: its references, expected times, and history.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EdiResult } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { LocalTime, UtcTime } from '../../../../ui/LocalTime.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Facts, Region } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { usePages } from '../../every-page.ts'
import { canOpen } from '../../frame/menu.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { kindOf, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { changesInWords, lineNamesOf } from '../../words/consignment-history.ts'
import { eventInWords, consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { Documents } from './documents.tsx'
import { useEditing } from './edit-part.tsx'

export function Details({ consignment }: { consignment: Consignment }) {
  const { expectedArrivalDateTime, expectedDispatchDateTime, expectedDeliveryDateTime } = consignment
  const me = useMe()
  const isStaff = kindOf(me) === 'staff'
  const nameOf = (id: string | null, name: string | null) =>
    isStaff && id !== null && canOpen(me, '/partners') ? <Link to={`/partners/${id}`}>{name}</Link> : name
  const timeOf = (value: string | null) => (value === null ? null : <LocalTime value={value} />)
  const { act, content } = useEditing(
    'general',
    consignment,
    words.editOf(words.references),
    <Facts
      facts={[
        [words.headClient, nameOf(consignment.clientId, consignment.clientName)],
        [words.headCarrier, nameOf(consignment.carrierId, consignment.carrierName)],
        [
          words.headRun,
          consignment.carrierRunNumber &&
            words.run(consignment.carrierRunNumber, consignment.carrierRunOrdinal),
        ],
        [words.reference, consignment.referenceNumber],
        [words.purchaseOrder, consignment.poNumber],
        [words.salesOrder, consignment.soNumber],
        [words.carrierReference, consignment.carrierReference],
        [words.receiversReference, consignment.receiversReference],
        [words.sendersReference, consignment.sendersReference],
        [words.externalId, consignment.externalId],
        [words.expectedArrival, timeOf(expectedArrivalDateTime ?? null)],
        [words.expectedDispatch, timeOf(expectedDispatchDateTime ?? null)],
        [words.expectedDelivery, timeOf(expectedDeliveryDateTime ?? null)],
        [words.pickingInstructions, consignment.pickingInstructions],
      ]}
    />,
  )
  return (
    <>
      <Region heading={words.references} isBare acts={act}>
        {content}
      </Region>
      <Documents consignment={consignment} />
      {isStaff && <Connections consignmentId={consignment.id} />}
      <History consignment={consignment} />
    </>
  )
}

/** What apps that export it say of it. It is read when somebody asks, as few do. */
function Connections({ consignmentId }: { consignmentId: string }) {
  const [isShown, setShown] = useState(false)
  const { data, isError } = useQuery({
    ...read('/v1/consignments/{consignmentId}/edi-statuses', { path: { consignmentId } }),
    enabled: isShown,
  })
  if (!isShown)
    return (
      <Region
        heading={words.connections}
        isBare
        acts={
          <Button kind="quiet" onPress={() => setShown(true)}>
            {words.showConnections}
          </Button>
        }
      >
        {null}
      </Region>
    )
  return (
    <Region heading={words.connections} state={regionStateOf(isError, data)} isBare>
      {data?.length === 0 && <p className={styles.quiet}>{words.noConnections}</p>}
      <ul className={styles.connections}>
        {data?.map(({ identityConnectionId, appName, userFullName, ediStatus, message, updatedUtc }) => (
          <li key={identityConnectionId}>
            <b>{appName}</b>{' '}
            <Pill
              text={words.ediStatus(ediStatus)}
              tone={ediStatus === EdiResult.Failed ? 'alert' : 'done'}
            />
            {message !== null && <p className={styles.alert}>{message}</p>}
            <div className={styles.quiet}>
              <UtcTime value={updatedUtc} /> {words.actingFor(userFullName)}
            </div>
          </li>
        ))}
      </ul>
    </Region>
  )
}

function History({ consignment: { id: consignmentId, products } }: { consignment: Consignment }) {
  const path = '/v1/consignments/{consignmentId}/history'
  const pages = usePages(path, { path: { consignmentId } }, { first: 20 })
  const state = regionStateOf(pages.isError, pages.rows)
  const lineName = lineNamesOf(products)
  return (
    <Region heading={words.history} state={state} isBare>
      <ol className={styles.history}>
        {pages.rows?.map(({ id, type, atUtc, userFullName, appName, changes }) => (
          <li key={id} data-id={id}>
            {eventInWords(type)}
            <div className={styles.changes}>{changesInWords(changes, lineName)}</div>
            <div className={styles.quiet}>
              <UtcTime value={atUtc} /> {userFullName !== null && words.by(userFullName, appName)}
            </div>
          </li>
        ))}
      </ol>
      <ReadOn pages={pages} />
    </Region>
  )
}
