// The dialog Another place: goods are picked from other stock than what was allocated, which is free again.

import { useState } from 'react'
import { TextField } from '../../../../ui/Field.tsx'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { pickWords as words } from '../../words/pick.ts'
import type { Consignment } from './consignment.tsx'
import { type AllocatedStock, allocationNameOf, amountOf, hasSerials } from './pick-amounts.tsx'
import { pickPaths } from './pick-dialogs.tsx'
import { StockChoice, useFreeStock } from './stock-choice.tsx'

export function PickElsewhere({
  consignment: { id, warehouseId },
  row,
  ...props
}: {
  consignment: Consignment
  row: AllocatedStock
  onClose: () => void
  onDone: () => void
}) {
  const free = useFreeStock(warehouseId, row.partnerProductId)
  const others = free?.filter(({ warehouseProductId }) => warehouseProductId !== row.warehouseProductId)
  const [chosen, setChosen] = useState('')
  const [text, setText] = useState(hasSerials(row) ? '' : String(row.quantity))
  const amount = amountOf(row, text)
  const picks = [
    {
      ...{ consignmentProductId: row.consignmentProductId, warehouseProductId: chosen, ...amount },
      ...{ isOverride: true, insteadOfWarehouseProductId: row.warehouseProductId },
    },
  ]
  return (
    <ActDialog
      act={words.anotherPlace}
      method="post"
      path="/v1/consignments/{consignmentId}/pick"
      request={{ path: { consignmentId: id }, body: { picks } }}
      isComplete={chosen !== '' && amount !== undefined && amount.quantity > 0}
      done={words.elsewhereDone}
      changes={pickPaths}
      {...props}
    >
      {faults => (
        <>
          <StockChoice
            stock={others}
            value={chosen}
            onChange={({ warehouseProductId }) => setChosen(warehouseProductId)}
          />
          {others?.length !== 0 && (
            <TextField
              label={(hasSerials(row) ? words.serialsOf : words.quantityOf)(row.partnerProductCode)}
              help={
                hasSerials(row) ? words.serialsHelp(row.quantity) : words.insteadOf(allocationNameOf(row))
              }
              {...(hasSerials(row) ? { isMultiline: true } : { type: 'number' as const })}
              value={text}
              onChange={setText}
              fault={faults.at('picks[0].quantity') ?? faults.at('picks[0].serials')}
            />
          )}
        </>
      )}
    </ActDialog>
  )
}
