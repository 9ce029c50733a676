// Region Serials of a row of stock. Absent for products without serials.

import { useQuery } from '@tanstack/react-query'
import { SerialTrackingMode } from '../../../../client/src/waybill.ts'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import type { StockRecord } from './stock.tsx'

export function Serials({ stock: { warehouseProductId, serialTrackingMode } }: { stock: StockRecord }) {
  const isTracked = serialTrackingMode !== SerialTrackingMode.None
  const { data, isError } = useQuery({
    ...read('/v1/inventory/{warehouseProductId}/items', {
      path: { warehouseProductId },
      query: { PageSize: 100 },
    }),
    enabled: isTracked,
  })
  if (!isTracked) return null
  const state = regionStateOf(isError, data?.items)
  return (
    <Region
      heading={words.serials}
      state={state}
      summary={data && data.total > 0 ? words.firstSerials(data.items.length, data.total) : undefined}
    >
      {state === 'empty' ? (
        <Nothing text={words.noSerials} />
      ) : (
        <Rows>
          {data?.items.map(({ warehouseProductItemId, serial }) => (
            <li key={warehouseProductItemId} data-id={warehouseProductItemId}>
              <Link to={`/serials/${warehouseProductItemId}`}>{serial}</Link>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
