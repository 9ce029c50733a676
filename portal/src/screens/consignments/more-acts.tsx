// The acts under More that change stock or end a consignment, each a dialog that says what it will do.

import { useState } from 'react'
import { ConsignmentStatus, ConsignmentType } from '../../../../client/src/waybill.ts'
import { TextField } from '../../../../ui/Field.tsx'
import type { MenuGroup } from '../../../../ui/Menu.tsx'
import { entityTagOf } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'
import { consignmentPaths } from './consignment-paths.ts'
import { Return, UnpickAll, Unreceive } from './goods-dialogs.tsx'

/** An act of this file. */
export type MoreAct = 'allocate' | 'release' | 'unpick' | 'return' | 'unreceive' | 'reopen' | 'void'

const { ReadyToReceive, ReadyToPick, ReadyToDispatch, Complete, Closed, Void } = ConsignmentStatus

/** The acts that this consignment may ever have; what its status forbids has the reason. */
export function moreActsOf(consignment: Consignment, onAct: (act: MoreAct) => void): readonly MenuGroup[] {
  const { status } = consignment
  const entry = (act: MoreAct, text: string, disabledReason: string | undefined, isAlert = false) => ({
    ...{ id: act, text: `${text}…`, disabledReason, isAlert },
    onAct: () => onAct(act),
  })
  const isAfter = status === Complete || status === Closed || status === Void
  const stockActs = stockActsOf(consignment).map(([act, refusal]) => entry(act, words[act], refusal))
  return [
    ...(stockActs.length === 0 ? [] : [{ heading: words.stock, acts: stockActs }]),
    {
      acts: [
        ...(status === Closed ? [entry('reopen', words.reopen, undefined)] : []),
        entry('void', words.void, isAfter ? words.cannotBeVoid : undefined, true),
      ],
    },
  ]
}

type StockAct = Exclude<MoreAct, 'reopen' | 'void'>

/** The acts on the goods of a consignment, each with what forbids it now. */
function stockActsOf({
  type,
  status,
  products,
}: Consignment): [act: StockAct, refusal: string | undefined][] {
  const has = (figure: 'allocatedQuantity' | 'pickedQuantity' | 'receivedQuantity' | 'dispatchedQuantity') =>
    products.some(line => line[figure] > 0)
  const isAtDock = status === ReadyToPick || status === ReadyToDispatch
  const hasShort = products.some(({ shortQuantity }) => shortQuantity > 0)
  if (type === ConsignmentType.Inwards)
    return [
      [
        'unreceive',
        status !== ReadyToReceive
          ? words.unreceivedWhenReady
          : has('receivedQuantity')
            ? undefined
            : words.nothingReceived,
      ],
    ]
  if (type !== ConsignmentType.Outwards) return []
  return [
    ['allocate', allocateRefusal(status, hasShort)],
    ['release', has('allocatedQuantity') ? undefined : words.nothingAllocated],
    ['unpick', isAtDock && has('pickedQuantity') ? undefined : words.nothingPicked],
    ['return', has('dispatchedQuantity') ? undefined : words.nothingDispatched],
  ]
}

const allocateRefusal = (status: number, hasShort: boolean) =>
  status !== ReadyToPick ? words.allocatedAtPick : hasShort ? undefined : words.nothingShort

/** The dialog of an act. */
export function MoreDialog(props: { act: MoreAct; consignment: Consignment; onClose: () => void }) {
  const { act, consignment, onClose } = props
  switch (act) {
    case 'unpick':
      return <UnpickAll {...{ consignment, onClose }} />
    case 'return':
      return <Return {...{ consignment, onClose }} />
    case 'unreceive':
      return <Unreceive {...{ consignment, onClose }} />
    default:
      return <PlainDialog {...{ act, consignment, onClose }} />
  }
}

/** The dialog of an act that needs a reason at most. */
function PlainDialog({
  act,
  consignment,
  onClose,
}: {
  act: 'allocate' | 'release' | 'reopen' | 'void'
  consignment: Consignment
  onClose: () => void
}) {
  const [reason, setReason] = useState('')
  const { id: consignmentId, consignmentNumber } = consignment
  const common = { path: { consignmentId }, ifMatch: entityTagOf(consignment) }
  const shared = { changes: consignmentPaths, onClose }
  if (act === 'allocate' || act === 'release')
    return (
      <ActDialog
        {...shared}
        act={act === 'allocate' ? words.allocate : words.release}
        method="post"
        path={
          act === 'allocate'
            ? '/v1/consignments/{consignmentId}/allocate'
            : '/v1/consignments/{consignmentId}/release'
        }
        request={{ ...common, body: {} }}
        done={act === 'allocate' ? words.allocatedDone : words.releasedDone}
      />
    )
  return (
    <ActDialog
      {...shared}
      act={act === 'void' ? words.void : words.reopen}
      method="put"
      path={
        act === 'void' ? '/v1/consignments/{consignmentId}/void' : '/v1/consignments/{consignmentId}/reopen'
      }
      request={{ ...common, body: { reason: reason.trim() || null } }}
      done={act === 'void' ? words.voidDone(consignmentNumber) : words.reopenedDone(consignmentNumber)}
    >
      {faults => (
        <TextField
          label={words.reason}
          value={reason}
          onChange={setReason}
          maxLength={500}
          fault={faults.at('reason')}
        />
      )}
    </ActDialog>
  )
}
