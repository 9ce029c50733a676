// Region Consignments: the orders of a wave.

import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import type { Got } from '../../api.ts'
import { isAtRest, toneOf } from '../../consignment-status.ts'
import { Link } from '../../router.tsx'
import { consignmentWords } from '../../words/consignments.ts'
import { jobWords as words } from '../../words/jobs.ts'

export function Orders({ orders }: { orders: Got<'/v1/jobs/{jobId}/wave-pick'>['jobConsignments'] }) {
  return (
    <Region heading={words.consignments} summary={orders.length || undefined}>
      {orders.length === 0 ? (
        <Nothing text={words.noConsignments} />
      ) : (
        <Rows>
          {orders.map(({ id, consignmentNumber, referenceNumber, carrierName, status }) => (
            <li key={id} data-id={id}>
              <Link to={`/consignments/${id}`}>{consignmentNumber}</Link>
              <span>{referenceNumber}</span>
              <span>{carrierName}</span>
              <Pill text={consignmentWords.status(status)} tone={toneOf(status)} isRing={isAtRest(status)} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
