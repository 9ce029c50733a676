// The dialogs of what is picked: Unpick puts goods back, Stage moves them to another dock or onto a unit.

import { useState } from 'react'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { pickWords as words } from '../../words/pick.ts'
import {
  AmountFields,
  allocationNaming,
  amountsOf,
  PlaceField,
  sourceOf,
  type Typed,
} from './pick-amounts.tsx'
import { type PickDialogProps, pickPaths } from './pick-dialogs.tsx'
import { maxFields } from './pick-fields.tsx'

/** Puts picked goods back, by default to where they were. */
export function Unpick({ consignment: { id, warehouseId }, rows, ...props }: PickDialogProps) {
  const [typed, setTyped] = useState<Typed>({})
  const [place, setPlace] = useState('')
  const [release, setRelease] = useState(false)
  const amounts = amountsOf(rows, typed, allocationNaming.idOf)
  const unpicks = amounts.flatMap(({ row, ...amount }) =>
    amount.quantity === 0
      ? []
      : [
          {
            ...{ ...sourceOf(row), ...amount, release },
            ...(place.trim() === '' ? {} : { toLocationName: place.trim() }),
          },
        ],
  )
  return (
    <ActDialog
      act={words.unpick}
      method="post"
      path="/v1/consignments/{consignmentId}/unpick"
      request={{ path: { consignmentId: id }, body: { unpicks } }}
      isComplete={unpicks.length > 0 && amounts.length === rows.length}
      done={words.unpicked}
      changes={pickPaths}
      {...props}
    >
      {faults => (
        <>
          <AmountFields
            rows={rows}
            naming={allocationNaming}
            labelOf={words.quantityOf}
            typed={typed}
            onType={setTyped}
            faults={faults}
            array="unpicks"
          />
          <PlaceField
            warehouseId={warehouseId}
            help={words.originHelp}
            value={place}
            onChange={setPlace}
            fault={faults.at('unpicks[0].toLocationName')}
          />
          <SwitchField label={words.release} isOn={release} onChange={setRelease} />
        </>
      )}
    </ActDialog>
  )
}

type Onto = 'asTheyAre' | 'loose' | 'newUnit' | 'knownUnit'
const ontos: readonly Onto[] = ['asTheyAre', 'loose', 'newUnit', 'knownUnit']

/** The unit that goods are put on, as the API takes it. */
function unitOf(onto: Onto, sscc: string) {
  const ssccNumber = sscc.trim() || null
  if (onto === 'asTheyAre') return {}
  if (onto === 'loose') return { toLogisticUnit: null }
  return { toLogisticUnit: onto === 'newUnit' ? { isNew: true, ssccNumber } : { ssccNumber } }
}

/** The amounts that are staged: all of the rows, or what was typed of each, if they are few enough to see. */
function useStaged(rows: PickDialogProps['rows']) {
  const [typed, setTyped] = useState<Typed>({})
  const isMany = rows.length > maxFields
  const amounts = amountsOf(rows, typed, allocationNaming.idOf)
  const lines = amounts.flatMap(({ row, ...amount }) =>
    amount.quantity === 0 ? [] : [{ ...sourceOf(row), ...amount }],
  )
  return {
    lines: isMany ? rows.map(sourceOf) : lines,
    isComplete: isMany || (lines.length > 0 && amounts.length === rows.length),
    fields: (faults: Faults) =>
      !isMany && (
        <AmountFields
          {...{ rows, typed, faults }}
          naming={allocationNaming}
          labelOf={words.quantityOf}
          onType={setTyped}
          array="lines"
        />
      ),
  }
}

/** Moves picked goods, or a part of them, to another dock, or onto a unit there. */
export function Stage({ consignment: { id, warehouseId }, rows, ...props }: PickDialogProps) {
  const [place, setPlace] = useState('')
  const [onto, setOnto] = useState<Onto>('asTheyAre')
  const [sscc, setSscc] = useState('')
  const { lines, isComplete, fields } = useStaged(rows)
  const body = { toLocationName: place.trim(), ...unitOf(onto, sscc), lines }
  return (
    <ActDialog
      act={words.stage}
      method="post"
      path="/v1/consignments/{consignmentId}/stage"
      request={{ path: { consignmentId: id }, body }}
      isComplete={isComplete && place.trim() !== '' && (onto !== 'knownUnit' || sscc.trim() !== '')}
      done={words.staged(body.toLocationName)}
      changes={pickPaths}
      {...props}
    >
      {faults => (
        <>
          {fields(faults)}
          <PlaceField
            warehouseId={warehouseId}
            value={place}
            onChange={setPlace}
            fault={faults.at('toLocationName')}
            isRequired
          />
          <SelectField
            label={words.onto}
            value={onto}
            onChange={value => setOnto(ontos.find(one => one === value) ?? 'asTheyAre')}
            options={ontos.map(value => ({ value, text: words[value] }))}
          />
          {(onto === 'newUnit' || onto === 'knownUnit') && (
            <TextField
              label={words.sscc}
              help={onto === 'newUnit' ? words.ssccOptional : undefined}
              value={sscc}
              onChange={setSscc}
              maxLength={18}
              isRequired={onto === 'knownUnit'}
              fault={faults.at('toLogisticUnit.ssccNumber')}
            />
          )}
        </>
      )}
    </ActDialog>
  )
}
