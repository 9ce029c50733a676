// The dialogs of what is to be picked: Confirm, and Short where less is found than was expected.

import { useState } from 'react'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { TextField } from '../../../../ui/Field.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { pickWords as words } from '../../words/pick.ts'
import { stockPaths } from '../inventory/stock-acts.tsx'
import type { Consignment } from './consignment.tsx'
import {
  type AllocatedStock,
  AmountFields,
  amountsOf,
  hasSerials,
  PlaceField,
  sourceOf,
  type Typed,
} from './pick-amounts.tsx'

/** What the acts of picking change. */
export const pickPaths = [...stockPaths, '/v1/jobs']

export interface PickDialogProps {
  consignment: Consignment
  rows: readonly AllocatedStock[]
  onClose: () => void
  onDone: () => void
}

/** More fields than these would hide what the dialog says. */
const maxFields = 12

/** Confirms these picks, each as it stands or with another quantity. */
export function ConfirmPicks({
  consignment: { id, warehouseId },
  rows,
  dock,
  onDone,
  onAllPicked,
  ...props
}: PickDialogProps & { dock: string | null; onAllPicked: () => void }) {
  const [typed, setTyped] = useState<Typed>({})
  const [place, setPlace] = useState('')
  const amounts = amountsOf(rows, typed)
  const picks = amounts.flatMap(({ row, ...amount }) =>
    amount.quantity === 0
      ? []
      : [{ ...sourceOf(row), ...amount, ...(place.trim() === '' ? {} : { toLocationName: place.trim() }) }],
  )
  const isMany = rows.length > maxFields
  return (
    <ActDialog
      act={words.confirm}
      method="post"
      path="/v1/consignments/{consignmentId}/pick"
      request={{ path: { consignmentId: id }, body: { picks } }}
      isComplete={picks.length > 0 && amounts.length === rows.length}
      done={words.confirmed(picks.length)}
      changes={pickPaths}
      {...props}
      onDone={({ data }) => (isAllPicked(data) ? onAllPicked() : onDone())}
    >
      {faults => (
        <>
          {isMany && <p>{words.asItStands(rows.length)}</p>}
          <AmountFields
            rows={isMany ? rows.filter(hasSerials) : rows}
            labelOf={words.pickedOf}
            typed={typed}
            onType={setTyped}
            faults={faults}
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
      )}
    </ActDialog>
  )
}

/** Whether the answer to a pick says that nothing more is allocated. */
const isAllPicked = (answer: unknown) =>
  (answer as { consignmentProducts: Schemas['AllocatedLine'][] }).consignmentProducts.every(
    ({ allocated }) => allocated === 0,
  )

/** Reports that less was found: the rest goes on hold, and other stock is allocated instead. */
export function ShortPick({ consignment: { id }, rows, ...props }: PickDialogProps) {
  const [typed, setTyped] = useState<Typed>({})
  const [reason, setReason] = useState('')
  const [reallocate, setReallocate] = useState(true)
  const nothing = (row: AllocatedStock) => (hasSerials(row) ? '' : '0')
  const amounts = amountsOf(rows, typed, nothing)
  const picks = amounts.map(({ row, ...amount }) => ({
    ...{ ...sourceOf(row), ...amount, isShort: true, reallocate },
    reason: reason.trim() || null,
  }))
  return (
    <ActDialog
      act={words.shortPick}
      method="post"
      path="/v1/consignments/{consignmentId}/pick"
      request={{ path: { consignmentId: id }, body: { picks } }}
      isComplete={amounts.length === rows.length}
      done={words.shortDone}
      changes={pickPaths}
      {...props}
    >
      {faults => (
        <>
          <AmountFields
            rows={rows}
            labelOf={words.foundOf}
            typed={typed}
            onType={setTyped}
            otherwise={nothing}
            faults={faults}
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
      )}
    </ActDialog>
  )
}
