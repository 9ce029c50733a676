// Why a line has its stock: the rule by which stock is taken for it, what came before what, and what was kept
// out.

import { useQuery } from '@tanstack/react-query'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { SmallTable } from '../../../../ui/Region.tsx'
import { type Got, read } from '../../api.ts'
import { pickWords as words } from '../../words/pick.ts'
import type { Line } from './allocations.tsx'
import styles from './pick.module.css'

type Preview = Got<'/v1/consignments/{consignmentId}/allocation-preview'>['lines'][number]
type Considered = Preview['stock'][number]

export function WhyThisStock({ consignmentId, line }: { consignmentId: string; line: Line }) {
  const { data, isError } = useQuery(
    read('/v1/consignments/{consignmentId}/allocation-preview', {
      path: { consignmentId },
      query: { IncludeAllocated: true },
    }),
  )
  const explained = data?.lines.find(({ consignmentProductId }) => consignmentProductId === line.id)
  if (explained === undefined)
    return data === undefined && !isError ? null : <p className={styles.quiet}>{words.nothingToExplain}</p>
  return (
    <section aria-label={words.whyThisStock} className={styles.opened}>
      <p>{words.served(words.rotation(explained))}</p>
      {explained.stock.length === 0 ? (
        <p className={styles.quiet}>{words.noStockAtAll}</p>
      ) : (
        <ConsideredStock stock={explained.stock} />
      )}
    </section>
  )
}

function ConsideredStock({ stock }: { stock: readonly Considered[] }) {
  const last = stock.findLastIndex(({ keptOut }) => keptOut === null)
  return (
    <div className={styles.inner}>
      <SmallTable
        label={words.considered}
        heads={[
          ...[words.place, words.unit, words.batch, words.expiry].map(text => ({ text })),
          ...[words.free, words.has].map(text => ({ text, isAtEnd: true })),
          { text: words.because },
        ]}
        rows={stock.map((one, i) => ({
          id: one.warehouseProductId,
          cells: [
            one.warehouseLocationName,
            one.logisticUnitNumber ?? words.nothing,
            one.batch ?? words.nothing,
            <LocalDay key="expiry" value={one.expiryDate} />,
            quantity(one.availableQuantity),
            one.allocatedQuantity === 0 ? words.nothing : quantity(one.allocatedQuantity),
            becauseOf(one, i === last),
          ],
        }))}
      />
    </div>
  )
}

/** Why it stands where it does. The last that is not kept out comes before no other. */
function becauseOf({ rule, keptOut, quantity: gets, allocatedQuantity: has }: Considered, isLast: boolean) {
  if (keptOut !== null) return words.notTaken(keptOut)
  if (rule === null || has > gets) return words.chosenByHand
  if (has < gets) return words.takenNow
  if (gets === 0) return words.notNeeded
  return isLast ? words.lastOfAll : words.ruleOf(rule)
}
