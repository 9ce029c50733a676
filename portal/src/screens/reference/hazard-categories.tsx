// The categories of a hazard class, which are the same for every organisation.

import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Nothing, Rows } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { readAll } from '../../every-page.ts'
import { useRecord } from '../../frame/use-record.ts'
import { referenceWords as words } from '../../words/reference.ts'

export function HazardCategories({
  dgHazardClassId,
  onClose,
}: {
  dgHazardClassId: string
  onClose: () => void
}) {
  const page = useRecord(
    readAll('/v1/dg-hazard-classes/{dgHazardClassId}/dg-hazard-categories', {
      path: { dgHazardClassId },
    }),
    onClose,
  )
  if (page === undefined) return null
  return (
    <Dialog
      title={words.categories}
      onClose={onClose}
      acts={<Button onPress={onClose}>{uiWords.close}</Button>}
    >
      {page.dgHazardCategories.length === 0 ? (
        <Nothing text={words.noCategories} />
      ) : (
        <Rows>
          {page.dgHazardCategories.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </Rows>
      )}
    </Dialog>
  )
}
