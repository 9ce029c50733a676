// The dialog that prints the labels of places: of those that are selected, or of a zone.

import { useState } from 'react'
import { PrinterAvailability, PrintType } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import type { LocationRow } from '../../lists/warehouses.tsx'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { warehouseWords as words } from '../../words/warehouses.ts'
import { usePrinters } from '../consignments/print-dialog.tsx'
import { useZoneOptions } from './zones.tsx'

const sizes = ['100x50', '100x150', 'A4-3x8'] as const
type Size = (typeof sizes)[number]

interface LabelsDialogProps {
  warehouseId: string
  selected: readonly LocationRow[]
  onClose: () => void
}

export function LabelsDialog({ warehouseId, selected, onClose }: LabelsDialogProps) {
  const zones = useZoneOptions(warehouseId)
  const [chosenZone, setZone] = useState('')
  const [size, setSize] = useState<Size>('100x50')
  const [chosen, setChosen] = useState('')
  const [copies, setCopies] = useState('1')
  const { printers, usual } = usePrinters(size === 'A4-3x8' ? PrintType.Document : PrintType.Label)
  const printer = printers?.find(({ id }) => id === chosen) ?? printers?.find(({ id }) => id === usual)
  const zone = chosenZone || (zones[0]?.value ?? '')
  const isOfSelected = selected.length > 0
  return (
    <Confirm
      act={words.labels}
      onClose={onClose}
      isDisabled={printer === undefined || (!isOfSelected && zone === '') || !(Number(copies) >= 1)}
      reasonsOf={reasonsOf}
      onConfirm={async () => {
        await send('post', '/v1/warehouses/{warehouseId}/locations/labels/print', {
          path: { warehouseId },
          body: {
            ...{ size, printOption: { printerId: printer?.id ?? '', copies: Number(copies) } },
            ...(isOfSelected
              ? { warehouseLocationIds: selected.map(({ id }) => id) }
              : { warehouseZoneId: zone }),
          },
        })
        notify({ text: words.labelsSent(printer?.name ?? '') })
        await readAgain('/v1/print-jobs')
      }}
    >
      {isOfSelected ? (
        <p>{words.selected(selected.length)}</p>
      ) : zones.length === 0 ? (
        <p>{words.nothingToLabel}</p>
      ) : (
        <SelectField
          label={words.labelsOf}
          value={zone}
          onChange={setZone}
          options={zones.map(({ value, text }) => ({ value, text: words.wholeZone(text) }))}
        />
      )}
      <SelectField
        label={words.size}
        value={size}
        onChange={value => setSize(sizes.find(one => one === value) ?? size)}
        options={sizes.map(value => ({ value, text: words.sizeOf(value) }))}
      />
      <PrinterField printers={printers} value={printer?.id ?? ''} onChange={setChosen} />
      <TextField label={words.copies} type="number" value={copies} onChange={setCopies} />
    </Confirm>
  )
}

const PrinterField = ({
  printers,
  value,
  onChange,
}: {
  printers: ReturnType<typeof usePrinters>['printers']
  value: string
  onChange: (id: string) => void
}) =>
  printers?.length === 0 ? (
    <p>{words.noPrinter}</p>
  ) : (
    <SelectField
      label={words.printer}
      value={value}
      onChange={onChange}
      options={(printers ?? []).map(({ id, name, status }) => ({
        value: id,
        text: status === PrinterAvailability.Online ? name : words.offline(name),
      }))}
    />
  )
