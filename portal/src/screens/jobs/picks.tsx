// Region Picks: what is still to be picked, in the order of the walk.

import { useQuery } from '@tanstack/react-query'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { regionStateOf } from '../../queries.ts'
import { jobWords as words } from '../../words/jobs.ts'

export function Picks({ jobId }: { jobId: string }) {
  const { data, isError } = useQuery(
    read('/v1/jobs/{jobId}/wave-pick/picks', { path: { jobId }, query: { PageSize: 100 } }),
  )
  const state = regionStateOf(isError, data?.picks)
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
              <b key="place">{pick.warehouseLocationName}</b>,
              `${pick.partnerProductCode} ${pick.partnerProductName}`,
              pick.logisticUnitNumber ?? words.nothing,
              pick.batch ?? words.nothing,
              pick.consignmentNumber ??
                pick.consignments.map(({ consignmentNumber }) => consignmentNumber).join(', '),
              quantity(pick.quantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}
