// What of a product is in stock, and where.

import { useQuery } from '@tanstack/react-query'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { productWords as words } from '../../words/products.ts'
import { stockWords } from '../../words/stock.ts'
import { mayChangeStock } from '../inventory/stock-acts.tsx'
import styles from './product.module.css'
import type { Product } from './product.tsx'

const shownRows = 10

export function ProductStock({ partnerId, product: { id, code } }: { partnerId: string; product: Product }) {
  const sums = useQuery(
    read('/v1/products', { query: { PartnerId: [partnerId], SearchText: code, PageSize: 100 } }),
  )
  const { data, isError } = useQuery(
    read('/v1/inventory', { query: { PartnerProductId: id, PageSize: 100 } }),
  )
  const rows = data?.inventory.flatMap(({ logisticUnit, products }) =>
    products
      .filter(({ partnerProductId }) => partnerProductId === id)
      .map(product => ({ ...product, unit: logisticUnit?.logisticUnitNumber })),
  )
  const mayAct = mayChangeStock(useMe())
  const sum = sums.data?.products.find(product => product.id === id)
  const state = regionStateOf(isError, rows)
  return (
    <Region
      heading={words.stock}
      state={state}
      acts={
        state === 'empty' && mayAct ? (
          <Link to="/inventory/opening">{stockWords.openingBalances}</Link>
        ) : (
          <Link to="/inventory" search={{ PartnerProductId: id } as never}>
            {words.showStock}
          </Link>
        )
      }
    >
      {sum !== undefined && <Figures {...sum} />}
      {state === 'empty' ? (
        <Nothing text={words.noStock} />
      ) : (
        <SmallTable
          label={words.stock}
          heads={[
            ...[words.place, words.palletUnit, words.batch, words.expiry].map(text => ({ text })),
            ...[words.onHand, words.available].map(text => ({ text, isAtEnd: true })),
          ]}
          rows={(rows ?? []).slice(0, shownRows).map(row => ({
            id: row.warehouseProductId,
            cells: [
              <Link key="place" to={`/inventory/${row.warehouseProductId}`}>
                {row.warehouseLocationName}
              </Link>,
              row.unit ?? words.nothing,
              row.batch ?? words.nothing,
              row.expiryDate === null ? words.nothing : <LocalDay key="expiry" value={row.expiryDate} />,
              quantity(row.onHandQuantity),
              quantity(row.availableQuantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}

const Figures = ({
  onHandQuantity,
  availableQuantity,
}: {
  onHandQuantity: number
  availableQuantity: number
}) => (
  <dl className={styles.figures}>
    <div>
      <dt>{words.onHand}</dt>
      <dd>{quantity(onHandQuantity)}</dd>
    </div>
    <div>
      <dt>{words.available}</dt>
      <dd>{quantity(availableQuantity)}</dd>
    </div>
  </dl>
)
