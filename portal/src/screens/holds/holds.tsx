// The list of holds, `/holds`, with the dialog that puts a product or a batch on hold.

import { useState } from 'react'
import { HoldKind } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Listing } from '../../frame/Listing.tsx'
import { holdList } from '../../lists/holds.tsx'
import { holdKindOptions } from '../../lists/inventory.tsx'
import { useMe } from '../../me.ts'
import { useClientOptions, useProducts, warehouseOptions } from '../../suggestions.ts'
import { stockWords as words } from '../../words/stock.ts'
import { holdKindOf, mayChangeStock, stockPaths } from '../inventory/stock-acts.tsx'

export function Screen() {
  const mayAct = mayChangeStock(useMe())
  const [isMaking, setMaking] = useState(false)
  useKeys(mayAct ? { c: () => setMaking(true) } : {})
  return (
    <>
      <Listing
        list={holdList}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setMaking(true)}>
              {words.newHold}
            </Button>
          )
        }
      />
      {isMaking && <NewHold onClose={() => setMaking(false)} />}
    </>
  )
}

function NewHold({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const clients = useClientOptions(me)
  const [given, setGiven] = useState({
    ...{ warehouse: me.warehouses[0]?.id ?? '', client: '', product: '', batch: '', expiryTo: '' },
    ...{ kind: String(HoldKind.Quality), reason: '' },
  })
  const client = given.client || (clients[0]?.value ?? '')
  const products = useProducts(client, given.product)
  const product = products.find(({ value }) => value === given.product.trim())
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onChange: (value: string) => setGiven({ ...given, [name]: value }),
  })
  const where = {
    ...{ warehouseId: given.warehouse, partnerProductId: product?.id ?? null },
    ...{ batch: given.batch.trim() || null, expiryTo: given.expiryTo || null },
  }
  return (
    <ActDialog
      act={words.hold}
      method="post"
      path="/v1/inventory/holds"
      request={{ body: { kind: holdKindOf(given.kind), reason: given.reason.trim(), where } }}
      isComplete={given.reason.trim() !== '' && product !== undefined}
      done={words.holdMade}
      changes={stockPaths}
      onClose={onClose}
    >
      {faults => (
        <>
          <SelectField label={words.warehouse} options={warehouseOptions(me)} {...field('warehouse')} />
          <SelectField label={words.client} options={clients} {...field('client')} value={client} />
          <SuggestField
            label={words.product}
            suggestions={products}
            fault={faults.at('where.partnerProductId')}
            isRequired
            autoFocus
            {...field('product')}
          />
          <TextField label={words.batch} fault={faults.at('where.batch')} {...field('batch')} />
          <TextField label={words.expiryTo} type="date" {...field('expiryTo')} />
          <SelectField label={words.holdKind} options={holdKindOptions} {...field('kind')} />
          <TextField label={words.reason} fault={faults.at('reason')} isRequired {...field('reason')} />
        </>
      )}
    </ActDialog>
  )
}
