// Region Lines: what is expected, and how far each line is.

import { useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { kindOf, useMe } from '../../me.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import { type Line, useOpenedLines } from './allocations.tsx'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { type LineAct, LineDialog, mayChangeLines } from './line-dialogs.tsx'

const figures = [
  words.expected,
  words.allocated,
  words.picked,
  words.received,
  words.dispatched,
  words.short,
].map(text => ({ text, isAtEnd: true }))

/** How far the warehouse is with the goods is not the carrier's matter: it has what was dispatched. */
const isOfCarriers = (_: unknown, i: number) => i === 0 || i === 4

export function Lines({ consignment }: { consignment: Consignment }) {
  const { products, metrics, status } = consignment
  const me = useMe()
  const mayChange = mayChangeLines(me, consignment)
  const isShown = kindOf(me) === 'carrier' ? isOfCarriers : () => true
  const [act, setAct] = useState<LineAct>()
  const { openerOf, belowOf } = useOpenedLines(consignment)
  // Before the warehouse has the goods to pick or receive, nothing is short yet; what is void never is.
  const { Draft, Pending, Void } = ConsignmentStatus
  const isWaiting = status === Draft || status === Pending || status === Void
  const weight = metrics.expectedWeightKG
  return (
    <Region
      heading={words.lines}
      summary={words.linesSummary(
        products.length,
        quantity(metrics.expectedQuantity),
        weight == null ? undefined : quantity(weight),
      )}
      acts={mayChange && <Button onPress={() => setAct({ name: 'add' })}>{words.addLine}</Button>}
    >
      <SmallTable
        label={words.lines}
        heads={[
          { text: words.product },
          { text: words.batch },
          ...figures.filter(isShown),
          ...(mayChange ? [{ text: words.correct }] : []),
        ]}
        rows={products.map((line, i) => ({
          id: line.id,
          below: belowOf(line),
          cells: [
            <span key="product" className={styles.lineProduct}>
              {openerOf(line, i)}{' '}
              <span className={styles.quiet}>{line.product?.name ?? line.goodsDescription}</span>
            </span>,
            line.batch ?? words.nothing,
            ...figuresOf(line, isWaiting).filter(isShown),
            ...(mayChange
              ? [
                  <LineActs
                    key="acts"
                    {...{ line, number: i + 1, isOnly: products.length === 1, onAct: setAct }}
                  />,
                ]
              : []),
          ],
        }))}
      />
      {act !== undefined && (
        <LineDialog act={act} consignment={consignment} onClose={() => setAct(undefined)} />
      )}
    </Region>
  )
}

function figuresOf(line: Line, isWaiting: boolean) {
  return [
    quantity(line.expectedQuantity),
    quantity(line.allocatedQuantity),
    quantity(line.pickedQuantity),
    quantity(line.receivedQuantity),
    quantity(line.dispatchedQuantity),
    isWaiting ? (
      words.nothing
    ) : (
      <span key="short" className={line.shortQuantity > 0 ? styles.alert : ''}>
        {quantity(line.shortQuantity)}
      </span>
    ),
  ]
}

const LineActs = ({
  line,
  number,
  isOnly,
  onAct,
}: {
  line: Line
  /** its place, from 1 */
  number: number
  isOnly: boolean
  onAct: (act: LineAct) => void
}) => (
  <span className={styles.rowActs}>
    <Button kind="quiet" label={words.editLine(number)} onPress={() => onAct({ name: 'edit', line, number })}>
      {uiWords.edit}
    </Button>
    <Button
      kind="quiet"
      label={words.removeLine(number)}
      disabledReason={isOnly ? words.onlyLine : undefined}
      onPress={() => onAct({ name: 'remove', line, number })}
    >
      {words.remove}
    </Button>
  </span>
)
