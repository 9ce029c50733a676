// Region Notes, with the form that adds one.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

export function Notes({
  consignment: { id, notes },
  isAdding,
  setAdding,
}: {
  consignment: Consignment
  isAdding: boolean
  setAdding: (isAdding: boolean) => void
}) {
  const me = useMe()
  const mayAdd = hasScope(me, 'consignment') && kindOf(me) === 'staff'
  return (
    <Region
      heading={words.notes}
      summary={notes.length || undefined}
      acts={
        mayAdd &&
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
          {notes.map(({ id: noteId, note, displayOnPrintOut }) => (
            <li key={noteId} data-id={noteId}>
              <span>{note}</span>
              <span className={styles.quiet}>{displayOnPrintOut ? words.onPapers : words.notOnPapers}</span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

function NewNote({ consignmentId, onClose }: { consignmentId: string; onClose: () => void }) {
  const [note, setNote] = useState('')
  const [displayOnPrintOut, setPrinted] = useState(false)
  const [faults, setFaults] = useState(faultsOf(undefined))
  async function save(): Promise<void> {
    try {
      await send('post', '/v1/consignments/{consignmentId}/notes', {
        path: { consignmentId },
        body: { note, displayOnPrintOut },
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
        fault={faults.at('note') ?? faults.other}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          role="switch"
          checked={displayOnPrintOut}
          aria-checked={displayOnPrintOut}
          onChange={event => setPrinted(event.target.checked)}
        />
        {words.printOnPapers}
      </label>
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
