// The dialog that prints the label of a product.

import { useState } from 'react'
import { PrintType } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { productWords as words } from '../../words/products.ts'
import { usePrinters } from '../consignments/print-dialog.tsx'
import type { Product } from './product.tsx'

const maxCopies = 99

export function PrintLabel({
  partnerId,
  product: { id: partnerProductId, code },
  onClose,
}: {
  partnerId: string
  product: Product
  onClose: () => void
}) {
  const { printers, usual } = usePrinters(PrintType.Label)
  const [chosen, setChosen] = useState('')
  const [copies, setCopies] = useState('1')
  const printer = printers?.find(({ id }) => id === (chosen || usual))
  const n = Number(copies)
  return (
    <Confirm
      act={words.printLabel}
      onClose={onClose}
      isDisabled={printer === undefined || !Number.isInteger(n) || n < 1 || n > maxCopies}
      reasonsOf={reasonsOf}
      onConfirm={async () => {
        await send('post', '/v1/partners/{partnerId}/products/{partnerProductId}/label/print', {
          path: { partnerId, partnerProductId },
          body: { printOption: { printerId: printer?.id ?? '', copies: n } },
        })
        notify({ text: words.printed(code, printer?.name ?? '') })
        await readAgain('/v1/print-jobs')
      }}
    >
      {printers?.length === 0 ? (
        <p>{words.noPrinter}</p>
      ) : (
        <SelectField
          label={words.printer}
          value={printer?.id ?? ''}
          onChange={setChosen}
          options={(printers ?? []).map(({ id, name }) => ({ value: id, text: name }))}
        />
      )}
      <TextField label={words.copies} type="number" value={copies} onChange={setCopies} />
    </Confirm>
  )
}
