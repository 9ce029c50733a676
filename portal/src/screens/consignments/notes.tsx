// Region Notes, with the form that adds one.

import { useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { FileField } from '../../../../ui/FileField.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { faultOfFile, uploadOf } from '../../files.ts'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { NoteFiles } from './note-files.tsx'

/** Whether the person may add a note: a client's before the warehouse begins, a driver's until the end. */
export function mayNote(me: Me, status: number): boolean {
  const { Draft, Pending, Closed } = ConsignmentStatus
  if (!hasScope(me, 'consignment')) return false
  if (kindOf(me) === 'client') return status === Draft || status === Pending
  return kindOf(me) === 'staff' || status !== Closed
}

export function Notes({
  consignment: { id, notes, status },
  isAdding,
  setAdding,
}: {
  consignment: Consignment
  isAdding: boolean
  setAdding: (isAdding: boolean) => void
}) {
  const me = useMe()
  const mayAdd = mayNote(me, status)
  // Only the house decides what its papers say.
  const isStaff = kindOf(me) === 'staff'
  const isClosed = status === ConsignmentStatus.Closed
  return (
    <Region
      heading={words.notes}
      summary={notes.length || undefined}
      acts={
        mayAdd &&
        kindOf(me) !== 'carrier' &&
        !isAdding && (
          <Button kind="quiet" hint="N" onPress={() => setAdding(true)}>
            {words.addNote}
          </Button>
        )
      }
    >
      {isAdding && <NewNote consignmentId={id} onClose={() => setAdding(false)} />}
      {notes.length === 0 && !isAdding ? (
        <Nothing text={words.noNotes} />
      ) : (
        <Rows>
          {notes.map(note => (
            <NoteRow
              key={note.id}
              {...{ consignmentId: id, note }}
              isFixed={!mayAdd || !isStaff || isClosed}
            />
          ))}
        </Rows>
      )}
    </Region>
  )
}

interface NoteProps {
  consignmentId: string
  note: Consignment['notes'][number]
}

/** A note with its files. Of one that is fixed nobody may change whether papers have it. */
const NoteRow = ({ consignmentId, note, isFixed }: NoteProps & { isFixed: boolean }) => (
  <li data-id={note.id}>
    <div>
      {note.note}
      {note.attachmentCount > 0 && <NoteFiles consignmentId={consignmentId} noteId={note.id} />}
    </div>
    {isFixed ? (
      <span className={styles.quiet}>{note.displayOnPrintOut ? words.onPapers : words.notOnPapers}</span>
    ) : (
      <PrintedSwitch consignmentId={consignmentId} note={note} />
    )}
  </li>
)

/** Says at once whether documents have a note. */
function PrintedSwitch({ consignmentId, note: { id: consignmentNoteId, displayOnPrintOut } }: NoteProps) {
  const [isPrinted, setPrinted] = useState(displayOnPrintOut)
  async function change(wanted: boolean): Promise<void> {
    setPrinted(wanted)
    try {
      await send('put', '/v1/consignments/{consignmentId}/notes/{consignmentNoteId}/display-on-printout', {
        path: { consignmentId, consignmentNoteId },
        body: { displayOnPrintOut: wanted },
      })
    } catch (error) {
      setPrinted(!wanted)
      notify({ text: reasonsOf(error).join(' '), isAlert: true })
    }
    await readAgain('/v1/consignments/{consignmentId}')
  }
  return <SwitchField label={words.printOnPapers} isOn={isPrinted} onChange={wanted => void change(wanted)} />
}

function NewNote({ consignmentId, onClose }: { consignmentId: string; onClose: () => void }) {
  const isStaff = kindOf(useMe()) === 'staff'
  const [note, setNote] = useState('')
  const [displayOnPrintOut, setDisplayed] = useState(false)
  const [files, setFiles] = useState<readonly File[]>([])
  const [faults, setFaults] = useState(faultsOf(undefined))
  async function save(): Promise<void> {
    try {
      await send('post', '/v1/consignments/{consignmentId}/notes', {
        path: { consignmentId },
        body: { note, displayOnPrintOut, attachments: await Promise.all(files.map(uploadOf)) },
      })
    } catch (error) {
      return setFaults(faultsOf(error))
    }
    notify({ text: words.noteSaved })
    onClose()
    await readAgain('/v1/consignments/{consignmentId}')
  }
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={words.note}
        value={note}
        onChange={setNote}
        isMultiline
        isRequired
        maxLength={4_000}
        autoFocus
        fault={faults.at('note') ?? faults.other}
      />
      <FileField
        label={words.files}
        help={words.filesHelp}
        isMany
        onChange={setFiles}
        fault={files.map((_, i) => faultOfFile(faults, `attachments[${i}]`)).find(Boolean)}
      />
      {isStaff && (
        <SwitchField label={words.printOnPapers} isOn={displayOnPrintOut} onChange={setDisplayed} />
      )}
      <div className={styles.formActs}>
        <Button kind="main" type="submit">
          {words.saveNote}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {uiWords.cancel}
        </Button>
      </div>
    </form>
  )
}
