// One line of a new consignment: its fields, what is free of its product, and the units of its quantity.

import { type ReactNode, useId } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { quantity as inWords } from '../../../../ui/numbers.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import type { DraftLine } from '../../new-consignment.ts'
import { newConsignmentWords as words } from '../../words/new-consignment.ts'
import { type LineProduct, unitOptionsOf } from './line-products.ts'
import styles from './new.module.css'

const fields = {
  productCode: { text: words.product, type: 'text', path: 'productCode' },
  quantity: { text: words.quantity, type: 'number', path: 'items[0].quantity' },
  batch: { text: words.batch, type: 'text', path: 'batch' },
} as const

interface NewLineProps {
  line: DraftLine
  /** its place among the lines, from 1 */
  number: number
  product: LineProduct | undefined
  /** whether it takes goods out, so that what is free matters */
  isOut: boolean
  isOnly: boolean
  /** whether it has just been added, and is typed next */
  isAdded: boolean
  /** the id of the list of suggested products */
  list: string
  faultAt: (path: string) => string | undefined
  onChange: (part: Partial<DraftLine>) => void
  onRemove: () => void
}

/** The cells of a line. */
export function newLineCells(props: NewLineProps): ReactNode[] {
  const { line, number, product, isOut, isOnly, isAdded, list, faultAt, onChange, onRemove } = props
  const field = (name: keyof typeof fields) => (
    <LineField
      key={name}
      label={words.ofLine(fields[name].text, number)}
      type={fields[name].type}
      value={line[name]}
      // The units are those of the product.
      onChange={value => onChange({ [name]: value, ...(name === 'productCode' ? { unit: '' } : {}) })}
      fault={faultAt(fields[name].path)}
      list={name === 'productCode' ? list : undefined}
      autoFocus={isAdded && name === 'productCode'}
    />
  )
  return [
    field('productCode'),
    ...(isOut ? [<Free key="free" quantity={product?.availableQuantity} line={line} />] : []),
    field('quantity'),
    <LineUnit
      key="unit"
      label={words.ofLine(words.unit, number)}
      options={unitOptionsOf(product)}
      value={line.unit}
      onChange={unit => onChange({ unit })}
    />,
    field('batch'),
    <Button key="remove" kind="quiet" label={words.removeLine(number)} isDisabled={isOnly} onPress={onRemove}>
      {words.remove}
    </Button>,
  ]
}

/** What is free of the product in the warehouse; it stands out where the line orders more. */
function Free({ quantity, line }: { quantity: number | undefined; line: DraftLine }) {
  if (quantity === undefined) return uiWords.nothing
  const isShort = line.unit === '' && Number(line.quantity) > quantity
  return <span className={isShort ? styles.fault : ''}>{inWords(quantity)}</span>
}

/** The unit of a quantity: a choice where the product has more than its own. */
function LineUnit({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: string; text: string }[]
  value: string
  onChange: (value: string) => void
}) {
  if (options.length === 1) return options[0]?.text
  return (
    <select
      className={styles.unit}
      aria-label={label}
      value={value}
      onChange={event => onChange(event.target.value)}
    >
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  )
}

interface LineFieldProps {
  label: string
  type: string
  value: string
  onChange: (value: string) => void
  fault: string | undefined
  list: string | undefined
  autoFocus: boolean
}

function LineField({ label, type, value, onChange, fault, list, autoFocus }: LineFieldProps) {
  const id = useId()
  return (
    <>
      <input
        className={styles.cell}
        type={type}
        {...(type === 'number' ? { min: 0, step: 'any' } : {})}
        aria-label={label}
        value={value}
        list={list}
        {...(autoFocus ? { autoFocus } : {})}
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
        {...(fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id })}
      />
      {fault !== undefined && (
        <p id={id} className={styles.fault}>
          {fault}
        </p>
      )}
    </>
  )
}
