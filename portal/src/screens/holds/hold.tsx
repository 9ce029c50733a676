// A hold, `/holds/{id}`: why, by whom, and the stock in it.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { LocalDay, UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Facts, Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf, type Got, read, send } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Page } from '../../frame/Page.tsx'
import { EditRecord } from '../../frame/RecordForm.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import styles from '../inventory/stock.module.css'
import { mayChangeStock, stockPaths } from '../inventory/stock-acts.tsx'

type Hold = Got<'/v1/inventory/holds/{inventoryHoldId}'>

export function Screen() {
  const { id: inventoryHoldId = '' } = useIds()
  const [shown, setShown] = useState<'edit' | 'release'>()
  const mayChange = mayChangeStock(useMe())
  const { data: hold } = useSuspenseQuery(
    read('/v1/inventory/holds/{inventoryHoldId}', { path: { inventoryHoldId } }),
  )
  const canRelease = mayChange && hold.releasedUtc === null
  useKeys({
    ...(mayChange ? { e: () => setShown('edit') } : {}),
    ...(canRelease ? { m: () => setShown('release') } : {}),
  })
  return (
    <Page
      heading={hold.reason}
      id={inventoryHoldId}
      above={<Link to="/holds">{words.holds}</Link>}
      beside={hold.releasedUtc === null ? words.holdKindOf(hold.kind) : words.released}
      acts={
        canRelease && (
          <Button kind="main" hint="M" onPress={() => setShown('release')}>
            {words.release}
          </Button>
        )
      }
    >
      <Why
        hold={hold}
        isEditing={shown === 'edit'}
        onEdit={mayChange ? () => setShown('edit') : undefined}
        onClose={() => setShown(undefined)}
      />
      <StockHeld hold={hold} />
      {shown === 'release' && (
        <ActDialog
          act={words.release}
          method="post"
          path="/v1/inventory/holds/{inventoryHoldId}/release"
          request={{ path: { inventoryHoldId }, body: {}, ifMatch: entityTagOf(hold) }}
          done={words.releasedNotice}
          changes={stockPaths}
          onClose={() => setShown(undefined)}
        />
      )}
    </Page>
  )
}

interface WhyProps {
  hold: Hold
  isEditing: boolean
  onEdit: (() => void) | undefined
  onClose: () => void
}

function Why({ hold, isEditing, onEdit, onClose }: WhyProps) {
  return (
    <Region
      heading={words.hold}
      acts={
        onEdit !== undefined &&
        !isEditing && (
          <Button kind="quiet" hint="E" onPress={onEdit}>
            {uiWords.edit}
          </Button>
        )
      }
    >
      <div className={styles.form}>
        {isEditing ? (
          <EditHold hold={hold} onClose={onClose} />
        ) : (
          <Facts
            facts={[
              [words.reason, hold.reason],
              [words.holdKind, words.holdKindOf(hold.kind)],
              [words.reference, hold.reference],
              [words.by, hold.createdByName],
              [words.heldSince, <UtcTime key="since" value={hold.createdUtc} />],
              [words.released, hold.releasedUtc && <UtcTime key="released" value={hold.releasedUtc} />],
            ]}
          />
        )}
      </div>
    </Region>
  )
}

const editedFields = [
  { path: 'reason', label: words.reason, isRequired: true },
  { path: 'reference', label: words.reference },
]

const EditHold = ({ hold, onClose }: { hold: Hold; onClose: () => void }) => (
  <EditRecord
    groups={[{ fields: editedFields }]}
    record={hold}
    path="/v1/inventory/holds"
    save={async (change, ifMatch) => {
      await send('put', '/v1/inventory/holds/{inventoryHoldId}', {
        path: { inventoryHoldId: hold.id },
        body: change,
        ifMatch,
      })
      notify({ text: words.holdSaved })
    }}
    onClose={onClose}
  />
)

function StockHeld({ hold: { products, heldQuantity } }: { hold: Hold }) {
  return (
    <Region heading={words.stockHeld} summary={quantity(heldQuantity)}>
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
