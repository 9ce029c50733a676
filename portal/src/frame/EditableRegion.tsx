// A region with facts of a record, which Edit turns into a form of the same fields.

import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { notify } from '../../../ui/Notices.tsx'
import { Region, type RegionState } from '../../../ui/Region.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import { words } from '../words.ts'
import { EditRecord, RecordFacts, type RecordFormProps } from './RecordForm.tsx'

export interface EditableRegionProps extends Omit<RecordFormProps, 'onClose' | 'save'> {
  heading: string
  mayEdit: boolean
  /** whether this is the part of the record that the key E edits */
  isMain?: boolean
  /** the name of Edit, if there are several and it is to say which */
  editLabel?: string
  /** sends what was changed */
  save: (change: object, ifMatch: string | undefined) => Promise<{ hasChanged: boolean }>
  /** what the notice says */
  done: string
  state?: RegionState
  summary?: ReactNode
  /** without a card around the content */
  isBare?: boolean
  /** acts beside Edit */
  acts?: ReactNode
  /** facts that the form does not have, after those that it has */
  also?: readonly (readonly [term: string, value: ReactNode])[]
  /** what is shown instead of the facts, such as sentences */
  children?: ReactNode
}

export function EditableRegion(props: EditableRegionProps) {
  const { heading, mayEdit, isMain = false, editLabel, save, done, state, summary, acts, also } = props
  const { isBare = false } = props
  const { groups, record, initial, path, whoChanged, children } = props
  const [isOpen, setOpen] = useState(false)
  useKeys(mayEdit && isMain ? { e: () => setOpen(true) } : {})
  return (
    <Region
      heading={heading}
      summary={summary}
      isBare={isBare}
      {...(state === undefined ? {} : { state })}
      acts={
        mayEdit &&
        !isOpen && (
          <>
            {acts}
            <Button
              kind="quiet"
              label={editLabel}
              hint={isMain ? 'E' : undefined}
              onPress={() => setOpen(true)}
            >
              {uiWords.edit}
            </Button>
          </>
        )
      }
    >
      {isOpen ? (
        <EditRecord
          {...{ groups, record, path, ...(initial && { initial }), ...(whoChanged && { whoChanged }) }}
          save={async (change, ifMatch) => {
            const { hasChanged } = await save(change, ifMatch)
            notify({ text: hasChanged ? done : words.unchanged })
          }}
          onClose={() => setOpen(false)}
        />
      ) : (
        (children ?? <RecordFacts groups={groups} record={record ?? {}} also={also} />)
      )}
    </Region>
  )
}
