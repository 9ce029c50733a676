// A step plot: a value that stays until it changes. Pointing at a change tells when it was and what the value
// was after it. The table that the plot belongs to tells the same to everybody else.

import styles from './plot.module.css'
import { niceTop, scale } from './scale.ts'

export interface StepPoint {
  id: string
  /** when, in milliseconds */
  at: number
  value: number
  /** the point in words */
  text: string
}

const [width, height, edge] = [720, 140, 8]

/** The plot. The points are in the order of time. */
export function StepPlot({
  label,
  points,
  valueInWords,
}: {
  label: string
  points: readonly StepPoint[]
  valueInWords: (value: number) => string
}) {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const top = niceTop(Math.max(...points.map(({ value }) => value)))
  const x = scale([first.at, last.at], [edge, width - edge])
  const y = scale([0, top], [height - edge, edge])
  const path = points.map(({ at, value }, i) => (i === 0 ? `M${x(at)},${y(value)}` : `H${x(at)}V${y(value)}`))
  return (
    <div className={styles.plot}>
      <span aria-hidden className={styles.top}>
        {valueInWords(top)}
      </span>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <path className={styles.grid} d={`M0,${y(0)}H${width}M0,${y(top)}H${width}`} />
        <path className={styles.area} d={`${path.join('')}V${y(0)}H${x(first.at)}Z`} />
        <path className={styles.line} d={path.join('')} />
        {points.map(point => (
          <circle key={point.id} className={styles.point} cx={x(point.at)} cy={y(point.value)} r={4}>
            <title>{point.text}</title>
          </circle>
        ))}
      </svg>
    </div>
  )
}
