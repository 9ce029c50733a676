// The dialog of an act that changes status, stock or money: its fields, what the service says the act does,
// and afterwards a notice. Faults are shown at the fields that they belong to.

import { type ReactNode, useState } from 'react'
import { notify } from '../../../ui/Notices.tsx'
import type { RefusedOfMany } from '../../../ui/Refused.tsx'
import { type Rehearsal, ThisWill } from '../../../ui/ThisWill.tsx'
import { type Act, type Answer, type PathWith, send } from '../api.ts'
import { type Faults, faultsOf } from '../faults.ts'
import { readAgain } from '../queries.ts'
import { reasonsOf, rehearse, type Told } from '../rehearse.ts'
import { words } from '../words.ts'
import { isConflict } from './Conflict.tsx'

export interface ActDialogProps<M extends 'post' | 'put' | 'delete', Path extends PathWith<M>> {
  /** the words of the act */
  act: string
  method: M
  path: Path
  request: Act<Path, M>
  /** whether all fields that the act needs are filled in */
  isComplete?: boolean
  /** what the notice says when it is done, if nothing was refused; it may tell what the act answered */
  done: string | ((result: unknown) => string)
  /** of an act on many: what is refused although the act as a whole is not, from what the act answers */
  refusedOf?: (result: unknown) => RefusedOfMany
  /** the paths whose data it changes */
  changes: readonly string[]
  onClose: () => void
  /** called when it is done, before the dialog closes */
  onDone?: (answer: Answer<unknown>) => void
  /** the fields */
  children?: ((faults: Faults) => ReactNode) | undefined
}

/** The dialog. It is open while it is rendered. */
export function ActDialog<M extends 'post' | 'put' | 'delete', Path extends PathWith<M>>({
  act,
  method,
  path,
  request,
  isComplete = true,
  done,
  refusedOf,
  changes,
  onClose,
  onDone,
  children,
}: ActDialogProps<M, Path>) {
  const [error, setError] = useState<unknown>()
  return (
    <ThisWill
      act={act}
      given={isComplete ? JSON.stringify(request) : null}
      rehearse={() => {
        setError(undefined)
        return rehearse(method, path, request).then(told => withRefused(told, refusedOf))
      }}
      reasonsOf={refusal => {
        setError(refusal)
        if (!isConflict(refusal)) return reasonsOf(refusal)
        // Once the record is read again, the service is asked again.
        void readAgain(...changes)
        return [words.nowTold]
      }}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await send(method, path, request)
        const refused = refusedOf?.(answer.data)
        if (refused === undefined || refused.rows.length === 0) notify({ text: doneText(answer, done) })
        await readAgain(...changes)
        onDone?.(answer)
        return refused
      }}
    >
      {children?.(faultsOf(error))}
    </ThisWill>
  )
}

const doneText = (
  { hasChanged, data }: Answer<unknown>,
  done: ActDialogProps<'post', PathWith<'post'>>['done'],
) => (!hasChanged ? words.unchanged : typeof done === 'string' ? done : done(data))

/** What an act would do, with what it would refuse of many. */
const withRefused = (
  told: Told | null,
  refusedOf: ((result: unknown) => RefusedOfMany) | undefined,
): Rehearsal | null => (told === null ? null : { ...told, refused: refusedOf?.(told.result) })
