// The dialogs that change what a line has of the stock: Allocate by hand, and Release.

import { useState } from 'react'
import { TextField } from '../../../../ui/Field.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import type { StockRow } from '../../lists/inventory.tsx'
import { pickWords as words } from '../../words/pick.ts'
import { numberOf } from '../inventory/stock-acts.tsx'
import type { Line } from './allocations.tsx'
import type { Consignment } from './consignment.tsx'
import { type AllocatedStock, allocationNameOf, sourceOf } from './pick-amounts.tsx'
import { pickPaths } from './pick-dialogs.tsx'
import { SerialChoice, StockChoice, useFreeSerials, useFreeStock } from './stock-choice.tsx'

/** Gives a line stock that a person chooses. What it has is released if it has all that it needs. */
export function AllocateByHand({
  consignment: { id, warehouseId },
  line,
  onClose,
}: {
  consignment: Consignment
  line: Line
  onClose: () => void
}) {
  const free = useFreeStock(warehouseId, line.product?.id)
  const choice = useStockChoice(line)
  const [isOverride, setOverride] = useState(false)
  const { chosen, amount } = choice
  const stock = [choice.stock]
  return (
    <ActDialog
      act={words.allocateByHand}
      method="post"
      path="/v1/consignments/{consignmentId}/allocate"
      request={{
        path: { consignmentId: id },
        body: { lines: [{ consignmentProductId: line.id, stock, isOverride, isReplacement: true }] },
      }}
      isComplete={chosen !== undefined && amount !== undefined && amount > 0}
      done={words.allocatedByHand(amount ?? 0)}
      changes={pickPaths}
      onClose={onClose}
    >
      {faults => (
        <>
          <StockChoice stock={free} value={chosen?.warehouseProductId ?? ''} onChange={choice.choose} />
          {free?.length !== 0 && (
            <>
              {choice.fields(faults)}
              <SwitchField
                label={words.override}
                help={words.overrideHelp}
                isOn={isOverride}
                onChange={setOverride}
              />
            </>
          )}
        </>
      )}
    </ActDialog>
  )
}

/** What a person chooses for a line: a row of stock, and how much of it or which of its serials. */
function useStockChoice(line: Line) {
  const [chosen, setChosen] = useState<StockRow>()
  const [typed, setTyped] = useState<string>()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const serials = useFreeSerials(chosen?.warehouseProductId)
  const needed = line.shortQuantity > 0 ? line.shortQuantity : line.allocatedQuantity
  const text = typed ?? String(Math.min(needed, chosen?.availableQuantity ?? needed))
  const amount = picked.size > 0 ? picked.size : numberOf(text)
  return {
    ...{ chosen, amount },
    choose: (row: StockRow) => {
      setChosen(row)
      setPicked(new Set())
    },
    stock: {
      ...{ warehouseProductId: chosen?.warehouseProductId ?? '', quantity: amount ?? 0 },
      ...(picked.size > 0 ? { serials: [...picked] } : {}),
    },
    fields: (faults: Faults) => (
      <>
        {serials.length > 0 && <SerialChoice serials={serials} chosen={picked} onChange={setPicked} />}
        {picked.size === 0 && (
          <TextField
            label={words.quantity}
            help={line.shortQuantity > 0 ? words.shortOf(line.shortQuantity) : words.replaces}
            type="number"
            value={text}
            onChange={setTyped}
            fault={faults.at('lines[0].stock[0].quantity')}
          />
        )}
      </>
    ),
  }
}

/** Releases one allocation of a line, or what is not picked of all of them. */
export function ReleaseStock({
  consignmentId,
  line,
  row,
  onClose,
}: {
  consignmentId: string
  line: Line
  row: AllocatedStock | undefined
  onClose: () => void
}) {
  const all = row?.quantity ?? line.allocatedQuantity
  const [text, setText] = useState(String(all))
  const amount = numberOf(text)
  const part = row === undefined ? { consignmentProductId: line.id } : sourceOf(row)
  return (
    <ActDialog
      act={words.releaseAct}
      method="post"
      path="/v1/consignments/{consignmentId}/release"
      request={{ path: { consignmentId }, body: { lines: [{ ...part, quantity: amount ?? 0 }] } }}
      isComplete={amount !== undefined && amount > 0}
      done={words.released}
      changes={pickPaths}
      onClose={onClose}
    >
      {faults => (
        <TextField
          label={words.quantityOf(row === undefined ? line.productCode : allocationNameOf(row))}
          help={words.ofQuantity(all)}
          type="number"
          value={text}
          onChange={setText}
          fault={faults.at('lines[0].quantity')}
        />
      )}
    </ActDialog>
  )
}
