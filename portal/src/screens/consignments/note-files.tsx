// The files of a note, for download and for print.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { type Got, get, read } from '../../api.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import { download } from './documents.tsx'
import { mayPrint, usePrinters } from './print-dialog.tsx'

const notePath = '/v1/consignments/{consignmentId}/notes/{consignmentNoteId}'
type NoteFile = Got<typeof notePath>['attachments'][number]

const pathOf = (consignmentId: string, noteId: string, { id }: NoteFile) =>
  `/v1/consignments/${consignmentId}/notes/${noteId}/attachments/${id}`

export function NoteFiles({ consignmentId, noteId }: { consignmentId: string; noteId: string }) {
  const isPrinter = mayPrint(useMe())
  const [printing, setPrinting] = useState<NoteFile>()
  const { data } = useQuery(read(notePath, { path: { consignmentId, consignmentNoteId: noteId } }))
  return (
    <ul className={styles.files}>
      {data?.attachments.map(file => (
        <li key={file.id} data-id={file.id}>
          <span>{file.fileName}</span>
          <Button
            kind="quiet"
            label={words.downloadOf(file.fileName)}
            onPress={() => void download(`${pathOf(consignmentId, noteId, file)}/file`, file.fileName)}
          >
            {words.download}
          </Button>
          {isPrinter && (
            <Button kind="quiet" label={words.printOf(file.fileName)} onPress={() => setPrinting(file)}>
              {words.print}
            </Button>
          )}
        </li>
      ))}
      {printing !== undefined && (
        <PrintFile {...{ consignmentId, noteId, file: printing }} onClose={() => setPrinting(undefined)} />
      )}
    </ul>
  )
}

interface PrintFileProps {
  consignmentId: string
  noteId: string
  file: NoteFile
  onClose: () => void
}

function PrintFile({ consignmentId, noteId, file, onClose }: PrintFileProps) {
  const [chosen, setChosen] = useState('')
  const { printers, usual } = usePrinters(file.printType ?? PrintType.Document)
  const printerId = chosen || usual
  return (
    <Confirm
      act={words.printOf(file.fileName)}
      isDisabled={printerId === ''}
      reasonsOf={reasonsOf}
      onClose={onClose}
      onConfirm={async () => {
        await get(`${pathOf(consignmentId, noteId, file)}/print`, { query: { PrinterId: printerId } })
        notify({
          text: words.printed(file.fileName, printers?.find(({ id }) => id === printerId)?.name ?? ''),
        })
        await readAgain('/v1/print-jobs')
      }}
    >
      {printers?.length === 0 ? (
        <p>{words.noPrinterFor(file.fileName)}</p>
      ) : (
        <SelectField
          label={words.printer}
          value={printerId}
          onChange={setChosen}
          options={(printers ?? []).map(({ id, name }) => ({ value: id, text: name }))}
        />
      )}
    </Confirm>
  )
}
