// Region Tracking: what carriers report, with the form that adds a number.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { send } from '../../api.ts'
import { EditRecord, type FieldGroup } from '../../frame/RecordForm.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
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
          {consignmentTracking.map(({ id, trackingNumber, carrierName, status, modifiedUtc }) => (
            <li key={id} data-id={id}>
              <b>{trackingNumber ?? words.nothing}</b>
              <span>{carrierName}</span>
              <Pill text={words.trackingStatus(status)} tone="moving" />
              <UtcTime value={modifiedUtc} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
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
