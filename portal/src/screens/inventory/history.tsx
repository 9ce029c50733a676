// Region History of a row of stock: each movement with the balance after it, and a plot of the balance.

import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { StepPlot } from '../../../../ui/plots/StepPlot.tsx'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { instant, millisecondsOf } from '../../../../ui/time.ts'
import type { RowOf } from '../../api.ts'
import { usePages } from '../../every-page.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import styles from './stock.module.css'
import type { StockRecord } from './stock.tsx'

type Movement = RowOf<'/v1/inventory/{warehouseProductId}/transactions'>

export function History({ stock: { warehouseProductId } }: { stock: StockRecord }) {
  const pages = usePages('/v1/inventory/{warehouseProductId}/transactions', { path: { warehouseProductId } })
  const { rows, total, isError } = pages
  const movements = rows ?? []
  const state = regionStateOf(isError, rows)
  return (
    <Region heading={words.history} state={state} summary={total || undefined}>
      {movements.length > 1 && (
        <StepPlot label={words.balance} points={pointsOf(movements)} valueInWords={quantity} />
      )}
      {state === 'empty' ? (
        <Nothing text={words.noHistory} />
      ) : (
        <SmallTable
          label={words.history}
          heads={[
            ...[words.time, words.why, words.otherPlace, words.who].map(text => ({ text })),
            ...[words.change, words.balanceAfter].map(text => ({ text, isAtEnd: true })),
          ]}
          rows={movements.map(movement => ({
            id: `${movement.movementId} ${movement.version}`,
            cells: cellsOf(movement),
          }))}
        />
      )}
      <ReadOn pages={pages} />
    </Region>
  )
}

const signed = (n: number) => (n > 0 ? `+${quantity(n)}` : quantity(n))

const whyOf = ({ transactionType, cause }: Movement) => words.movement(transactionType, cause)

/** What the person said, and what else is known, unless it says the same as the cause. */
const detailsOf = (movement: Movement) =>
  [movement.reason, movement.particulars].filter(text => text && text !== whyOf(movement)).join(', ')

const cellsOf = (movement: Movement) => [
  <UtcTime key="time" value={movement.effectiveUtc} />,
  <span key="why">
    {whyOf(movement)}{' '}
    {movement.consignmentId !== null && (
      <Link to={`/consignments/${movement.consignmentId}`}>{movement.consignmentNumber}</Link>
    )}{' '}
    {movement.jobNumber} <span className={styles.quiet}>{detailsOf(movement)}</span>
  </span>,
  movement.otherPlaces.map(({ warehouseLocationName }) => warehouseLocationName).join(', ') || words.nothing,
  movement.userFullName ?? movement.appName ?? words.nothing,
  <span key="change" className={movement.quantity < 0 ? styles.minus : ''}>
    {signed(movement.quantity)}
  </span>,
  <b key="balance">{quantity(movement.onHandAfter)}</b>,
]

/** The movements in the order of time, as points of the plot. */
const pointsOf = (movements: readonly Movement[]) =>
  movements.toReversed().map(movement => ({
    id: `${movement.movementId} ${movement.version}`,
    at: millisecondsOf(movement.effectiveUtc),
    value: movement.onHandAfter,
    text: words.pointInWords(
      instant(movement.effectiveUtc),
      signed(movement.quantity),
      quantity(movement.onHandAfter),
    ),
  }))
