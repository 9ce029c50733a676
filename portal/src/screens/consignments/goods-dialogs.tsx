// The dialogs of goods that came or left: Unreceive takes back what was received, Return announces what comes
// back, and Unpick puts back what is picked.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { read } from '../../api.ts'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { type MovedGoods, receivedGoods, sentGoods } from '../../moved-goods.ts'
import { useGo } from '../../router.tsx'
import { serialsIn } from '../../serials.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import { numberOf } from '../inventory/stock-acts.tsx'
import type { Consignment } from './consignment.tsx'
import { consignmentPaths } from './consignment-paths.ts'
import { Unpick } from './picked-dialogs.tsx'

interface GoodsDialogProps {
  consignment: Consignment
  onClose: () => void
}

type Typed = Readonly<Record<string, string>>

/** What the ledger says of the lines; undefined until it is read. */
const useMoved = (consignmentId: string) =>
  useQuery(read('/v1/consignments/{consignmentId}/product-information', { path: { consignmentId } })).data

/** The amount that a field says: a quantity, or serials where the goods have them. */
function amountOf({ serials }: MovedGoods, text: string) {
  if (serials.length === 0) return { quantity: numberOf(text) ?? 0 }
  const named = serialsIn(text)
  return { quantity: named.length, ...(named.length === 0 ? {} : { serials: named }) }
}

/** The goods of which an amount is typed, each with it. */
const amountsOf = (goods: readonly MovedGoods[], typed: Typed, otherwise: (one: MovedGoods) => string) =>
  goods
    .map(one => ({ goods: one, amount: amountOf(one, typed[one.key] ?? otherwise(one)) }))
    .filter(({ amount }) => amount.quantity > 0)

const allOf = ({ serials, quantity: all }: MovedGoods) =>
  serials.length === 0 ? String(all) : serials.join('\n')
const nothing = () => ''

function AmountField({
  goods,
  name,
  value,
  fault,
  onChange,
}: {
  goods: MovedGoods
  name: string
  value: string
  fault: string | undefined
  onChange: (text: string) => void
}) {
  const hasSerials = goods.serials.length > 0
  return (
    <TextField
      label={hasSerials ? words.serialsOf(name) : words.quantityOf(name)}
      help={words.ofQuantity(quantity(goods.quantity))}
      {...(hasSerials ? { isMultiline: true } : { type: 'number' as const })}
      value={value}
      onChange={onChange}
      fault={fault}
    />
  )
}

/** The fault of an entry of a body: of one of its fields, or of the whole. */
const faultIn = (faults: Faults, entry: string) =>
  ['', '.quantity', '.serials', '.batch'].map(field => faults.at(`${entry}${field}`)).find(Boolean)

/** Takes back goods that were received by mistake. */
export function Unreceive({ consignment: { id: consignmentId }, onClose }: GoodsDialogProps) {
  const moved = useMoved(consignmentId)
  const goods = moved === undefined ? [] : receivedGoods(moved)
  const [typed, setTyped] = useState<Typed>({})
  const [reason, setReason] = useState('')
  const amounts = amountsOf(goods, typed, allOf)
  const unreceipts = amounts.map(({ goods: { warehouseProductId }, amount }) => ({
    warehouseProductId,
    ...amount,
  }))
  return (
    <ActDialog
      act={words.unreceive}
      method="post"
      path="/v1/consignments/{consignmentId}/unreceive"
      request={{ path: { consignmentId }, body: { unreceipts, reason: reason.trim() } }}
      isComplete={unreceipts.length > 0 && reason.trim() !== ''}
      done={words.unreceived}
      changes={consignmentPaths}
      onClose={onClose}
    >
      {faults => (
        <>
          {goods.map(one => (
            <AmountField
              key={one.key}
              goods={one}
              name={words.goodsIn(one.productCode, one.place)}
              value={typed[one.key] ?? allOf(one)}
              onChange={text => setTyped({ ...typed, [one.key]: text })}
              fault={faultIn(faults, `unreceipts[${amounts.findIndex(({ goods }) => goods === one)}]`)}
            />
          ))}
          <TextField
            label={words.reason}
            value={reason}
            onChange={setReason}
            maxLength={200}
            isRequired
            fault={faults.at('reason')}
          />
        </>
      )}
    </ActDialog>
  )
}

