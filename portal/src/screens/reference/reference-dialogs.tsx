// The dialogs of a record of a collection that the organisation sets up.

import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read, send } from '../../api.ts'
import { RecordDialog, RecordFacts } from '../../frame/RecordForm.tsx'
import { useRecord } from '../../frame/use-record.ts'
import { type OwnCollection, type ReferenceRow, referenceFields } from '../../lists/reference.tsx'
import { referenceWords as words } from '../../words/reference.ts'
import { words as shared } from '../../words.ts'

interface DialogProps {
  collection: OwnCollection
  onClose: () => void
}

export const NewReference = ({ collection, onClose }: DialogProps) => (
  <RecordDialog
    act={words.new}
    title={words.newOf(words.collection[collection])}
    groups={[{ fields: referenceFields(collection) }]}
    path={`/v1/${collection}`}
    save={async change => {
      await send('post', `/v1/${collection}`, { body: change as never })
      notify({ text: words.made((change as ReferenceRow).name) })
    }}
    onClose={onClose}
  />
)

/** A record. Whoever may not change it reads it. */
export function EditReference({
  collection,
  id,
  mayAct,
  onClose,
}: DialogProps & { id: string; mayAct: boolean }) {
  const record = useRecord(read(`/v1/${collection}/{id}`, { path: { id } }), onClose) as
    | ReferenceRow
    | undefined
  const fields = referenceFields(collection)
  if (record === undefined) return null
  if (!mayAct)
    return (
      <Dialog title={record.name} onClose={onClose} acts={<Button onPress={onClose}>{uiWords.close}</Button>}>
        <RecordFacts groups={[{ fields }]} record={record} />
      </Dialog>
    )
  return (
    <RecordDialog
      act={uiWords.save}
      title={words.editOf(record.name)}
      groups={[{ fields }]}
      record={record}
      path={`/v1/${collection}`}
      save={async (change, ifMatch) => {
        const { hasChanged } = await send('put', `/v1/${collection}/{id}`, {
          ...{ path: { id }, body: change as never, ifMatch },
        })
        notify({ text: hasChanged ? words.changed(record.name) : shared.unchanged })
      }}
      onClose={onClose}
    />
  )
}
