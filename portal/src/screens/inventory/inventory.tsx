// The list of stock, `/inventory`: now with its acts, or as it was at another time.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Listing } from '../../frame/Listing.tsx'
import { inventoryList, type StockRow } from '../../lists/inventory.tsx'
import { useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import { mayPrint } from '../consignments/print-dialog.tsx'
import { AsOf, useAsOf } from './as-of.tsx'
import { StockLabels } from './label-dialog.tsx'
import { mayChangeStock, type StockAct, StockDialog, stockActs } from './stock-acts.tsx'

export function Screen() {
  const me = useMe()
  const go = useGo()
  const { asOf, knownAt } = useAsOf()
  const isNow = asOf === undefined && knownAt === undefined
  const mayAct = isNow && mayChangeStock(me)
  return (
    <Listing<'/v1/inventory', StockRow>
      list={inventoryList}
      above={<AsOf />}
      acts={mayAct && <Button onPress={() => go('/inventory/opening')}>{words.openingBalances}</Button>}
      {...(mayAct
        ? { selectedActs: (selected, clear) => <SelectedActs stock={selected} onDone={clear} /> }
        : {})}
    />
  )
}

function SelectedActs({ stock, onDone }: { stock: readonly StockRow[]; onDone: () => void }) {
  const [act, setAct] = useState<StockAct | 'labels'>()
  const go = useGo()
  const me = useMe()
  const isOneWarehouse = new Set(stock.map(({ warehouseId }) => warehouseId)).size === 1
  const reason = isOneWarehouse ? undefined : words.oneWarehouse
  const places = [...new Set(stock.map(({ warehouseLocationName }) => warehouseLocationName))]
  return (
    <>
      {stockActs.map(name => (
        <Button key={name} onPress={() => setAct(name)} disabledReason={reason}>
          {words[name]}…
        </Button>
      ))}
      <Button
        onPress={() => go('/counts/new', { WarehouseId: stock[0]?.warehouseId, Places: places })}
        disabledReason={reason}
      >
        {words.count}…
      </Button>
      {mayPrint(me) && (
        <Button onPress={() => setAct('labels')} disabledReason={reason}>
          {words.labels}…
        </Button>
      )}
      {act === 'labels' && <StockLabels stock={stock} onClose={() => setAct(undefined)} />}
      {act !== undefined && act !== 'labels' && (
        <StockDialog act={act} stock={stock} onClose={() => setAct(undefined)} onDone={onDone} />
      )}
    </>
  )
}
