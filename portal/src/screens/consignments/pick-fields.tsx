// What a person fills in when they confirm picks, of a consignment or of a wave, and the picks that this
// makes.

import { useState } from 'react'
import { TextField } from '../../../../ui/Field.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import type { Faults } from '../../faults.ts'
import { pickWords as words } from '../../words/pick.ts'
import {
  AmountFields,
  amountsOf,
  type Countable,
  hasSerials,
  type Naming,
  PlaceField,
  type Typed,
} from './pick-amounts.tsx'

interface PickFields<Row, Source> {
  rows: readonly Row[]
  naming: Naming<Row>
  /** how a command names the row */
  sourceOf: (row: Row) => Source
}

/** More fields than these would hide what the dialog says. */
export const maxFields = 12

/** Each row as it stands, or with another quantity; those with a quantity of 0 are left out. */
export function useConfirmation<Row extends Countable, Source extends object>({
  rows,
  naming,
  sourceOf,
  warehouseId,
  dock,
}: PickFields<Row, Source> & { warehouseId: string | null; dock: string | null }) {
  const [typed, setTyped] = useState<Typed>({})
  const [place, setPlace] = useState('')
  const amounts = amountsOf(rows, typed, naming.idOf)
  const target = place.trim() === '' ? {} : { toLocationName: place.trim() }
  const picks = amounts.flatMap(({ row, ...amount }) =>
    amount.quantity === 0 ? [] : [{ ...sourceOf(row), ...amount, ...target }],
  )
  const isMany = rows.length > maxFields
  return {
    picks,
    isComplete: picks.length > 0 && amounts.length === rows.length,
    fields: (faults: Faults) => (
      <>
        {isMany && <p>{words.asItStands(rows.length)}</p>}
        <AmountFields
          {...{ naming, typed, faults }}
          rows={isMany ? rows.filter(hasSerials) : rows}
          labelOf={words.pickedOf}
          onType={setTyped}
          array="picks"
        />
        <PlaceField
          warehouseId={warehouseId}
          help={words.dockHelp(dock)}
          value={place}
          onChange={setPlace}
          fault={faults.at('picks[0].toLocationName')}
        />
      </>
    ),
  }
}

const nothingOf = (row: Countable) => (hasSerials(row) ? '' : '0')

/** How much was found of each row; the rest is missing. */
export function useShortage<Row extends Countable, Source extends object>({
  rows,
  naming,
  sourceOf,
}: PickFields<Row, Source>) {
  const [typed, setTyped] = useState<Typed>({})
  const [reason, setReason] = useState('')
  const [reallocate, setReallocate] = useState(true)
  const amounts = amountsOf(rows, typed, naming.idOf, nothingOf)
  const picks = amounts.map(({ row, ...amount }) => ({
    ...{ ...sourceOf(row), ...amount, isShort: true, reallocate },
    reason: reason.trim() || null,
  }))
  return {
    picks,
    isComplete: picks.length > 0 && amounts.length === rows.length,
    fields: (faults: Faults) => (
      <>
        <AmountFields
          {...{ rows, naming, typed, faults }}
          labelOf={words.foundOf}
          onType={setTyped}
          otherwise={nothingOf}
          array="picks"
        />
        <TextField
          label={words.reason}
          value={reason}
          onChange={setReason}
          maxLength={500}
          fault={faults.at('picks[0].reason')}
        />
        <SwitchField
          label={words.reallocate}
          help={words.reallocateHelp}
          isOn={reallocate}
          onChange={setReallocate}
        />
      </>
    ),
  }
}
