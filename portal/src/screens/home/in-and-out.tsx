// Region In and out: how many consignments of each type were entered on each of the last thirty days.

import { quantity } from '../../../../ui/numbers.ts'
import { StackedBars } from '../../../../ui/plots/StackedBars.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { day } from '../../../../ui/time.ts'
import { regionStateOf } from '../../queries.ts'
import { homeWords as words } from '../../words/home.ts'
import type { Dashboard } from './today.tsx'

/** What is stacked, from the bottom up. What was dispatched had been entered before, so it is not. */
const stacked = ['outwards', 'inwards', 'pointToPoint'] as const

export function InAndOut({ series, isError }: { series: Dashboard['series'] | undefined; isError: boolean }) {
  const shown = stacked.map(key => series?.find(one => one.key === key)?.points ?? [])
  const days = shown[0] ?? []
  return (
    <Region
      heading={words.inAndOut}
      state={regionStateOf(isError, series)}
      summary={words.enteredADay(days.length)}
    >
      <StackedBars
        label={words.inAndOut}
        nameHead={words.day}
        kinds={stacked.map(key => words.series[key])}
        bars={days.map(({ date }, i) => ({
          ...{ id: date, text: day(date) },
          values: shown.map(points => points[i]?.value ?? 0),
        }))}
        valueInWords={quantity}
      />
    </Region>
  )
}
