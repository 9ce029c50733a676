// A hold, `/holds/{id}`: why, by whom, and the stock in it.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { LocalDay, UtcTime } from '../../../../ui/LocalTime.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { entityTagOf, type Got, read, send } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { Page } from '../../frame/Page.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import styles from '../inventory/stock.module.css'
import { mayChangeStock, stockPaths } from '../inventory/stock-acts.tsx'

type Hold = Got<'/v1/inventory/holds/{inventoryHoldId}'>

export function Screen() {
  const { id: inventoryHoldId = '' } = useIds()
  const [isReleasing, setReleasing] = useState(false)
  const mayChange = mayChangeStock(useMe())
  const { data: hold } = useSuspenseQuery(
    read('/v1/inventory/holds/{inventoryHoldId}', { path: { inventoryHoldId } }),
  )
  const canRelease = mayChange && hold.releasedUtc === null
  useKeys(canRelease ? { m: () => setReleasing(true) } : {})
  return (
    <Page
      heading={hold.reason}
      id={inventoryHoldId}
      above={<Link to="/holds">{words.holds}</Link>}
      beside={hold.releasedUtc === null ? words.holdKindOf(hold.kind) : words.released}
      acts={
        canRelease && (
          <Button kind="main" hint="M" onPress={() => setReleasing(true)}>
            {words.release}
          </Button>
        )
      }
    >
      <Why hold={hold} mayChange={mayChange} />
      <StockHeld hold={hold} />
      {isReleasing && (
        <ActDialog
          act={words.release}
          method="post"
          path="/v1/inventory/holds/{inventoryHoldId}/release"
          request={{ path: { inventoryHoldId }, body: {}, ifMatch: entityTagOf(hold) }}
          done={words.releasedNotice}
          changes={stockPaths}
          onClose={() => setReleasing(false)}
        />
      )}
    </Page>
  )
}

const groups = [
  {
    fields: [
      { path: 'reason', label: words.reason, isRequired: true },
      { path: 'reference', label: words.reference },
    ],
  },
]

const Why = ({ hold, mayChange }: { hold: Hold; mayChange: boolean }) => (
  <EditableRegion
    heading={words.hold}
    isMain
    mayEdit={mayChange}
    groups={groups}
    record={hold}
    path="/v1/inventory/holds"
    done={words.holdSaved}
    save={(change, ifMatch) =>
      send('put', '/v1/inventory/holds/{inventoryHoldId}', {
        path: { inventoryHoldId: hold.id },
        body: change,
        ifMatch,
      })
    }
    also={[
      [words.holdKind, words.holdKindOf(hold.kind)],
      [words.by, hold.createdByName],
      [words.heldSince, <UtcTime key="since" value={hold.createdUtc} />],
      [words.released, hold.releasedUtc && <UtcTime key="released" value={hold.releasedUtc} />],
    ]}
  />
)

function StockHeld({ hold: { products, heldQuantity } }: { hold: Hold }) {
  return (
    <Region heading={words.stockHeld} summary={heldQuantity === 0 ? undefined : words.items(heldQuantity)}>
      {products.length === 0 ? (
        <Nothing text={words.noStockHeld} />
      ) : (
        <SmallTable
          label={words.stockHeld}
          heads={[
            ...[words.product, words.place, words.unit, words.batch, words.expiry].map(text => ({ text })),
            { text: words.held, isAtEnd: true },
          ]}
          rows={products.map(row => ({
            id: row.warehouseProductId,
            cells: [
              <span key="product">
                <Link to={`/inventory/${row.warehouseProductId}`}>{row.partnerProductCode}</Link>{' '}
                <span className={styles.quiet}>{row.partnerProductName}</span>
              </span>,
              row.warehouseLocationName,
              row.logisticUnitNumber ?? words.nothing,
              row.batch ?? words.nothing,
              <LocalDay key="expiry" value={row.expiryDate} />,
              quantity(row.onHandQuantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}