/** Announces that goods which left come back: an inwards consignment of their own. */
export function Return({ consignment: { id: consignmentId, products }, onClose }: GoodsDialogProps) {
  const go = useGo()
  const moved = useMoved(consignmentId)
  const goods = moved === undefined ? [] : sentGoods(moved)
  const [typed, setTyped] = useState<Typed>({})
  const [batches, setBatches] = useState<Typed>({})
  const [reason, setReason] = useState('')
  const amounts = amountsOf(goods, typed, nothing)
  const lines = amounts.map(({ goods: { key, consignmentProductId, partnerProductId }, amount }) => ({
    ...{ consignmentProductId, partnerProductId, ...amount },
    ...(batches[key] ? { batch: batches[key] } : {}),
  }))
  return (
    <ActDialog
      act={words.return}
      method="post"
      path="/v1/consignments/{consignmentId}/returns"
      request={{ path: { consignmentId }, body: { lines, reason: reason.trim() || null } }}
      isComplete={lines.length > 0}
      done={words.returned}
      changes={consignmentPaths}
      onClose={onClose}
      onDone={({ data }) => go(`/consignments/${(data as { consignmentId: string }).consignmentId}`)}
    >
      {faults => (
        <>
          <p>{words.returnHelp}</p>
          {goods.map(one => (
            <ReturnedGoods
              key={one.key}
              goods={one}
              name={nameAmong(goods, one, products)}
              value={typed[one.key] ?? ''}
              batch={batches[one.key] ?? ''}
              onChange={text => setTyped({ ...typed, [one.key]: text })}
              onBatch={batch => setBatches({ ...batches, [one.key]: batch })}
              fault={faultIn(faults, `lines[${amounts.findIndex(({ goods }) => goods === one)}]`)}
            />
          ))}
          <TextField
            label={words.reason}
            value={reason}
            onChange={setReason}
            maxLength={4_000}
            fault={faults.at('reason')}
          />
        </>
      )}
    </ActDialog>
  )
}

/** What goods are called: their product and, where two lines have it, the number of the line. */
function nameAmong(goods: readonly MovedGoods[], one: MovedGoods, lines: readonly { id: string }[]): string {
  const { productCode, consignmentProductId } = one
  const isOnly = goods.filter(other => other.productCode === productCode).length === 1
  const number = lines.findIndex(({ id }) => id === consignmentProductId) + 1
  return isOnly ? productCode : words.onLine(productCode, number)
}

/** How much of a product comes back and, if goods of several batches left, of which. */
const ReturnedGoods = ({
  goods,
  name,
  value,
  batch,
  fault,
  onChange,
  onBatch,
}: {
  goods: MovedGoods
  name: string
  value: string
  batch: string
  fault: string | undefined
  onChange: (text: string) => void
  onBatch: (batch: string) => void
}) => (
  <>
    <AmountField {...{ goods, name, value, fault, onChange }} />
    {goods.batches.length > 1 && (
      <SelectField
        label={words.batchOf(name)}
        value={batch}
        onChange={onBatch}
        options={[
          { value: '', text: words.anyBatch },
          ...goods.batches.map(one => ({ value: one, text: one })),
        ]}
      />
    )}
  </>
)

/** Puts all that is picked back, or a part of it. */
export function UnpickAll({ consignment, onClose }: GoodsDialogProps) {
  const { data } = useQuery(
    read('/v1/consignments/{consignmentId}/allocations', { path: { consignmentId: consignment.id } }),
  )
  const rows = data?.allocations.filter(({ isPicked }) => isPicked)
  if (rows === undefined) return null
  return <Unpick {...{ consignment, rows, onClose }} onDone={() => {}} />
}
