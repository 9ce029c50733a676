// Stacked bars: for each day, how many of each kind. Pointing at a bar tells its figures, and the same
// figures can be shown as a table, which is how keys and screen readers read them.

import { useState } from 'react'
import { Button } from '../Button.tsx'
import { SmallTable } from '../Region.tsx'
import { words } from '../words.ts'
import styles from './plot.module.css'
import { niceTop, scale } from './scale.ts'

/** A bar: its name, and a value for each of the kinds. */
export interface Bar {
  id: string
  text: string
  values: readonly number[]
}

const [step, gap, height] = [10, 1.2, 100]
/** How many names stand below the bars at most. */
const maxNames = 5
const fills = ['first', 'second', 'third'] as const

export interface StackedBarsProps {
  label: string
  /** the head of the column of names, in the table */
  nameHead: string
  /** the kinds, from the bottom up: at most three */
  kinds: readonly string[]
  bars: readonly Bar[]
  valueInWords: (value: number) => string
}

export function StackedBars(props: StackedBarsProps) {
  const [isTable, setTable] = useState(false)
  const { label, nameHead, kinds, bars, valueInWords } = props
  return (
    <div className={styles.plot}>
      <div className={styles.legend}>
        {!isTable &&
          kinds.map((kind, i) => (
            <span key={kind}>
              <span aria-hidden className={`${styles.swatch} ${styles[fills[i] ?? 'third']}`} />
              {kind}
            </span>
          ))}
        <Button kind="quiet" onPress={() => setTable(!isTable)}>
          {isTable ? words.showAsPlot : words.showAsTable}
        </Button>
      </div>
      {isTable ? (
        <div className={styles.asTable}>
          <SmallTable
            label={label}
            heads={[{ text: nameHead }, ...kinds.map(text => ({ text, isAtEnd: true }))]}
            rows={bars.map(({ id, text, values }) => ({ id, cells: [text, ...values.map(valueInWords)] }))}
          />
        </div>
      ) : (
        <Bars {...props} />
      )}
    </div>
  )
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

function Bars({ label, kinds, bars, valueInWords }: StackedBarsProps) {
  const top = niceTop(Math.max(0, ...bars.map(({ values }) => sumOf(values))))
  const y = scale([0, top], [height, 0])
  const width = bars.length * step
  const nth = Math.ceil(bars.length / maxNames)
  const titleOf = ({ text, values }: Bar) =>
    [text, ...kinds.map((kind, i) => `${kind} ${valueInWords(values[i] ?? 0)}`)].join(', ')
  return (
    <>
      <div className={styles.drawing}>
        <span aria-hidden className={styles.scale}>
          <span>{valueInWords(top)}</span>
          <span>{valueInWords(0)}</span>
        </span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <path
            className={styles.grid}
            d={`M0,${y(0)}H${width}M0,${y(top / 2)}H${width}M0,${y(top)}H${width}`}
          />
          {bars.map((bar, i) => (
            <g key={bar.id} className={styles.bar}>
              <title>{titleOf(bar)}</title>
              <rect className={styles.whole} x={i * step} y={0} width={step} height={height} />
              {bar.values.map((value, kind) => {
                const below = sumOf(bar.values.slice(0, kind))
                return (
                  <rect
                    key={kinds[kind]}
                    className={styles[fills[kind] ?? 'third']}
                    x={i * step + gap}
                    y={y(below + value)}
                    width={step - 2 * gap}
                    height={y(below) - y(below + value)}
                  />
                )
              })}
            </g>
          ))}
        </svg>
      </div>
      <div aria-hidden className={styles.names}>
        {bars
          .filter((_, i) => i % nth === 0)
          .map(({ id, text }) => (
            <span key={id}>{text}</span>
          ))}
      </div>
    </>
  )
}
