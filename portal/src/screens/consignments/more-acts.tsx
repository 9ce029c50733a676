// The acts under More that change stock or end a consignment, each a dialog that says what it will do.

import { useState } from 'react'
import { ConsignmentStatus, ConsignmentType } from '../../../../client/src/waybill.ts'
import { TextField } from '../../../../ui/Field.tsx'
import type { MenuGroup } from '../../../../ui/Menu.tsx'
import { entityTagOf } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'

/** An act of this file. */
export type MoreAct = 'allocate' | 'release' | 'reopen' | 'void'

const { ReadyToPick, Complete, Closed, Void } = ConsignmentStatus

/** The acts that this consignment may ever have; what its status forbids has the reason. */
export function moreActsOf(consignment: Consignment, onAct: (act: MoreAct) => void): readonly MenuGroup[] {
  const { type, status, products } = consignment
  const entry = (act: MoreAct, text: string, disabledReason: string | undefined, isAlert = false) => ({
    ...{ id: act, text: `${text}…`, disabledReason, isAlert },
    onAct: () => onAct(act),
  })
  const hasAllocated = products.some(({ allocatedQuantity }) => allocatedQuantity > 0)
  const hasShort = products.some(({ shortQuantity }) => shortQuantity > 0)
  const isAfter = status === Complete || status === Closed || status === Void
  return [
    ...(type === ConsignmentType.Outwards
      ? [
          {
            heading: words.stock,
            acts: [
              entry('allocate', words.allocate, allocateRefusal(status, hasShort)),
              entry('release', words.release, hasAllocated ? undefined : words.nothingAllocated),
            ],
          },
        ]
      : []),
    {
      acts: [
        ...(status === Closed ? [entry('reopen', words.reopen, undefined)] : []),
        entry('void', words.void, isAfter ? words.cannotBeVoid : undefined, true),
      ],
    },
  ]
}

const allocateRefusal = (status: number, hasShort: boolean) =>
  status !== ReadyToPick ? words.allocatedAtPick : hasShort ? undefined : words.nothingShort

/** The paths whose data these acts change. */
export const consignmentPaths = ['/v1/consignments', '/v1/inventory', '/v1/jobs'] as const

/** The dialog of an act. */
export function MoreDialog({
  act,
  consignment,
  onClose,
}: {
  act: MoreAct
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
