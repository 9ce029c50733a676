// An act on each of the selected rows, one after the other, where the service has none for many at once. What
// is refused is told by name; the others are done.

import type { ReactNode } from 'react'
import { Confirm } from '../../../ui/Confirm.tsx'
import { notify } from '../../../ui/Notices.tsx'
import { reasonsOf } from '../rehearse.ts'
import { words } from '../words.ts'

/** What is done with each row. */
export interface EachAct<Row> {
  rows: readonly Row[]
  nameOf: (row: Row) => string
  send: (row: Row) => Promise<unknown>
  /** reads again what was changed */
  readAgain: () => Promise<void>
  /** what the notice says when it is done */
  done: string
  /** clears the selection */
  clear: () => void
}

/** Some rows could not be changed. */
class Refused extends Error {
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super()
    this.reasons = reasons
  }
}

async function actOnEach<Row>(act: EachAct<Row>): Promise<void> {
  const refused: string[] = []
  for (const row of act.rows)
    await act.send(row).catch((error: unknown) => {
      refused.push(words.refusedOne(act.nameOf(row), reasonsOf(error).join(' ')))
    })
  await act.readAgain()
  if (refused.length > 0) throw new Refused(refused)
  notify({ text: act.done })
  act.clear()
}

const reasonsOfEach = (error: unknown) => (error instanceof Refused ? error.reasons : reasonsOf(error))

/** Acts at once. */
export const actOnEachNow = <Row,>(act: EachAct<Row>): Promise<void> =>
  actOnEach(act).catch(error => notify({ text: reasonsOfEach(error).join(' '), isAlert: true }))

/** Asks before it acts. */
export const ConfirmEach = <Row,>({
  act,
  each,
  onClose,
  children,
}: {
  act: string
  each: EachAct<Row>
  onClose: () => void
  children: ReactNode
}) => (
  <Confirm act={act} isAlert onClose={onClose} reasonsOf={reasonsOfEach} onConfirm={() => actOnEach(each)}>
    {children}
  </Confirm>
)
