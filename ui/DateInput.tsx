// The control of a field for a day, or for a day and a time. Days are typed as in every browser; the calendar
// is our own, because a browser begins its weeks by its own language and not as the organisation does. On a
// phone it is that of the phone.

import { type InputHTMLAttributes, type KeyboardEvent, useRef, useState } from 'react'
import { Popover } from 'react-aria-components/Popover'
import styles from './date-input.module.css'
import { CalendarIcon } from './icons.tsx'
import { lazily } from './lazily.tsx'
import { words } from './words.ts'

export interface DateInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'onChange'> {
  type: 'date' | 'datetime-local'
  value: string
  /** absent: the value can be read, but not changed */
  onChange?: ((value: string) => void) | undefined
  /** the id of what names the field */
  labelId?: string
}

const Calendar = lazily(() => import('./Calendar.tsx').then(module => module.Calendar))
const dayLength = 'yyyy-mm-dd'.length

export function DateInput({ type, value, onChange, labelId, ...input }: DateInputProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const time = value.slice(dayLength) || 'T00:00'
  const openByKey = (event: KeyboardEvent) => {
    if (onChange === undefined || !(event.key === 'F4' || (event.altKey && event.key === 'ArrowDown'))) return
    event.preventDefault()
    setOpen(true)
  }
  return (
    <span className={styles.date}>
      <input
        {...input}
        type={type}
        value={value}
        onKeyDown={openByKey}
        onChange={event => onChange?.(event.target.value)}
      />
      {onChange !== undefined && (
        <button
          ref={button}
          type="button"
          className={styles.button}
          aria-label={words.calendar}
          aria-describedby={labelId}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        >
          <CalendarIcon />
        </button>
      )}
      <Popover
        className={styles.popover ?? ''}
        aria-label={words.calendar}
        placement="bottom end"
        offset={4}
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={setOpen}
      >
        <Calendar
          day={value.slice(0, dayLength)}
          onChoose={day => {
            onChange?.(type === 'date' ? day : `${day}${time}`)
            setOpen(false)
          }}
        />
      </Popover>
    </span>
  )
}
