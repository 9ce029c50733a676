// The acts on rows of stock, each a dialog: Move, Adjust, Hold, Change batch or dates.

import { useState } from 'react'
import { HoldKind } from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { holdKindOptions } from '../../lists/inventory.tsx'
import { hasScope, kindOf, type Me } from '../../me.ts'
import { usePlaces } from '../../suggestions.ts'
import { dateWords, type GoodsDate, goodsDates } from '../../words/goods-dates.ts'
import { stockWords as words } from '../../words/stock.ts'

/** A row of stock, as the acts need it. */
export interface Stock {
  warehouseProductId: string
  warehouseId: string
  partnerProductCode: string
  warehouseLocationName: string
}

export type StockAct = 'move' | 'adjust' | 'hold' | 'changeBatch'

export const stockActs: readonly StockAct[] = ['move', 'adjust', 'hold', 'changeBatch']

/** Whether the person may change stock. */
export const mayChangeStock = (me: Me): boolean => hasScope(me, 'inventory') && kindOf(me) === 'staff'

/** The paths whose data changes with stock. */
export const stockPaths = [
  '/v1/inventory',
  '/v1/inventory-items',
  '/v1/logistic-units',
  '/v1/stock-counts',
  '/v1/consignments',
]

interface DialogProps {
  stock: readonly Stock[]
  onClose: () => void
  onDone: () => void
}

/** The dialog of an act. */
export function StockDialog({ act, ...props }: DialogProps & { act: StockAct; place?: string }) {
  switch (act) {
    case 'move':
      return <MoveDialog {...props} />
    case 'adjust':
      return <AdjustDialog {...props} />
    case 'hold':
      return <HoldDialog {...props} />
    case 'changeBatch':
      return <ChangeDialog {...props} />
  }
}

/** A quantity that somebody typed; undefined if it is none. */
export const numberOf = (text: string): number | undefined =>
  text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)

function MoveDialog({ stock, place: suggested = '', ...props }: DialogProps & { place?: string }) {
  const [place, setPlace] = useState(suggested)
  const [quantity, setQuantity] = useState('')
  const places = usePlaces(stock[0]?.warehouseId, place)
  const isOne = stock.length === 1
  const transfers = stock.map(({ warehouseProductId }) => ({
    ...{ warehouseProductId, toLocationName: place.trim() },
    quantity: isOne ? (numberOf(quantity) ?? null) : null,
  }))
  return (
    <ActDialog
      act={words.move}
      method="post"
      path="/v1/inventory/transfer"
      request={{ body: { transfers } }}
      isComplete={place.trim() !== ''}
      done={words.moved(stock.length, place.trim())}
      changes={stockPaths}
      {...props}
    >
      {faults => (
        <>
          <SuggestField
            label={words.toPlace}
            value={place}
            onChange={setPlace}
            suggestions={places}
            fault={faults.at('transfers[0].toLocationName')}
            isRequired
            autoFocus
          />
          {isOne && (
            <TextField
              label={words.quantity}
              help={words.allOfIt}
              type="number"
              value={quantity}
              onChange={setQuantity}
              fault={faults.at('transfers[0].quantity')}
            />
          )}
        </>
      )}
    </ActDialog>
  )
}

function AdjustDialog({ stock, ...props }: DialogProps) {
  const [quantities, setQuantities] = useState<Readonly<Record<string, string>>>({})
  const [reason, setReason] = useState('')
  const adjustments = stock.flatMap(({ warehouseProductId }) => {
    const quantity = numberOf(quantities[warehouseProductId] ?? '')
    return quantity === undefined || quantity === 0 ? [] : [{ warehouseProductId, quantity }]
  })
  return (
    <ActDialog
      act={words.adjust}
      method="post"
      path="/v1/inventory/adjust"
      request={{ body: { adjustments, reason: reason.trim() } }}
      isComplete={adjustments.length > 0 && reason.trim() !== ''}
      done={words.adjusted(adjustments.length)}
      changes={stockPaths}
      {...props}
    >
      {faults => (
        <>
          {stock.map((row, i) => (
            <TextField
              key={row.warehouseProductId}
              label={stock.length === 1 ? words.quantity : words.quantityOf(nameOf(row))}
              help={i === 0 ? words.adjustHelp : undefined}
              type="number"
              value={quantities[row.warehouseProductId] ?? ''}
              onChange={text => setQuantities({ ...quantities, [row.warehouseProductId]: text })}
              fault={faults.at(`adjustments[${i}].quantity`)}
            />
          ))}
          <TextField
            label={words.reason}
            value={reason}
            onChange={setReason}
            fault={faults.at('reason')}
            isRequired
          />
        </>
      )}
    </ActDialog>
  )
}

const nameOf = (row: Stock) => words.nameOf(row.partnerProductCode, row.warehouseLocationName)

/** A kind of hold that somebody chose. */
export const holdKindOf = (text: string) =>
  Object.values(HoldKind).find(kind => String(kind) === text) ?? HoldKind.General

function HoldDialog({ stock, ...props }: DialogProps) {
  const [kind, setKind] = useState(String(HoldKind.Quality))
  const [reason, setReason] = useState('')
  const [reference, setReference] = useState('')
  const [releaseAllocations, setRelease] = useState(false)
  const body = {
    ...{ kind: holdKindOf(kind), reason: reason.trim(), releaseAllocations },
    reference: reference.trim() || null,
    stock: stock.map(({ warehouseProductId }) => ({ warehouseProductId })),
  }
  return (
    <ActDialog
      act={words.hold}
      method="post"
      path="/v1/inventory/holds"
      request={{ body }}
      isComplete={body.reason !== ''}
      done={words.onHold(stock.length)}
      changes={stockPaths}
      {...props}
    >
      {faults => (
        <>
          <SelectField label={words.holdKind} value={kind} onChange={setKind} options={holdKindOptions} />
          <TextField
            label={words.reason}
            value={reason}
            onChange={setReason}
            fault={faults.at('reason')}
            isRequired
          />
          <TextField
            label={words.reference}
            value={reference}
            onChange={setReference}
            fault={faults.at('reference')}
          />
          <SwitchField label={words.releaseAllocations} isOn={releaseAllocations} onChange={setRelease} />
        </>
      )}
    </ActDialog>
  )
}

function ChangeDialog({ stock, ...props }: DialogProps) {
  const [values, setValues] = useState<Partial<Record<'batch' | GoodsDate, string>>>({})
  const [reason, setReason] = useState('')
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
  const adjustments = stock.map(({ warehouseProductId }) => ({ warehouseProductId, ...given }))
  const field = (name: keyof typeof values, faults: Faults) => ({
    fault: faults.at(`adjustments[0].${name}`),
    value: values[name] ?? '',
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  })
  return (
    <ActDialog
      act={words.changeBatch}
      method="post"
      path="/v1/inventory/adjust-attributes"
      request={{ body: { adjustments, reason: reason.trim() } }}
      isComplete={Object.keys(given).length > 0 && reason.trim() !== ''}
      done={words.changed(stock.length)}
      changes={stockPaths}
      {...props}
    >
      {faults => (
        <>
          <TextField label={words.batch} help={words.unchangedField} {...field('batch', faults)} />
          {goodsDates.map(name => (
            <TextField key={name} label={dateWords[name]} type="date" {...field(name, faults)} />
          ))}
          <TextField
            label={words.reason}
            value={reason}
            onChange={setReason}
            fault={faults.at('reason')}
            isRequired
          />
        </>
      )}
    </ActDialog>
  )
}
