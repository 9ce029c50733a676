// The dialog that makes or changes a record of set-up. Nothing of it moves money: bills keep what they were
// charged by.

import { type ReactNode, useState } from 'react'
import { SetUpStatus } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { type Faults, faultsOf } from '../../faults.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { setUpWords as words } from '../../words/set-up.ts'
import { words as shared } from '../../words.ts'

export interface SetUpDialogProps {
  act: string
  isComplete: boolean
  /** sends it; tells whether anything has changed */
  save: () => Promise<{ hasChanged: boolean }>
  /** the path whose data it changes */
  changes: string
  onClose: () => void
  children: (faults: Faults) => ReactNode
}

export function SetUpDialog({ act, isComplete, save, changes, onClose, children }: SetUpDialogProps) {
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={act}
      isDisabled={!isComplete}
      reasonsOf={error => {
        setFaults(faultsOf(error))
        return reasonsOf(error)
      }}
      onClose={onClose}
      onConfirm={async () => {
        const { hasChanged } = await save()
        notify({ text: hasChanged ? words.saved : shared.unchanged })
        await readAgain(changes)
      }}
    >
      {children(faults)}
    </Confirm>
  )
}

/** Whether a record can be used. Those in use stay, and are only no longer offered. */
export const StatusField = ({ value, onChange }: { value: number; onChange: (status: 1 | 2) => void }) => (
  <SelectField
    label={words.status}
    help={words.statusHelp}
    value={String(value)}
    onChange={text => onChange(text === String(SetUpStatus.Inactive) ? 2 : 1)}
    options={Object.values(SetUpStatus).map(status => ({
      value: String(status),
      text: words.statusOf(status),
    }))}
  />
)
