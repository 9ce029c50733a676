// The days of storage in a proof: a plot of what was counted, and a table with the movements of each day.

import type { Schemas } from '../../../../client/src/waybill.ts'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { StepPlot } from '../../../../ui/plots/StepPlot.tsx'
import { SmallTable } from '../../../../ui/Region.tsx'
import { day, millisecondsOf } from '../../../../ui/time.ts'
import { canOpen } from '../../frame/menu.ts'
import { useMe } from '../../me.ts'
import { Link } from '../../router.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import { ProofPart, StepTable } from './proof.tsx'

type LineProof = Schemas['ScheduleTransactionProof']
type Day = NonNullable<LineProof['series']>[number]

export const Series = ({ days }: { days: readonly Day[] }) => (
  <ProofPart heading={words.series}>
    {days.length > 1 && (
      <StepPlot
        label={words.counted}
        points={days.map(one => ({
          id: one.day,
          at: millisecondsOf(one.day),
          value: Number(one.counted),
          text: words.dayInWords(one.day, one.counted),
        }))}
        valueInWords={quantity}
      />
    )}
    <SmallTable
      label={words.series}
      heads={[
        { text: words.day },
        ...[words.opening, words.in, words.out, words.peak, words.closing, words.counted].map(text => ({
          ...{ text, isAtEnd: true },
        })),
      ]}
      rows={days.map(one => ({
        id: one.day,
        cells: [
          <span key="day">
            {day(one.day)} <Movements of={one} />
          </span>,
          ...[one.opening, one.in, one.out, one.peak, one.closing].map(words.figure),
          <b key="counted">{words.figure(one.counted)}</b>,
        ],
      }))}
    />
  </ProofPart>
)

/** The movements of a day, with a link to the stock that the first one moved. */
function Movements({ of: { ledgerRows, ledgerRowCount } }: { of: Day }) {
  const me = useMe()
  const [first] = ledgerRows
  if (first === undefined) return null
  const address = `/inventory/${first.warehouseProductId}`
  const text = words.movements(ledgerRowCount)
  return canOpen(me, address) ? <Link to={address}>{text}</Link> : text
}

/** What was billed of storage before something became known, and what it is now. */
export const Correction = ({ adjusting }: { adjusting: NonNullable<LineProof['adjusting']> }) => (
  <ProofPart heading={words.correction}>
    <p>{words.correctionHelp(adjusting.lateRowCount)}</p>
    <SmallTable
      label={words.correction}
      heads={[
        { text: words.correction },
        { text: words.knownAt },
        { text: words.quantity, isAtEnd: true },
        { text: words.amount, isAtEnd: true },
      ]}
      rows={(['before', 'now'] as const).map(when => ({
        id: when,
        cells: [
          words[when],
          <UtcTime key="known" value={adjusting[when].knownAtUtc} />,
          words.figure(adjusting[when].quantity),
          amount(adjusting[when].amountExclTax),
        ],
      }))}
    />
    <StepTable label={words.before} steps={adjusting.before.steps} />
  </ProofPart>
)
