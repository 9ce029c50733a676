// Two people on one record. Whoever saves second sees both versions of what differs, and chooses.

import { useState } from 'react'
import { WaybillError } from '../../../client/src/waybill.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SmallTable } from '../../../ui/Region.tsx'
import { ago } from '../../../ui/time.ts'
import { words as uiWords } from '../../../ui/words.ts'
import { entityTagOf } from '../api.ts'
import { faultsOf } from '../faults.ts'
import { readAgain } from '../queries.ts'
import { words } from '../words.ts'

/** Whether the service refused an act because somebody has changed the record since it was read. */
export const isConflict = (error: unknown): boolean => error instanceof WaybillError && error.status === 412

/** Asks who has changed a record last and when; undefined where the service does not know. */
export type WhoChanged = () => Promise<{ name: string; atUtc: string } | undefined>

/**
 * A record that is being edited. The screen goes on following the record; what is saved is compared with how
 * it was when the form was opened, so that nobody overwrites what they have not seen. `path` is where the
 * record is read, and `save` sends it, with the tag for If-Match.
 */
export function useEdited(
  present: object,
  path: string,
  save: (ifMatch: string | undefined) => Promise<void>,
  whoChanged?: WhoChanged,
) {
  const [opened] = useState(present)
  const [faults, setFaults] = useState(faultsOf(undefined))
  const [isChanged, setChanged] = useState(false)
  const [changedBy, setChangedBy] = useState<Awaited<ReturnType<WhoChanged>>>()
  async function attempt(over: object): Promise<void> {
    setChanged(false)
    try {
      await save(entityTagOf(over))
    } catch (error) {
      if (!isConflict(error)) return setFaults(faultsOf(error))
      // Without an answer the dialog says the same of somebody.
      const [who] = await Promise.all([whoChanged?.().catch(() => undefined), readAgain(path)])
      setChangedBy(who)
      return setChanged(true)
    }
    await readAgain(path)
  }
  return {
    ...{ faults, isChanged, changedBy },
    save: () => void attempt(opened),
    /** The person has seen the present version, and theirs replaces it. */
    saveMine: () => void attempt(present),
    hideConflict: () => setChanged(false),
  }
}

/** A field that both have. */
export interface Version {
  label: string
  mine: string
  theirs: string
}

export interface ConflictProps {
  edited: ReturnType<typeof useEdited>
  versions: readonly Version[]
  /** closes the form, when the person takes the other version */
  onClose: () => void
}

/** The dialog, once somebody else has changed what is being edited. */
export function Conflict({ edited, versions, onClose }: ConflictProps) {
  if (!edited.isChanged) return null
  const { changedBy } = edited
  const differing = versions.filter(({ mine, theirs }) => mine !== theirs)
  return (
    <Dialog
      title={
        changedBy === undefined
          ? words.changedMeanwhile
          : words.changedBy(changedBy.name, ago(changedBy.atUtc))
      }
      onClose={edited.hideConflict}
      state="ready"
      acts={
        <>
          <Button kind="main" onPress={onClose}>
            {words.useTheirs}
          </Button>
          <Button onPress={edited.saveMine}>{words.useMine}</Button>
          <Button kind="quiet" onPress={edited.hideConflict}>
            {uiWords.notNow}
          </Button>
        </>
      }
    >
      {differing.length === 0 ? (
        <p>{words.sameAsTheirs}</p>
      ) : (
        <SmallTable
          label={words.versions}
          heads={[{ text: words.field }, { text: words.mine }, { text: words.theirs }]}
          rows={differing.map(({ label, mine, theirs }) => ({
            id: label,
            cells: [label, mine || uiWords.nothing, theirs || uiWords.nothing],
          }))}
        />
      )}
    </Dialog>
  )
}
