// Region Lines: what is expected, and how far each line is.

import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { quantity } from '../../../../ui/numbers.ts'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import { useOpenedLines } from './allocations.tsx'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

export function Lines({ consignment }: { consignment: Consignment }) {
  const { products, metrics, status } = consignment
  const { openerOf, belowOf } = useOpenedLines(consignment)
  // Before the warehouse has the goods to pick or receive, nothing can be short yet.
  const isWaiting = status === ConsignmentStatus.Draft || status === ConsignmentStatus.Pending
  const weight = metrics.expectedWeightKG
  const figures = [
    words.expected,
    words.allocated,
    words.picked,
    words.received,
    words.dispatched,
    words.short,
  ].map(text => ({ text, isAtEnd: true }))
  return (
    <Region
      heading={words.lines}
      summary={words.linesSummary(
        products.length,
        quantity(metrics.expectedQuantity),
        weight == null ? undefined : quantity(weight),
      )}
    >
      <SmallTable
        label={words.lines}
        heads={[{ text: words.product }, { text: words.batch }, ...figures]}
        rows={products.map((line, i) => ({
          id: line.id,
          below: belowOf(line),
          cells: [
            <span key="product">
              {openerOf(line, i)} <span className={styles.quiet}>{line.goodsDescription}</span>
            </span>,
            line.batch ?? words.nothing,
            quantity(line.expectedQuantity),
            quantity(line.allocatedQuantity),
            quantity(line.pickedQuantity),
            quantity(line.receivedQuantity),
            quantity(line.dispatchedQuantity),
            line.shortQuantity > 0 && !isWaiting ? (
              <span key="short" className={styles.alert}>
                {quantity(line.shortQuantity)}
              </span>
            ) : (
              quantity(line.shortQuantity)
            ),
          ],
        }))}
      />
    </Region>
  )
}
