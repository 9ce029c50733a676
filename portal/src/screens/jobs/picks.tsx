// Region Picks: what is still to be picked, in the order of the walk.

import { useQuery } from '@tanstack/react-query'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { jobWords as words } from '../../words/jobs.ts'
import styles from './jobs.module.css'

export function Picks({ jobId }: { jobId: string }) {
  const { data } = useQuery(
    read('/v1/jobs/{jobId}/wave-pick/picks', { path: { jobId }, query: { PageSize: 100 } }),
  )
  const state = data === undefined ? 'loading' : data.total === 0 ? 'empty' : 'ready'
  return (
    <Region heading={words.picks} state={state} summary={data?.total || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noPicks} />
      ) : (
        <SmallTable
          label={words.picks}
          heads={[
            { text: words.place },
            { text: words.product },
            { text: words.unit },
            { text: words.batch },
            { text: words.consignment },
            { text: words.quantityHead, isAtEnd: true },
          ]}
          rows={(data?.picks ?? []).map(pick => ({
            id: pick.inventoryAllocationId ?? `${pick.warehouseProductId} ${pick.consignmentId}`,
            cells: [
              <b key="place" className={styles.code}>
                {pick.warehouseLocationName}
              </b>,
              `${pick.partnerProductCode} ${pick.partnerProductName}`,
              <span key="unit" className={styles.code}>
                {pick.logisticUnitNumber ?? words.nothing}
              </span>,
              pick.batch ?? words.nothing,
              <span key="consignment" className={styles.code}>
                {pick.consignmentNumber ??
                  pick.consignments.map(({ consignmentNumber }) => consignmentNumber).join(', ')}
              </span>,
              quantity(pick.quantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}
