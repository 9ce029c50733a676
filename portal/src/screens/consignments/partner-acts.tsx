// What people of clients and carriers do with a consignment as a whole.

import { useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { hasScope, useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'
import { MoreDialog } from './more-acts.tsx'
import { mayNote } from './notes.tsx'
import { mayProve } from './proofs.tsx'

const { Draft, Pending, Closed } = ConsignmentStatus

/** A driver proves a delivery, or says what went wrong. While a form is open, only its acts stand there. */
export function CarrierActs({
  consignment: { status },
  onAddNote,
  onAddProof,
}: {
  consignment: Consignment
  onAddNote: (() => void) | undefined
  onAddProof: (() => void) | undefined
}) {
  const me = useMe()
  const mayAddNote = mayNote(me, status) && onAddNote !== undefined
  const mayAddProof = mayProve(me) && onAddProof !== undefined
  const isClosed = status === Closed
  useKeys({
    ...(mayAddNote ? { n: onAddNote } : {}),
    ...(mayAddProof && !isClosed ? { m: onAddProof } : {}),
  })
  if (onAddNote === undefined || onAddProof === undefined) return null
  return (
    <>
      {mayAddNote && (
        <Button hint="N" onPress={onAddNote}>
          {words.addNote}
        </Button>
      )}
      {mayAddProof && (
        <Button
          kind="main"
          hint="M"
          disabledReason={isClosed ? words.nothingAfterClosing : undefined}
          onPress={onAddProof}
        >
          {words.addProof}
        </Button>
      )}
    </>
  )
}

/** A client orders the same again, or takes an order back before the warehouse begins with it. */
export function ClientActs({ consignment }: { consignment: Consignment }) {
  const me = useMe()
  const go = useGo()
  const [isVoiding, setVoiding] = useState(false)
  const { id, status } = consignment
  if (!hasScope(me, 'consignment')) return null
  const mayVoid = status === Draft || status === Pending
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          {
            acts: [
              { id: 'copy', text: words.copy, onAct: () => go('/consignments/new', { copy: id }) },
              {
                ...{ id: 'void', text: `${words.void}…`, isAlert: true },
                disabledReason: mayVoid ? undefined : words.voidBeforeWork,
                onAct: () => setVoiding(true),
              },
            ],
          },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      {isVoiding && <MoreDialog act="void" consignment={consignment} onClose={() => setVoiding(false)} />}
    </>
  )
}
