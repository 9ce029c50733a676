// The lines of a receipt, each with what came of it.

import { DateInput } from '../../../../ui/DateInput.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { SmallTable } from '../../../../ui/Region.tsx'
import { receiveWords as words } from '../../words/receive.ts'
import type { Arrival } from './arrivals.ts'
import styles from './receive.module.css'

type TextOf = 'quantity' | 'place' | 'pallet' | 'batch' | 'expiry' | 'serials'

const fields: readonly { name: TextOf; text: string; type: 'text' | 'number' | 'date'; hint?: string }[] = [
  { name: 'quantity', text: words.quantity, type: 'number' },
  { name: 'place', text: words.place, type: 'text', hint: words.placeHint },
  { name: 'pallet', text: words.pallet, type: 'text' },
  { name: 'batch', text: words.batch, type: 'text' },
  { name: 'expiry', text: words.expiry, type: 'date' },
  { name: 'serials', text: words.serials, type: 'text', hint: words.serialsHint },
]

export function ArrivalRows({
  arrivals,
  onChange,
}: {
  arrivals: readonly Arrival[]
  onChange: (key: string, part: Partial<Arrival>) => void
}) {
  return (
    <SmallTable
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
          <span key="product" className={styles.product}>
            <b>{arrival.productCode}</b> <span className={styles.quiet}>{arrival.productName}</span>
          </span>,
          arrival.lineId === undefined ? words.notAnnounced : quantity(arrival.expected),
          quantity(arrival.received),
          ...fields.map(({ name, text, type, hint }) => {
            const shared = {
              className: `${styles.cell} ${styles[name] ?? ''}`,
              'aria-label': words.of(text, arrival.productCode),
              ...{ placeholder: hint, value: arrival[name], autoComplete: 'off' },
            }
            const change = (value: string) => onChange(arrival.key, { [name]: value })
            return type === 'date' ? (
              <DateInput key={name} type={type} {...shared} onChange={change} />
            ) : (
              <input
                key={name}
                type={type}
                {...(type === 'number' ? { min: 0, step: 'any' } : {})}
                {...shared}
                onChange={event => change(event.target.value)}
              />
            )
          }),
          <input
            key="damaged"
            type="checkbox"
            aria-label={words.of(words.damaged, arrival.productCode)}
            checked={arrival.isDamaged}
            onChange={event => onChange(arrival.key, { isDamaged: event.target.checked })}
          />,
        ],
      }))}
    />
  )
}
