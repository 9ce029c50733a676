// Region Tracking: what carriers report.

import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'

export function Tracking({ consignment: { consignmentTracking } }: { consignment: Consignment }) {
  return (
    <Region heading={words.tracking} summary={consignmentTracking.length || undefined}>
      {consignmentTracking.length === 0 ? (
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
