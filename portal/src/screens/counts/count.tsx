// A stock count, `/counts/{id}`: its lines by the largest difference, the rounds side by side.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { StockCountStatus } from '../../../../client/src/waybill.ts'
import { type Column, DataTable } from '../../../../ui/DataTable.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { type Got, type RowOf, read } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { Page } from '../../frame/Page.tsx'
import { CountPill } from '../../lists/counts.tsx'
import { StockLink } from '../../lists/inventory.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { countWords as words } from '../../words/counts.ts'
import { stockWords } from '../../words/stock.ts'
import styles from '../inventory/stock.module.css'
import { mayChangeStock } from '../inventory/stock-acts.tsx'
import { CountActs, LineActs } from './count-acts.tsx'

export type Count = Got<'/v1/stock-counts/{stockCountId}'>
export type CountLine = RowOf<'/v1/stock-counts/{stockCountId}/lines'>

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
            {[count.reference, count.warehouseName, count.partnerName, count.isBlind && words.blind]
              .filter(Boolean)
              .join(', ')}
          </span>
          <span>{words.countedOf(count.countedLineCount + count.approvedLineCount, count.lineCount)}</span>
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
    return { lines, columns: columnsOf(Math.max(1, ...lines.map(({ round }) => round))) }
  }, [data])
}

const columnsOf = (rounds: number): readonly Column<CountLine>[] => [
  {
    id: 'product',
    head: words.product,
    isRowHeader: true,
    isOnPhone: true,
    cell: (line, tabIndex) => <StockLink row={line} tabIndex={tabIndex} />,
  },
  { id: 'place', head: words.place, width: 120, isOnPhone: true, cell: line => line.warehouseLocationName },
  { id: 'unit', head: words.unit, width: 120, cell: line => line.logisticUnitNumber ?? words.nothing },
  { id: 'batch', head: words.batch, width: 90, cell: line => line.batch ?? words.nothing },
  { id: 'status', head: words.headStatus, width: 110, cell: line => words.lineStatus(line.status) },
  figure('book', words.book, line => line.bookQuantity),
  ...Array.from({ length: rounds }, (_, i) =>
    figure(
      `round ${i + 1}`,
      words.round(i + 1),
      ({ entries }) => entries.find(one => one.round === i + 1)?.countedQuantity,
    ),
  ),
  {
    ...figure('difference', words.difference, line => line.varianceQuantity),
    isOnPhone: true,
    cell: ({ varianceQuantity: difference }) =>
      difference == null || difference === 0 ? (
        <span>{difference === 0 ? quantity(0) : words.nothing}</span>
      ) : (
        <b className={styles.minus}>{difference > 0 ? `+${quantity(difference)}` : quantity(difference)}</b>
      ),
  },
  { id: 'by', head: words.countedBy, width: 150, cell: line => line.countedByName ?? words.nothing },
]

function figure(id: string, head: string, figureOf: (line: CountLine) => number | null | undefined) {
  const cell = (line: CountLine) => {
    const value = figureOf(line)
    return value == null ? words.nothing : quantity(value)
  }
  return { id, head, width: 96, isAtEnd: true, cell }
}
