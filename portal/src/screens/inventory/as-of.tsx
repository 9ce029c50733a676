// The time that the list of stock shows: now, some hours back, or any other, and when it was known.

import { useEffect, useId, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { DateInput } from '../../../../ui/DateInput.tsx'
import { fromField, hoursAgo, hoursSince, instantInFull, toField } from '../../../../ui/time.ts'
import { useSettled } from '../../../../ui/use-settled.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { useChangeSearch, useSearch } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import styles from './as-of.module.css'

const maxHours = 72

/** The time in the address; undefined for now. */
export function useAsOf(): { asOf: string | undefined; knownAt: string | undefined } {
  const { AsOfUtc, KnownAtUtc } = useSearch()
  return { asOf: textOf(AsOfUtc), knownAt: textOf(KnownAtUtc) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The controls, and a note while another time than now is shown. */
export function AsOf() {
  const { asOf, knownAt } = useAsOf()
  const change = useChangeSearch()
  const [isMore, setMore] = useState(knownAt !== undefined)
  const set = (name: 'AsOfUtc' | 'KnownAtUtc') => (value: string | undefined) =>
    change({ [name]: value }, { replace: true })
  return (
    <>
      <div className={styles.asOf}>
        <TimeField label={words.asOf} value={asOf} onChange={set('AsOfUtc')} />
        <HoursBack asOf={asOf} onChange={set('AsOfUtc')} />
        {isMore && <TimeField label={words.knownAt} value={knownAt} onChange={set('KnownAtUtc')} />}
        <Button kind="quiet" isExpanded={isMore} onPress={() => setMore(!isMore)}>
          {uiWords.more}
        </Button>
        {isMore && <span className={styles.help}>{words.knownAtHelp}</span>}
      </div>
      {(asOf ?? knownAt) !== undefined && (
        <div className={styles.note}>
          <p role="note">{words.stockAsOf(instantInFull(asOf ?? knownAt ?? ''))}</p>
          <Button onPress={() => change({ AsOfUtc: undefined, KnownAtUtc: undefined })}>
            {words.backToNow}
          </Button>
        </div>
      )}
    </>
  )
}

function TimeField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const given = value === undefined ? '' : toField(value)
  const id = useId()
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  return (
    <span className={styles.labelled}>
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      <DateInput
        id={id}
        labelId={`${id}-label`}
        type="datetime-local"
        value={text}
        max={toField(hoursAgo(0))}
        onChange={typed => {
          setText(typed)
          // A half typed year is a time long ago, which nobody means.
          if (typed === '' || typed >= '2000') onChange(fromField(typed))
        }}
      />
    </span>
  )
}

function HoursBack({
  asOf,
  onChange,
}: {
  asOf: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const given = asOf === undefined ? 0 : hoursSince(asOf)
  // Where somebody has moved the slider to, until the address says so too.
  const [moved, setMoved] = useState<number>()
  const hours = moved ?? given
  const settled = useSettled(moved, 200)
  useEffect(() => {
    if (settled === undefined || settled !== moved) return
    setMoved(undefined)
    onChange(settled === 0 ? undefined : hoursAgo(settled))
  }, [settled, moved, onChange])
  return (
    <label>
      {words.hoursBack}
      <input
        type="range"
        min={0}
        max={maxHours}
        value={Math.min(Math.max(hours, 0), maxHours)}
        aria-valuetext={words.hours(hours)}
        onChange={({ target }) => setMoved(Number(target.value))}
      />
      <span aria-hidden>{words.hours(hours)}</span>
    </label>
  )
}
