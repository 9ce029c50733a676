// Region Serials of a row of stock. Absent for products without serials.

import { SerialTrackingMode } from '../../../../client/src/waybill.ts'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { usePages } from '../../every-page.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import type { StockRecord } from './stock.tsx'

export function Serials({ stock: { warehouseProductId, serialTrackingMode } }: { stock: StockRecord }) {
  const isTracked = serialTrackingMode !== SerialTrackingMode.None
  const pages = usePages(
    '/v1/inventory/{warehouseProductId}/items',
    { path: { warehouseProductId } },
    { enabled: isTracked },
  )
  if (!isTracked) return null
  const { rows, total, isError } = pages
  const state = regionStateOf(isError, rows)
  return (
    <Region heading={words.serials} state={state} summary={total || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noSerials} />
      ) : (
        <Rows>
          {rows?.map(({ warehouseProductItemId, serial }) => (
            <li key={warehouseProductItemId} data-id={warehouseProductItemId}>
              <Link to={`/serials/${warehouseProductItemId}`}>{serial}</Link>
            </li>
          ))}
        </Rows>
      )}
      <ReadOn pages={pages} />
    </Region>
  )
}
