// An item with a serial, `/serials/{id}`: where it is, and its life. The API lists items but reads none by
// its id, so the item is found among those of its serial, or of the stock of its latest movement.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import type { RowOf } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { Page } from '../../frame/Page.tsx'
import { RecordFacts } from '../../frame/RecordForm.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds, useSearch } from '../../router.tsx'
import { stockWords as words } from '../../words/stock.ts'
import styles from '../inventory/stock.module.css'
import { mayChangeStock } from '../inventory/stock-acts.tsx'
import { ChangeAttributes } from './change-attributes.tsx'

export function Screen() {
  const { id: warehouseProductItemId = '' } = useIds()
  const item = useItem(warehouseProductItemId)
  const [isChanging, setChanging] = useState(false)
  // Only what is in stock can be changed.
  const mayChange = mayChangeStock(useMe()) && item?.isInStock === true
  useKeys(mayChange ? { m: () => setChanging(true) } : {})
  return (
    <Page
      heading={item?.serial ?? words.serial}
      id={warehouseProductItemId}
      above={<Link to="/serials">{words.serialsHeading}</Link>}
      beside={item?.partnerProductName}
      acts={
        mayChange && (
          <Button kind="main" hint="M" onPress={() => setChanging(true)}>
            {words.changeAttributes}
          </Button>
        )
      }
    >
      <Region heading={words.whereItIs}>
        <RecordFacts
          groups={[]}
          record={{}}
          also={[
            [words.product, item?.partnerProductCode],
            [words.client, item?.partnerName],
            [words.warehouse, item?.warehouseName],
            [words.place, item?.isInStock === false ? words.notInStock : item?.warehouseLocationName],
            [words.unit, item?.logisticUnitNumber],
            [words.batch, item?.batch],
            [words.allocated, item?.allocatedConsignmentNumber],
            [words.left, item?.dispatchedConsignmentNumber],
          ]}
        />
      </Region>
      <Life id={warehouseProductItemId} />
      {isChanging && item !== undefined && (
        <ChangeAttributes item={item} onClose={() => setChanging(false)} />
      )}
    </Page>
  )
}

const movementsOf = (warehouseProductItemId: string) =>
  readAll('/v1/inventory-items/{warehouseProductItemId}/transactions', {
    path: { warehouseProductItemId },
  })

function useItem(id: string) {
  const { Serial } = useSearch()
  const { data: life } = useSuspenseQuery(movementsOf(id))
  const row = life.transactions[0]?.warehouseProductId
  const bySerial = typeof Serial === 'string'
  const query = {
    ...(bySerial ? { Serials: Serial } : row === undefined ? {} : { WarehouseProductId: row }),
    IncludeDispatched: true,
  }
  const { data } = useQuery({
    ...readAll('/v1/inventory-items', { query }),
    enabled: bySerial || row !== undefined,
  })
  return data?.items.find(item => item.warehouseProductItemId === id)
}

type Movement = RowOf<'/v1/inventory-items/{warehouseProductItemId}/transactions'>

const whyOf = ({ transactionType, cause }: Movement) => words.movement(transactionType, cause)

function Life({ id }: { id: string }) {
  const { data } = useSuspenseQuery(movementsOf(id))
  return (
    <Region heading={words.life} summary={data.total || undefined}>
      <SmallTable
        label={words.life}
        heads={[{ text: words.time }, { text: words.why }, { text: words.place }, { text: words.who }]}
        rows={data.transactions.map(movement => ({
          id: `${movement.movementId} ${movement.version}`,
          cells: [
            <UtcTime key="time" value={movement.effectiveUtc} />,
            <span key="why">
              {whyOf(movement)}{' '}
              {movement.consignmentId !== null && (
                <Link to={`/consignments/${movement.consignmentId}`}>{movement.consignmentNumber}</Link>
              )}{' '}
              {movement.reason !== whyOf(movement) && <span className={styles.quiet}>{movement.reason}</span>}
            </span>,
            <Link key="place" to={`/inventory/${movement.warehouseProductId}`}>
              {movement.warehouseLocationName}
            </Link>,
            movement.userFullName ?? movement.appName ?? words.nothing,
          ],
        }))}
      />
    </Region>
  )
}
