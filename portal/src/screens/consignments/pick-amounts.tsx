// How much of each allocation: a quantity, or serials where the product has them.

import { SerialTrackingMode } from '../../../../client/src/waybill.ts'
import { TextField } from '../../../../ui/Field.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import type { Got } from '../../api.ts'
import type { Faults } from '../../faults.ts'
import { serialsIn } from '../../serials.ts'
import { usePlaces } from '../../suggestions.ts'
import { pickWords as words } from '../../words/pick.ts'
import { numberOf } from '../inventory/stock-acts.tsx'
import styles from './pick.module.css'

/** The stock of a consignment, in walking order. */
export type Allocations = Got<'/v1/consignments/{consignmentId}/allocations'>
/** What a line has of a row of stock, picked or not. */
export type AllocatedStock = Allocations['allocations'][number]

/** What amounts are of: allocations of lines, or picks of a wave. */
export type Countable = Pick<AllocatedStock, 'quantity' | 'serials' | 'serialTrackingMode'>

/** What tells rows from each other, for programs and for people. */
export interface Naming<Row> {
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
}

/** What was typed, by the id of the row. */
export type Typed = Readonly<Record<string, string>>

export const allocationIdOf = ({ inventoryAllocationIds }: AllocatedStock) => inventoryAllocationIds[0] ?? ''

/** What an allocation is called: the product, its place and its unit. */
export const allocationNameOf = (row: AllocatedStock) =>
  words.rowName(row.partnerProductCode, row.warehouseLocationName, row.logisticUnitNumber)

export const allocationNaming: Naming<AllocatedStock> = { idOf: allocationIdOf, nameOf: allocationNameOf }

/** Whether every piece of it has a serial. */
export const hasSerials = ({ serialTrackingMode }: Pick<Countable, 'serialTrackingMode'>) =>
  serialTrackingMode !== SerialTrackingMode.None

/** The field's text for all of it, with the serials that are known. */
export const allOf = (row: Countable) => (hasSerials(row) ? row.serials.join('\n') : String(row.quantity))

/** The line and the stock, as commands name them. */
export const sourceOf = ({ consignmentProductId, warehouseProductId }: AllocatedStock) => ({
  consignmentProductId,
  warehouseProductId,
})

/** The amount that a text says; undefined if it says none. */
export function amountOf(
  row: Pick<Countable, 'serialTrackingMode'>,
  text: string,
): { quantity: number; serials?: string[] } | undefined {
  if (!hasSerials(row)) {
    const quantity = numberOf(text)
    return quantity === undefined || quantity < 0 ? undefined : { quantity }
  }
  const serials = serialsIn(text)
  return serials.length === 0 ? { quantity: 0 } : { quantity: serials.length, serials }
}

/** The amounts of the rows of which something was typed, each with its row. */
export const amountsOf = <Row extends Countable>(
  rows: readonly Row[],
  typed: Typed,
  idOf: (row: Row) => string,
  otherwise: (row: Row) => string = allOf,
) =>
  rows.flatMap(row => {
    const amount = amountOf(row, typed[idOf(row)] ?? otherwise(row))
    return amount === undefined ? [] : [{ row, ...amount }]
  })

/** A field for the amount of each row. `array` is the name of the entries in the body. */
export const AmountFields = <Row extends Countable>({
  rows,
  naming: { idOf, nameOf },
  labelOf,
  typed,
  onType,
  otherwise = allOf,
  faults,
  array,
}: {
  rows: readonly Row[]
  naming: Naming<Row>
  /** the label of a quantity; serials have their own */
  labelOf: (name: string) => string
  typed: Typed
  onType: (typed: Typed) => void
  otherwise?: (row: Row) => string
  faults: Faults
  array: string
}) =>
  rows.map((row, i) => (
    <div key={idOf(row)} className={hasSerials(row) ? '' : styles.amount}>
      <TextField
        label={(hasSerials(row) ? words.serialsOf : labelOf)(nameOf(row))}
        help={hasSerials(row) ? words.serialsHelp(row.quantity) : words.ofQuantity(row.quantity)}
        {...(hasSerials(row) ? { isMultiline: true } : { type: 'number' as const })}
        value={typed[idOf(row)] ?? otherwise(row)}
        onChange={text => onType({ ...typed, [idOf(row)]: text })}
        fault={faults.at(`${array}[${i}].quantity`) ?? faults.at(`${array}[${i}].serials`)}
      />
    </div>
  ))

/** A field for a place of the warehouse. */
export const PlaceField = ({
  warehouseId,
  label = words.toPlace,
  ...field
}: {
  warehouseId: string | null
  label?: string
  help?: string
  value: string
  onChange: (place: string) => void
  fault: string | undefined
  isRequired?: boolean
}) => <SuggestField {...field} label={label} suggestions={usePlaces(warehouseId ?? undefined, field.value)} />
