// The form of a unit chain: each unit, what it holds of which other one, and its codes.

import { useState } from 'react'
import { MetricType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import type { Faults } from '../../faults.ts'
import { Conflict, useEdited } from '../../frame/Conflict.tsx'
import { FormActs } from '../../frame/RecordForm.tsx'
import formStyles from '../../frame/record-form.module.css'
import { productWords as words } from '../../words/products.ts'
import { words as shared } from '../../words.ts'
import { changeProduct, type Product } from './product.tsx'
import { useUnitTypes } from './product-fields.ts'
import styles from './unit-chain.module.css'

/** A unit as typed: `item`, `pallet`, or the id of a unit type. */
interface Row {
  id: number
  unit: string
  rate: string
  of: string
  barcode: string
  gtin: string
}

const [item, pallet] = ['item', 'pallet']

const keyOf = (metricType: number, unitType: { id: string } | null) =>
  metricType === MetricType.Item
    ? item
    : metricType === MetricType.VirtualPallet
      ? pallet
      : (unitType?.id ?? '')

const rowsOf = ({ unitConversions }: Product): readonly Row[] =>
  unitConversions.map((step, id) => ({
    ...{ id, unit: keyOf(step.inputMetricType, step.inputUnitType), rate: String(step.conversionRate) },
    ...{ of: keyOf(step.outputMetricType, step.outputUnitType) },
    ...{ barcode: step.barcode ?? '', gtin: step.gtin ?? '' },
  }))

const unitOf = (key: string) =>
  key === item
    ? { metricType: MetricType.Item, id: null }
    : key === pallet
      ? { metricType: MetricType.VirtualPallet, id: null }
      : { metricType: MetricType.UnitType, id: key }

function stepOf({ unit, rate, of, barcode, gtin }: Row) {
  const [input, output] = [unitOf(unit), unitOf(of)]
  return {
    ...{ inputMetricType: input.metricType, inputUnitTypeId: input.id },
    ...{ outputMetricType: output.metricType, outputUnitTypeId: output.id },
    ...{ conversionRate: Number(rate), barcode: barcode.trim() || null, gtin: gtin.trim() || null },
  }
}

export function EditUnits({
  partnerId,
  product,
  onClose,
}: {
  partnerId: string
  product: Product
  onClose: () => void
}) {
  const units = useUnitTypes()
  // Who opens the form of a product without units wants to give it its first.
  const [rows, setRows] = useState(() =>
    product.unitConversions.length > 0 ? rowsOf(product) : [nextRow([], units)],
  )
  const edited = useEdited(product, '/v1/partners/{partnerId}/products/{partnerProductId}', async ifMatch => {
    const body = { unitConversions: rows.map(stepOf) }
    const { hasChanged } = await changeProduct({ partnerId, product }, body, ifMatch)
    notify({ text: hasChanged ? words.saved(product.code) : shared.unchanged })
    onClose()
  })
  return (
    <form
      className={formStyles.form}
      onSubmit={event => {
        event.preventDefault()
        edited.save()
      }}
    >
      <div className={styles.rows}>
        {rows.map((row, i) => (
          <UnitRow
            key={row.id}
            row={row}
            index={i}
            units={units}
            faults={edited.faults}
            onChange={next => setRows(rows.with(i, next))}
            onRemove={() => setRows(rows.toSpliced(i, 1))}
          />
        ))}
      </div>
      <div>
        <Button onPress={() => setRows([...rows, nextRow(rows, units)])}>{words.addUnit}</Button>
      </div>
      <Refusal reasons={edited.faults.all} />
      <FormActs onClose={onClose} />
      <Conflict
        edited={edited}
        versions={[
          { label: words.unitChain, mine: textOf(rows, units), theirs: textOf(rowsOf(product), units) },
        ]}
        onClose={onClose}
      />
    </form>
  )
}

type Units = ReturnType<typeof useUnitTypes>

/** A unit that holds some of the last one. */
function nextRow(rows: readonly Row[], units: Units): Row {
  const id = Math.max(-1, ...rows.map(row => row.id)) + 1
  const unit = units.find(({ value }) => rows.every(row => row.unit !== value))?.value ?? pallet
  return { id, unit, rate: '', of: rows.at(-1)?.unit ?? item, barcode: '', gtin: '' }
}

const nameIn = (units: Units, key: string) =>
  key === item
    ? words.item
    : key === pallet
      ? words.virtualPallet
      : (units.find(({ value }) => value === key)?.text ?? words.nothing)

const textOf = (rows: readonly Row[], units: Units) =>
  rows.map(({ unit, rate, of }) => `${nameIn(units, unit)}: ${rate} × ${nameIn(units, of)}`).join(', ')

interface UnitRowProps {
  row: Row
  index: number
  units: Units
  faults: Faults
  onChange: (row: Row) => void
  onRemove: () => void
}

function UnitRow({ row, index, units, faults, onChange, onRemove }: UnitRowProps) {
  const field = (name: 'unit' | 'rate' | 'of' | 'barcode' | 'gtin', path: string) => ({
    ...{ value: row[name], fault: faults.at(`unitConversions[${index}].${path}`) },
    onChange: (value: string) => onChange({ ...row, [name]: value }),
  })
  const all = [...units, { value: pallet, text: words.virtualPallet }]
  return (
    <fieldset className={styles.row}>
      <legend>{words.unitRow(index + 1)}</legend>
      <SelectField label={words.unit} options={all} {...field('unit', 'inputUnitTypeId')} />
      <TextField label={words.holdsField} type="number" isRequired {...field('rate', 'conversionRate')} />
      <SelectField
        label={words.of}
        options={[{ value: item, text: words.item }, ...all]}
        {...field('of', 'outputUnitTypeId')}
      />
      <TextField label={words.barcode} {...field('barcode', 'barcode')} />
      <TextField label={words.gtin} {...field('gtin', 'gtin')} />
      <div>
        <Button kind="quiet" label={words.removeUnit(index + 1)} onPress={onRemove}>
          {words.remove}
        </Button>
      </div>
    </fieldset>
  )
}
