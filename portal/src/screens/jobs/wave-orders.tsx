// The region Wave of a new wave: what it is called, and its orders, each with the reason if it cannot go
// along. Orders can be dropped here.

import { type DragEvent, useState } from 'react'
import { JobPriority, WavePickStyle } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import type { Faults } from '../../faults.ts'
import { type Order, totalsOf } from '../../new-wave.ts'
import { Link } from '../../router.tsx'
import { jobWords as words } from '../../words/jobs.ts'
import styles from './new-wave.module.css'

/** What the person has given of the wave. */
export interface Given {
  style: string
  priority: string
  due: string
  reference: string
}

const styleOptions = Object.values(WavePickStyle).map(style => ({
  value: String(style),
  text: words.style(style),
}))
const priorityOptions = Object.values(JobPriority).map(priority => ({
  value: String(priority),
  text: words.priority(priority),
}))

export function WaveFields({
  given,
  faults,
  onChange,
}: {
  given: Given
  faults: Faults
  onChange: (part: Partial<Given>) => void
}) {
  return (
    <div className={styles.fields}>
      <SelectField
        label={words.stylePick}
        value={given.style}
        onChange={style => onChange({ style })}
        options={styleOptions}
        fault={faults.at('style')}
      />
      <SelectField
        label={words.priorityHeading}
        value={given.priority}
        onChange={priority => onChange({ priority })}
        options={priorityOptions}
        fault={faults.at('priority')}
      />
      <TextField
        label={words.due}
        type="datetime-local"
        value={given.due}
        onChange={due => onChange({ due })}
        fault={faults.at('dueDateTime')}
      />
      <TextField
        label={words.reference}
        value={given.reference}
        onChange={reference => onChange({ reference })}
        maxLength={100}
        fault={faults.at('reference')}
      />
    </div>
  )
}

/** What is dropped on an element: the ids that DataTable gave the drag. */
function useDrop(onDrop: (ids: readonly string[]) => void) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    props: {
      onDragOver(event: DragEvent) {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        event.preventDefault()
        setOver(false)
        onDrop(event.dataTransfer.getData('text/plain').split(',').filter(Boolean))
      },
    },
  }
}

export function WaveOrders({
  orders,
  note,
  problemOf,
  onAdd,
  onRemove,
}: {
  orders: readonly Order[]
  /** what is to be known before more are added */
  note: string | undefined
  problemOf: (order: Order) => string | undefined
  onAdd: (ids: readonly string[]) => void
  onRemove: (id: string) => void
}) {
  const { isOver, props } = useDrop(onAdd)
  const { lines, weightKG } = totalsOf(orders)
  return (
    <div {...props} className={isOver ? styles.over : ''}>
      <Region
        heading={words.orders}
        {...(orders.length === 0 ? {} : { summary: words.totals(orders.length, lines, weightKG) })}
      >
        {note !== undefined && (
          <p role="status" className={styles.note}>
            {note}
          </p>
        )}
        {orders.length === 0 ? (
          <Nothing text={words.nothingSelected} />
        ) : (
          <Rows>
            {orders.map(order => (
              <OrderRow key={order.id} order={order} problem={problemOf(order)} onRemove={onRemove} />
            ))}
          </Rows>
        )}
      </Region>
    </div>
  )
}

const OrderRow = ({
  order: { id, consignmentNumber, referenceNumber },
  problem,
  onRemove,
}: {
  order: Order
  problem: string | undefined
  onRemove: (id: string) => void
}) => (
  <li data-id={id}>
    <Link to={`/consignments/${id}`}>{consignmentNumber}</Link>
    <span className={styles.quiet}>{referenceNumber}</span>
    {problem !== undefined && (
      <span role="alert" className={styles.problem}>
        {problem}
      </span>
    )}
    <Button kind="quiet" label={words.removeOf(consignmentNumber)} onPress={() => onRemove(id)}>
      {words.remove}
    </Button>
  </li>
)
