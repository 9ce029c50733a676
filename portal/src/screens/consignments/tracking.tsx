// Region Tracking: what carriers report, where they tell it themselves, and the form that adds a number.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TrackingStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import type { Tone } from '../../../../ui/tone.ts'
import { read, send } from '../../api.ts'
import { EditRecord, type FieldGroup } from '../../frame/RecordForm.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { mayEdit } from './edit-part.tsx'

export function Tracking({ consignment }: { consignment: Consignment }) {
  const { consignmentTracking } = consignment
  const me = useMe()
  const [isAdding, setAdding] = useState(false)
  const mayAdd =
    hasScope(me, 'consignment') &&
    (kindOf(me) === 'carrier' || (kindOf(me) === 'staff' && mayEdit(me, consignment)))
  return (
    <Region
      heading={words.tracking}
      summary={consignmentTracking.length || undefined}
      acts={
        mayAdd &&
        !isAdding && (
          <Button kind="quiet" onPress={() => setAdding(true)}>
            {words.addTracking}
          </Button>
        )
      }
    >
      {isAdding && <NewTracking consignment={consignment} onClose={() => setAdding(false)} />}
      {consignmentTracking.length === 0 && !isAdding ? (
        <Nothing text={words.noTracking} />
      ) : (
        <Rows>
          {consignmentTracking.map(row => (
            <Tracked key={row.id} consignmentId={consignment.id} tracking={row} />
          ))}
        </Rows>
      )}
    </Region>
  )
}

const { Delivered, AttemptedDelivery, Exception, Cancelled, Unknown } = TrackingStatus
const tones: Readonly<Record<number, Tone>> = {
  ...{ [Unknown]: 'waits', [Delivered]: 'done' },
  ...{ [AttemptedDelivery]: 'alert', [Exception]: 'alert', [Cancelled]: 'alert' },
}

/** A number with its latest status, and on demand all that its carrier has reported. */
function Tracked({
  consignmentId,
  tracking,
}: {
  consignmentId: string
  tracking: Consignment['consignmentTracking'][number]
}) {
  const { id, trackingNumber, trackingUrl, carrierName, status, modifiedUtc } = tracking
  const [isOpen, setOpen] = useState(false)
  const number = trackingNumber ?? words.nothing
  return (
    <>
      <li data-id={id}>
        {trackingUrl === null ? (
          <b>{number}</b>
        ) : (
          <a href={trackingUrl} rel="noreferrer" target="_blank">
            {number}
          </a>
        )}
        <span>{carrierName}</span>
        <Pill text={words.trackingStatus(status)} tone={tones[status] ?? 'moving'} />
        <UtcTime value={modifiedUtc} />
        <Button
          kind="quiet"
          label={words.eventsOf(number)}
          isExpanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          {words.events}
        </Button>
      </li>
      {isOpen && <TrackingEvents consignmentId={consignmentId} consignmentTrackingId={id} />}
    </>
  )
}

function TrackingEvents(path: { consignmentId: string; consignmentTrackingId: string }) {
  const { data } = useQuery(
    read('/v1/consignments/{consignmentId}/tracking/{consignmentTrackingId}', { path }),
  )
  if (data?.trackingEvents.length === 0)
    return (
      <li>
        <span className={styles.quiet}>{words.noEvents}</span>
      </li>
    )
  return data?.trackingEvents.map(({ status, details, eventDateTime, createdUtc }) => (
    <li key={`${eventDateTime} ${createdUtc} ${status} ${details}`}>
      <span>{[words.trackingStatus(status), details].filter(Boolean).join(': ')}</span>
      <span className={styles.quiet}>
        <UtcTime value={eventDateTime} />
      </span>
    </li>
  ))
}

const groups: readonly FieldGroup[] = [
  {
    fields: [
      { path: 'trackingNumber', label: words.trackingNumber, isRequired: true },
      { path: 'carrierName', label: words.headCarrier },
      { path: 'trackingUrl', label: words.trackingUrl, kind: 'url' },
    ],
  },
]

const NewTracking = ({ consignment, onClose }: { consignment: Consignment; onClose: () => void }) => (
  <EditRecord
    act={words.addTracking}
    groups={groups}
    initial={{ carrierName: consignment.carrierName ?? '' }}
    path="/v1/consignments"
    save={async change => {
      await send('post', '/v1/consignments/{consignmentId}/tracking', {
        path: { consignmentId: consignment.id },
        body: { carrierName: null, trackingUrl: null, trackingNumber: null, ...change },
      })
      notify({ text: words.saved })
    }}
    onClose={onClose}
  />
)
