// The dialogs that add, correct and remove a line, while the warehouse does not work on the consignment yet.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConsignmentStatus, ConsignmentType } from '../../../../client/src/waybill.ts'
import { TextField } from '../../../../ui/Field.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { entityTagOf, read } from '../../api.ts'
import { draftOf, hasSerials, type LineDraft, lineOf } from '../../consignment-line.ts'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { useProducts } from '../../suggestions.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Line } from './allocations.tsx'
import type { Consignment } from './consignment.tsx'
import { consignmentPaths } from './consignment-paths.ts'

/** The line that is added, corrected or removed. */
export type LineAct =
  | { name: 'add' }
  | { name: 'edit' | 'remove'; line: Line /** its place, from 1 */; number: number }

const { Draft, Pending } = ConsignmentStatus

/** Whether this person may change the lines of a consignment in this status. */
export const mayChangeLines = (me: Me, { status }: Consignment): boolean =>
  hasScope(me, 'consignment') && kindOf(me) !== 'carrier' && (status === Draft || status === Pending)

/** The dialog of an act. */
export function LineDialog({
  act,
  consignment,
  onClose,
}: {
  act: LineAct
  consignment: Consignment
  onClose: () => void
}) {
  const line = act.name === 'add' ? undefined : act.line
  const [draft, setDraft] = useState(draftOf(line))
  const { id: consignmentId } = consignment
  const shared = { changes: consignmentPaths, onClose, done: words.lineDone[act.name] }
  const ids = { consignmentId, consignmentProductId: line?.id ?? '' }
  const ifMatch = entityTagOf(consignment)
  if (act.name === 'remove')
    return (
      <ActDialog
        {...shared}
        act={words.removeLine(act.number)}
        method="delete"
        path="/v1/consignments/{consignmentId}/products/{consignmentProductId}"
        request={{ path: ids, ifMatch }}
      />
    )
  const isComplete = draft.productCode.trim() !== '' && draft.amount.trim() !== ''
  const change = lineOf(draft, line)
  const fields = (prefix: string) => (faults: Faults) => (
    <LineFields
      {...{ consignment, line, draft, onChange: setDraft }}
      faultAt={path => faults.at(`${prefix}${path}`)}
    />
  )
  if (act.name === 'add')
    return (
      <ActDialog
        {...{ ...shared, isComplete }}
        act={words.addLine}
        method="post"
        path="/v1/consignments/{consignmentId}/products"
        request={{ path: { consignmentId }, ifMatch, body: { products: [change] } }}
      >
        {fields('products[0].')}
      </ActDialog>
    )
  return (
    <ActDialog
      {...{ ...shared, isComplete }}
      act={words.editLine(act.number)}
      method="put"
      path="/v1/consignments/{consignmentId}/products/{consignmentProductId}"
      request={{ path: ids, ifMatch, body: change }}
    >
      {fields('')}
    </ActDialog>
  )
}

function LineFields({
  consignment,
  line,
  draft,
  faultAt,
  onChange,
}: {
  consignment: Consignment
  line: Line | undefined
  draft: LineDraft
  faultAt: (path: string) => string | undefined
  onChange: (draft: LineDraft) => void
}): ReactNode {
  const me = useMe()
  const owner = hasScope(me, 'partner.read') ? consignment.clientId : undefined
  const products = useProducts(owner, draft.productCode)
  const code = draft.productCode.trim().toLowerCase()
  const product = products.find(known => known.code.toLowerCase() === code)
  const free = useFree(me, consignment, product?.code)
  const change = (part: Partial<LineDraft>) => onChange({ ...draft, ...part })
  const serialFault = line?.items.map((_, i) => faultAt(`items[${i}].serial`)).find(Boolean)
  const amountFault = faultAt('items[0].quantity') ?? faultAt('items') ?? serialFault
  return (
    <>
      <SuggestField
        label={words.product}
        help={product?.name}
        value={draft.productCode}
        onChange={productCode => change({ productCode })}
        suggestions={products}
        fault={faultAt('productCode')}
        isRequired
        autoFocus={line === undefined}
      />
      <TextField
        label={line !== undefined && hasSerials(line) ? words.serials : words.quantity}
        help={free === undefined ? undefined : words.freeStock(quantity(free))}
        {...(line !== undefined && hasSerials(line) ? { isMultiline: true } : { type: 'number' as const })}
        value={draft.amount}
        onChange={amount => change({ amount })}
        fault={amountFault}
        isRequired
        autoFocus={line !== undefined}
      />
      <TextField
        label={words.batch}
        value={draft.batch}
        onChange={batch => change({ batch })}
        maxLength={200}
        fault={faultAt('batch')}
      />
      <TextField
        label={words.expiryDate}
        type="date"
        value={draft.expiryDate}
        onChange={expiryDate => change({ expiryDate })}
        fault={faultAt('expiryDate')}
      />
    </>
  )
}

/** How much of a product is free, as the service says, where goods are to leave; undefined until known. */
function useFree(me: Me, { type, warehouseId, clientId }: Consignment, code: string | undefined) {
  const isAsked = type === ConsignmentType.Outwards && hasScope(me, 'inventory.read') && warehouseId !== null
  const { data } = useQuery({
    ...read('/v1/partners/{partnerId}/products', {
      path: { partnerId: clientId },
      query: { Code: [code ?? ''], Include: ['figures'], WarehouseId: warehouseId ?? '' },
    }),
    enabled: isAsked && code !== undefined,
  })
  return data?.products[0]?.availableQuantity
}
