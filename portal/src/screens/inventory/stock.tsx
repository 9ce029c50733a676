// A row of stock, `/inventory/{id}`: one product in one place. Each region is a file beside this one, or
// stands below.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Pill } from '../../../../ui/Pill.tsx'
import { Facts, Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, read } from '../../api.ts'
import { Page } from '../../frame/Page.tsx'
import { heldInWords, stockNameOf } from '../../lists/inventory.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import { History } from './history.tsx'
import { PutAway } from './put-away.tsx'
import { Serials } from './serials.tsx'
import styles from './stock.module.css'
import { mayChangeStock, type StockAct, StockDialog, stockActs } from './stock-acts.tsx'

/** A row of stock as its record shows it. */
export type StockRecord = Got<'/v1/inventory/{warehouseProductId}'>

export function Screen() {
  const { id: warehouseProductId = '' } = useIds()
  const me = useMe()
  const [act, setAct] = useState<{ name: StockAct; place?: string }>()
  const { data: stock } = useSuspenseQuery(
    read('/v1/inventory/{warehouseProductId}', { path: { warehouseProductId } }),
  )
  const mayAct = mayChangeStock(me)
  const held = heldInWords(stock)
  useKeys(mayAct ? { m: () => setAct({ name: 'move' }) } : {})
  return (
    <Page
      heading={stockNameOf(stock)}
      id={warehouseProductId}
      above={<Link to="/inventory">{words.inventory}</Link>}
      beside={
        <>
          <span className={styles.quiet}>{stock.partnerProductName}</span>
          {held !== undefined && <Pill text={held} tone="warehouse" />}
        </>
      }
      acts={mayAct && <Acts onAct={name => setAct({ name })} />}
      details={<Details stock={stock} />}
    >
      <Quantities stock={stock} />
      <Allocations stock={stock} />
      <Serials stock={stock} />
      <History stock={stock} />
      {mayAct && <PutAway stock={stock} onMove={place => setAct({ name: 'move', place })} />}
      {act !== undefined && (
        <StockDialog
          act={act.name}
          {...(act.place === undefined ? {} : { place: act.place })}
          stock={[stock]}
          onClose={() => setAct(undefined)}
          onDone={() => {}}
        />
      )}
    </Page>
  )
}

/** The main act, and the others under More. */
const Acts = ({ onAct }: { onAct: (act: StockAct) => void }) => (
  <>
    <Menu
      label={uiWords.more}
      groups={[
        {
          acts: stockActs
            .filter(name => name !== 'move')
            .map(name => ({ id: name, text: words[name], onAct: () => onAct(name) })),
        },
      ]}
    >
      <Button>{uiWords.more}</Button>
    </Menu>
    <Button kind="main" hint="M" onPress={() => onAct('move')}>
      {words.move}
    </Button>
  </>
)

function Details({ stock }: { stock: StockRecord }) {
  const dayOf = (value: string | null) => (value === null ? null : <LocalDay value={value} />)
  return (
    <Facts
      facts={[
        [words.warehouse, stock.warehouseName],
        [words.place, stock.warehouseLocationName],
        [words.zone, stock.warehouseZoneName],
        [
          words.unit,
          stock.warehouseLogisticUnitId === null ? null : (
            <Link key="unit" to={`/units/${stock.warehouseLogisticUnitId}`}>
              {stock.logisticUnitNumber}
            </Link>
          ),
        ],
        [words.sscc, stock.ssccNumber],
        [words.client, stock.partnerName],
        [words.batch, stock.batch],
        [words.expiry, dayOf(stock.expiryDate)],
        [words.bestBefore, dayOf(stock.bestBeforeDate)],
        [words.received, dayOf(stock.receivedDate)],
        ...stock.attributes.map(({ name, description }) => [name, description] as const),
        [
          words.held,
          stock.inventoryHoldId === null ? null : (
            <Link key="hold" to={`/holds/${stock.inventoryHoldId}`}>
              {heldInWords(stock)}
            </Link>
          ),
        ],
      ]}
    />
  )
}

function Quantities({ stock }: { stock: StockRecord }) {
  const figures = [
    [words.onHand, stock.onHandQuantity],
    [words.available, stock.availableQuantity],
    [words.allocated, stock.allocatedQuantity],
    [words.weight, stock.onHandWeightKG],
    [words.volume, stock.onHandVolumeM3],
  ] as const
  return (
    <Region heading={words.quantities}>
      <dl className={styles.figures}>
        {figures.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{quantity(value)}</dd>
          </div>
        ))}
      </dl>
    </Region>
  )
}

function Allocations({ stock: { allocations } }: { stock: StockRecord }) {
  return (
    <Region heading={words.allocations} summary={allocations.length || undefined}>
      {allocations.length === 0 ? (
        <Nothing text={words.noAllocations} />
      ) : (
        <SmallTable
          label={words.allocations}
          heads={[
            { text: words.order },
            { text: words.serial },
            { text: words.picked },
            { text: words.byHand },
            { text: words.quantity, isAtEnd: true },
          ]}
          rows={allocations.map(allocation => ({
            id: allocation.inventoryAllocationId,
            cells: [
              <Link key="order" to={`/consignments/${allocation.consignmentId}`}>
                {allocation.consignmentNumber}
              </Link>,
              allocation.serial ?? words.nothing,
              allocation.isPicked ? words.yes : words.nothing,
              allocation.isOverride ? words.yes : words.nothing,
              quantity(allocation.quantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}
