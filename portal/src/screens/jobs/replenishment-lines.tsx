// Region Lines of a replenishment: what moves from where to which pick face.

import { useQuery } from '@tanstack/react-query'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { regionStateOf } from '../../queries.ts'
import { jobWords as words } from '../../words/jobs.ts'

export function ReplenishmentLines({ jobId }: { jobId: string }) {
  const { data, isError } = useQuery(
    read('/v1/jobs/{jobId}/replenishment/lines', { path: { jobId }, query: { PageSize: 100 } }),
  )
  const state = regionStateOf(isError, data?.lines)
  return (
    <Region heading={words.lines} state={state} summary={data?.total || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noLines} />
      ) : (
        <SmallTable
          label={words.lines}
          heads={[
            { text: words.place },
            { text: words.to },
            { text: words.product },
            { text: words.unit },
            { text: words.quantityHead, isAtEnd: true },
            { text: words.moved, isAtEnd: true },
          ]}
          rows={(data?.lines ?? []).map(line => ({
            id: line.replenishmentLineId,
            cells: [
              <b key="place">{line.warehouseLocationName}</b>,
              line.toWarehouseLocationName,
              `${line.partnerProductCode} ${line.partnerProductName}`,
              line.logisticUnitNumber ?? words.nothing,
              quantity(line.quantity),
              quantity(line.movedQuantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}
