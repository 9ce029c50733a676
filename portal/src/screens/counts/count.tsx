// A stock count, `/counts/{id}`: its lines by the largest difference, the rounds side by side.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { StockCountStatus } from '../../../../client/src/waybill.ts'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { Joined } from '../../../../ui/Joined.tsx'
import { type Got, read } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { Page } from '../../frame/Page.tsx'
import { type CountLine, countLineColumns } from '../../lists/count-lines.tsx'
import { CountPill } from '../../lists/counts.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { countWords as words } from '../../words/counts.ts'
import { stockWords } from '../../words/stock.ts'
import styles from '../inventory/stock.module.css'
import { mayChangeStock } from '../inventory/stock-acts.tsx'
import { CountActs, LineActs } from './count-acts.tsx'

export type Count = Got<'/v1/stock-counts/{stockCountId}'>

export function Screen() {
  const { id: stockCountId = '' } = useIds()
  const mayChange = mayChangeStock(useMe())
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const { data: count } = useSuspenseQuery(
    read('/v1/stock-counts/{stockCountId}', { path: { stockCountId } }),
  )
  const { lines, columns } = useLines(stockCountId)
  const selected = lines.filter(({ stockCountLineId }) => selection.has(stockCountLineId))
  const isOver = count.status === StockCountStatus.Approved || count.status === StockCountStatus.Cancelled
  const mayAct = mayChange && !isOver
  const clear = () => setSelection(new Set())
  return (
    <Page
      heading={count.stockCountNumber}
      id={stockCountId}
      status={words.statusName(count.status)}
      isFilled
      above={<Link to="/counts">{words.counts}</Link>}
      beside={
        <>
          <CountPill status={count.status} />
          <span className={styles.quiet}>
            <Joined
              texts={[
                count.reference,
                count.warehouseName,
                count.partnerName,
                count.isBlind && words.isBlind,
              ]}
            />
          </span>
          <span>{words.linesCounted(count.countedLineCount + count.approvedLineCount, count.lineCount)}</span>
        </>
      }
      acts={mayAct && <CountActs count={count} />}
    >
      {mayAct && selected.length > 0 && (
        <LineActs stockCountId={stockCountId} lines={selected} onClear={clear} />
      )}
      <DataTable
        label={words.lines}
        columns={columns}
        rows={lines}
        idOf={({ stockCountLineId }) => stockCountLineId}
        nameOf={lineNameOf}
        statusOf={({ status }) => words.lineStatus(status)}
        state={lines.length === 0 ? 'empty' : 'ready'}
        {...(mayAct ? { selection, onSelect: setSelection } : {})}
      />
    </Page>
  )
}

/** What a line is called: the product and its place. */
export const lineNameOf = (line: CountLine) =>
  stockWords.nameOf(line.partnerProductCode, line.warehouseLocationName)

function useLines(stockCountId: string) {
  const { data } = useQuery({
    ...readAll('/v1/stock-counts/{stockCountId}/lines', { path: { stockCountId } }),
    refetchInterval: 15_000,
  })
  return useMemo(() => {
    const size = ({ varianceQuantity }: CountLine) => Math.abs(varianceQuantity ?? 0)
    const lines = (data?.stockCountLines ?? []).toSorted((a, b) => size(b) - size(a))
    return { lines, columns: countLineColumns(Math.max(1, ...lines.map(({ round }) => round))) }
  }, [data])
}
