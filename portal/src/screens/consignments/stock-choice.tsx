// A choice among the free stock of a product: another place to pick from, or stock that a person allocates.

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { day } from '../../../../ui/time.ts'
import { readAll } from '../../every-page.ts'
import type { StockRow } from '../../lists/inventory.tsx'
import { pickWords as words } from '../../words/pick.ts'
import styles from './pick.module.css'

/** The rows of the product's stock in a warehouse of which something is free; undefined until it is known. */
export function useFreeStock(
  warehouseId: string | null,
  PartnerProductId: string | undefined,
): readonly StockRow[] | undefined {
  const { data } = useQuery({
    ...readAll('/v1/inventory', {
      query: {
        ...(PartnerProductId === undefined ? {} : { PartnerProductId }),
        ...(warehouseId === null ? {} : { WarehouseId: warehouseId }),
      },
    }),
    enabled: PartnerProductId !== undefined && warehouseId !== null,
  })
  return data?.inventory
    .flatMap(({ products, logisticUnit }) => products.map(product => ({ ...product, unit: logisticUnit })))
    .filter(({ availableQuantity }) => availableQuantity > 0)
}

const factsOf = ({ unit, batch, expiryDate }: StockRow) => [
  ...(unit === null ? [] : [unit.logisticUnitNumber]),
  ...(batch === null ? [] : [words.batchOf(batch)]),
  ...(expiryDate === null ? [] : [words.expires(day(expiryDate))]),
]

/** The choice: each row of stock with what tells it from the others. */
export function StockChoice({
  stock,
  value,
  onChange,
}: {
  stock: readonly StockRow[] | undefined
  /** the id of the row */
  value: string
  onChange: (row: StockRow) => void
}) {
  const name = useId()
  if (stock?.length === 0) return <p>{words.noOtherStock}</p>
  return (
    <fieldset className={styles.choice}>
      <legend>{words.stock}</legend>
      {(stock ?? []).map(row => (
        <label key={row.warehouseProductId}>
          <input
            type="radio"
            name={name}
            value={row.warehouseProductId}
            checked={value === row.warehouseProductId}
            onChange={() => onChange(row)}
          />
          {words.freeIn(row.warehouseLocationName, factsOf(row), row.availableQuantity)}
        </label>
      ))}
    </fieldset>
  )
}

/** The serials of a row of stock that no order has; none where nothing is captured before it leaves. */
export function useFreeSerials(warehouseProductId: string | undefined): readonly string[] {
  const { data } = useQuery({
    ...readAll('/v1/inventory/{warehouseProductId}/items', {
      path: { warehouseProductId: warehouseProductId ?? '' },
    }),
    enabled: warehouseProductId !== undefined,
  })
  return (data?.items ?? []).flatMap(({ serial, availableQuantity }) =>
    availableQuantity > 0 && serial !== null ? [serial] : [],
  )
}

/** A choice among serials. */
export function SerialChoice({
  serials,
  chosen,
  onChange,
}: {
  serials: readonly string[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}) {
  return (
    <fieldset className={styles.choice}>
      <legend>{words.serialsChosen(chosen.size)}</legend>
      {serials.map(serial => (
        <label key={serial}>
          <input
            type="checkbox"
            checked={chosen.has(serial)}
            onChange={() => {
              const next = new Set(chosen)
              if (!next.delete(serial)) next.add(serial)
              onChange(next)
            }}
          />
          {serial}
        </label>
      ))}
    </fieldset>
  )
}
