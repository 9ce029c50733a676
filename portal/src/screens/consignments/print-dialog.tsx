// The dialog Print: which paper of a consignment, on which printer, how many copies.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PrinterAvailability } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { read, send } from '../../api.ts'
import { hasScope, kindOf, type Me } from '../../me.ts'
import { type Paper, papersOf, printTypeOf } from '../../papers.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'

/** Whether this person may print on the printers of the warehouse. */
export const mayPrint = (me: Me): boolean => hasScope(me, 'print') && kindOf(me) === 'staff'

/** The printers for a type of paper, and the one that is chosen unless a person chooses another. */
export function usePrinters(type: number) {
  const { data } = useQuery(read('/v1/printer-bridges/printer/options'))
  const printers = data?.printers.filter(printer => printer.type === type)
  const online = printers?.find(({ status }) => status === PrinterAvailability.Online)
  return { printers, usual: (online ?? printers?.[0])?.id ?? '' }
}

/** Sends a paper to a printer. */
function print(paper: Paper, consignmentId: string, printerId: string, copies: number) {
  const path = { consignmentId }
  const option = { printerId, copies }
  return paper === 'dg-declaration-pdf'
    ? send('post', '/v1/consignments/{consignmentId}/dg-declaration-pdf/print', { path, body: option })
    : send('post', `/v1/consignments/{consignmentId}/${paper}/print`, { path, body: { printOption: option } })
}

const maxCopies = 99

export function PrintDialog({
  consignment,
  paper: first,
  onClose,
}: {
  consignment: Consignment
  /** the paper that was asked for */
  paper?: Paper | undefined
  onClose: () => void
}) {
  const papers = papersOf(consignment)
  const [paper, setPaper] = useState(first ?? papers[0] ?? 'detail-pdf')
  const [chosen, setChosen] = useState('')
  const [copies, setCopies] = useState('1')
  const { printers, usual } = usePrinters(printTypeOf(paper))
  const printerId = printers?.find(printer => printer.id === chosen)?.id ?? usual
  const number = Number(copies)
  const isComplete = printerId !== '' && Number.isInteger(number) && number >= 1 && number <= maxCopies
  return (
    <Confirm
      act={words.print}
      isDisabled={!isComplete}
      reasonsOf={reasonsOf}
      onClose={onClose}
      onConfirm={async () => {
        await print(paper, consignment.id, printerId, number)
        const name = printers?.find(printer => printer.id === printerId)?.name ?? ''
        notify({ text: words.printed(words.document[paper], name) })
        await readAgain('/v1/print-jobs')
      }}
    >
      <SelectField
        label={words.paper}
        value={paper}
        onChange={value => setPaper(papers.find(one => one === value) ?? paper)}
        options={papers.map(value => ({ value, text: words.document[value] }))}
      />
      {printers?.length === 0 ? (
        <p>{words.noPrinterFor(words.document[paper])}</p>
      ) : (
        <SelectField
          label={words.printer}
          value={printerId}
          onChange={setChosen}
          options={(printers ?? []).map(printer => ({
            value: printer.id,
            text: printer.status === PrinterAvailability.Online ? printer.name : words.offline(printer.name),
          }))}
        />
      )}
      <TextField label={words.copies} type="number" value={copies} onChange={setCopies} />
    </Confirm>
  )
}
