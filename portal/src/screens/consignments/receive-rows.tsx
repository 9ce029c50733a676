// The lines of a receipt, each with what came of it.

import type { ReactNode } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { DateInput } from '../../../../ui/DateInput.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { SmallTable } from '../../../../ui/Region.tsx'
import { dateWords, type GoodsDate } from '../../words/goods-dates.ts'
import { receiveWords as words } from '../../words/receive.ts'
import { type Arrival, nameOf } from './arrivals.ts'
import styles from './receive.module.css'

type TextOf = 'quantity' | 'place' | 'pallet' | 'batch' | 'serials' | GoodsDate

interface ArrivalField {
  name: TextOf
  text: string
  type: 'text' | 'number' | 'date'
  hint?: string
  /** the accessible name of the field before `of APPLE`, if it is not its head */
  act?: string
}

const fieldsWith = (dates: readonly GoodsDate[]): readonly ArrivalField[] => [
  { name: 'quantity', text: words.quantity, type: 'number' },
  { name: 'place', text: words.place, type: 'text', hint: words.placeHint },
  { name: 'pallet', text: words.pallet, type: 'text' },
  { name: 'batch', text: words.batch, type: 'text' },
  ...dates.map(name => ({ name, text: dateWords[name], type: 'date' as const })),
  { name: 'serials', text: words.serials, type: 'text', hint: words.serialsHint, act: words.addSerials },
]

interface RowsProps {
  arrivals: readonly Arrival[]
  /** the dates that have a column */
  dates: readonly GoodsDate[]
  onChange: (key: string, part: Partial<Arrival>) => void
  /** adds another part of an arrival */
  onPart: (of: Arrival) => void
}

export function ArrivalRows({ arrivals, dates, onChange, onPart }: RowsProps) {
  const fields = fieldsWith(dates)
  return (
    <div className={styles.rows}>
      <SmallTable
        isGrid
        label={words.lines}
        heads={[
          { text: words.product },
          { text: words.announced, isAtEnd: true },
          { text: words.received, isAtEnd: true },
          ...fields.map(({ text }) => ({ text })),
          { text: words.damaged },
        ]}
        rows={arrivals.map(arrival => ({
          id: arrival.key,
          cells: [
            <ProductCell key="product" arrival={arrival} onPart={onPart} />,
            ...announcedAndReceived(arrival),
            ...fields.map(field => <FieldCell key={field.name} {...{ arrival, field, onChange }} />),
            <input
              key="damaged"
              type="checkbox"
              aria-label={words.of(words.damaged, nameOf(arrival))}
              checked={arrival.isDamaged}
              onChange={event => onChange(arrival.key, { isDamaged: event.target.checked })}
            />,
          ],
        }))}
      />
    </div>
  )
}

/** They are of the line, so its first part has them. */
const announcedAndReceived = ({ part, lineId, expected, received }: Arrival): readonly ReactNode[] =>
  part > 1 ? ['', ''] : [lineId === undefined ? words.notAnnounced : quantity(expected), quantity(received)]

const ProductCell = ({ arrival, onPart }: { arrival: Arrival; onPart: RowsProps['onPart'] }) => (
  <span className={styles.product}>
    <b>{arrival.productCode}</b>{' '}
    <span className={styles.quiet}>
      {arrival.part > 1 ? words.partOnly(arrival.part) : arrival.productName}
    </span>
    {arrival.part === 1 && (
      <Button
        kind="quiet"
        label={words.of(words.anotherPart, arrival.productCode)}
        onPress={() => onPart(arrival)}
      >
        {words.anotherPart}
      </Button>
    )}
  </span>
)

function FieldCell({
  arrival,
  field: { name, text, type, hint, act = text },
  onChange,
}: {
  arrival: Arrival
  field: ArrivalField
  onChange: RowsProps['onChange']
}) {
  const shared = {
    className: `${styles.cell} ${styles[type === 'date' ? 'date' : name] ?? ''}`,
    'aria-label': words.of(act, nameOf(arrival)),
    ...{ placeholder: hint, value: arrival[name], autoComplete: 'off' },
  }
  const change = (value: string) => onChange(arrival.key, { [name]: value })
  if (type === 'date') return <DateInput type={type} {...shared} onChange={change} />
  return (
    <input
      id={name === 'quantity' ? quantityId(arrival) : undefined}
      type={type}
      {...(type === 'number' ? { min: 0, step: 'any' } : {})}
      {...shared}
      onChange={event => change(event.target.value)}
      onKeyDown={event =>
        event.key === 'Enter' && document.getElementById(scanId)?.querySelector('input')?.focus()
      }
    />
  )
}

/** The form that finds lines. Enter in a line goes back to it, for the next scan. */
export const scanId = 'scan'

const quantityId = ({ key }: Arrival) => `quantity ${key}`

/** Puts the focus onto the quantity of an arrival, which scrolls to it. */
export function focusQuantity(arrival: Arrival): void {
  const field = document.getElementById(quantityId(arrival))
  if (field instanceof HTMLInputElement) {
    field.focus()
    field.select()
  }
}
