// Labels: of a unit, or of what is selected in the list of stock. They go to a printer; a single one can also
// be kept as a file.

import { useState } from 'react'
import { PrinterAvailability, PrintType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import type { Choice } from '../../suggestions.ts'
import { stockWords as words } from '../../words/stock.ts'
import { usePrinters } from '../consignments/print-dialog.tsx'

/** Where labels go, as requests say it. */
interface PrintOption {
  printerId: string
  copies: number
}

const maxCopies = 99

interface LabelDialogProps {
  /** the words of the act */
  act: string
  /** what can be labelled, where there is a choice */
  kinds?: { options: readonly Choice[]; value: string; onChange: (value: string) => void }
  /** sends the labels; returns how many */
  print: (printOption: PrintOption) => Promise<number>
  /** keeps the label as a file */
  onDownload?: () => void
  onClose: () => void
}

export function LabelDialog({ act, kinds, print, onDownload, onClose }: LabelDialogProps) {
  const { printers, usual } = usePrinters(PrintType.Label)
  const [chosen, setChosen] = useState('')
  const [copies, setCopies] = useState('1')
  const printerId = printers?.find(({ id }) => id === chosen)?.id ?? usual
  const number = Number(copies)
  const isComplete = printerId !== '' && Number.isInteger(number) && number >= 1 && number <= maxCopies
  return (
    <Confirm
      act={act}
      isDisabled={!isComplete}
      reasonsOf={reasonsOf}
      onClose={onClose}
      onConfirm={async () => {
        const sent = await print({ printerId, copies: number })
        notify({ text: words.labelsSent(sent, printers?.find(({ id }) => id === printerId)?.name ?? '') })
        await readAgain('/v1/print-jobs')
      }}
    >
      {kinds !== undefined && (
        <SelectField
          label={words.labelsOf}
          value={kinds.value}
          onChange={kinds.onChange}
          options={kinds.options}
        />
      )}
      {printers?.length === 0 ? (
        <p>{words.noLabelPrinter}</p>
      ) : (
        <SelectField
          label={words.printer}
          value={printerId}
          onChange={setChosen}
          options={(printers ?? []).map(({ id, name, status }) => ({
            value: id,
            text: status === PrinterAvailability.Online ? name : words.offline(name),
          }))}
        />
      )}
      <TextField label={words.copies} type="number" value={copies} onChange={setCopies} />
      {onDownload !== undefined && (
        <span>
          <Button onPress={onDownload}>{words.download}</Button>
        </span>
      )}
    </Confirm>
  )
}

/** What is labelled, as far as labels need it. */
interface Labelled {
  partnerId: string
  partnerProductId: string
  warehouseId: string
  warehouseLocationId: string
  batch: string | null
  expiryDate: string | null
  unit: { warehouseLogisticUnitId: string } | null
}

type LabelKind = 'units' | 'products' | 'places'

const distinct = <T,>(rows: readonly T[], keyOf: (row: T) => string): T[] => [
  ...new Map(rows.map(row => [keyOf(row), row])).values(),
]

/** Sends the labels of a kind for these rows: one for each unit, product with its batch, or place. */
async function printLabels(
  kind: LabelKind,
  stock: readonly Labelled[],
  printOption: PrintOption,
): Promise<number> {
  if (kind === 'places') {
    const places = [...new Set(stock.map(({ warehouseLocationId }) => warehouseLocationId))]
    await send('post', '/v1/warehouses/{warehouseId}/locations/labels/print', {
      path: { warehouseId: stock[0]?.warehouseId ?? '' },
      body: { printOption, warehouseLocationIds: places },
    })
    return places.length
  }
  if (kind === 'units') {
    const units = [...new Set(stock.flatMap(({ unit }) => unit?.warehouseLogisticUnitId ?? []))]
    // One after the other, so that they come out of the printer in the order of the list.
    for (const logisticUnitId of units)
      await send('post', '/v1/logistic-units/{logisticUnitId}/label/print', {
        path: { logisticUnitId },
        body: { printOption },
      })
    return units.length
  }
  const products = distinct(stock, ({ partnerProductId, batch, expiryDate }) =>
    JSON.stringify([partnerProductId, batch, expiryDate]),
  )
  for (const { partnerId, partnerProductId, batch, expiryDate } of products)
    await send('post', '/v1/partners/{partnerId}/products/{partnerProductId}/label/print', {
      path: { partnerId, partnerProductId },
      body: { printOption, batch, expiryDate },
    })
  return products.length
}

/** The dialog for the selected rows of stock, which are in one warehouse. */
export function StockLabels({ stock, onClose }: { stock: readonly Labelled[]; onClose: () => void }) {
  const units = stock.some(({ unit }) => unit !== null) ? (['units'] as const) : []
  const kinds = [...units, 'products', 'places'] as const
  const [kind, setKind] = useState<LabelKind>(kinds[0] ?? 'products')
  return (
    <LabelDialog
      act={words.labels}
      kinds={{
        value: kind,
        onChange: value => setKind(kinds.find(one => one === value) ?? kind),
        options: kinds.map(value => ({ value, text: words.labelKind[value] })),
      }}
      print={printOption => printLabels(kind, stock, printOption)}
      onClose={onClose}
    />
  )
}
