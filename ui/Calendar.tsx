// A month of days to choose from. Arrows move by days and weeks, Page up and Page down by months, Home and
// End to the ends of a week.

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './date-input.module.css'
import { DownIcon } from './icons.tsx'
import { firstDayOfWeek } from './locale.ts'
import { dayLater, dayWithYear, monthInFull, monthLater, weekdayNames, weeksOf } from './months.ts'
import { now } from './time.ts'
import { words } from './words.ts'

/** Where a key leads from a day. */
function dayAfter(key: string, day: string): string | undefined {
  const week = weeksOf(day, firstDayOfWeek()).find(days => days.includes(day)) ?? []
  switch (key) {
    case 'ArrowLeft':
      return dayLater(day, -1)
    case 'ArrowRight':
      return dayLater(day, 1)
    case 'ArrowUp':
      return dayLater(day, -7)
    case 'ArrowDown':
      return dayLater(day, 7)
    case 'PageUp':
      return monthLater(day, -1)
    case 'PageDown':
      return monthLater(day, 1)
    case 'Home':
      return week[0]
    case 'End':
      return week.at(-1)
  }
  return undefined
}

/** The calendar at the month of a day, or at today. */
export function Calendar({ day, onChoose }: { day: string; onChoose: (day: string) => void }) {
  const today = now().slice(0, 'yyyy-mm-dd'.length)
  const [at, setAt] = useState(/^\d{4}-/.test(day) ? day : today)
  const grid = useRef<HTMLTableElement>(null)
  const byKey = useRef(true)
  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>(`[value="${at}"]`)?.focus()
  }, [at])
  const move = (to: string, isByKey: boolean) => {
    byKey.current = isByKey
    setAt(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = dayAfter(event.key, at)
    if (to === undefined) return
    event.preventDefault()
    move(to, true)
  }
  const dayButton = (one: string) => (
    <button
      type="button"
      value={one}
      tabIndex={one === at ? 0 : -1}
      className={one.slice(0, 7) === at.slice(0, 7) ? styles.day : `${styles.day} ${styles.other}`}
      aria-label={dayWithYear(one)}
      aria-pressed={one === day}
      {...(one === today ? { 'aria-current': 'date' as const } : {})}
      onClick={() => onChoose(one)}
    >
      {Number(one.slice(-2))}
    </button>
  )
  return (
    <div className={styles.calendar}>
      <Months at={at} onMove={to => move(to, false)} />
      <table ref={grid} aria-label={monthInFull(at)} onKeyDown={onKeyDown}>
        <Weekdays />
        <tbody>
          {weeksOf(at, firstDayOfWeek()).map(week => (
            <tr key={week[0]}>
              {week.map(one => (
                <td key={one}>{dayButton(one)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The month that is shown, and the way to others. */
const Months = ({ at, onMove }: { at: string; onMove: (day: string) => void }) => (
  <div className={styles.head}>
    <b aria-live="polite">{monthInFull(at)}</b>
    <span className={styles.before}>
      <Button kind="quiet" label={words.monthBefore} onPress={() => onMove(monthLater(at, -1))}>
        <DownIcon />
      </Button>
    </span>
    <span className={styles.after}>
      <Button kind="quiet" label={words.monthAfter} onPress={() => onMove(monthLater(at, 1))}>
        <DownIcon />
      </Button>
    </span>
  </div>
)

const Weekdays = () => (
  <thead>
    <tr>
      {weekdayNames(firstDayOfWeek()).map(({ short, long }) => (
        <th key={long} scope="col" abbr={long}>
          {short}
        </th>
      ))}
    </tr>
  </thead>
)
