// Region Put away of a row of stock: the places that the service suggests, each with its reason.

import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/Button.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { regionStateOf } from '../../queries.ts'
import { stockWords as words } from '../../words/stock.ts'
import styles from './stock.module.css'
import type { StockRecord } from './stock.tsx'

export function PutAway({ stock, onMove }: { stock: StockRecord; onMove: (place: string) => void }) {
  const { warehouseProductId } = stock
  const { data, isError } = useQuery(
    read('/v1/inventory/{warehouseProductId}/put-away', { path: { warehouseProductId } }),
  )
  const places = data?.locations ?? []
  const state = regionStateOf(isError, data && places)
  return (
    <Region heading={words.putAway} state={state}>
      {state === 'empty' || state === 'error' ? (
        <Nothing text={words.noPutAway} />
      ) : (
        <Rows>
          {places.map(place => (
            <li key={place.warehouseLocationId} data-id={place.warehouseLocationId}>
              <b>{place.warehouseLocationName}</b>
              <span className={styles.quiet}>
                {[
                  words.putAwayReason(place.reason),
                  place.onHandQuantity > 0 && words.there(quantity(place.onHandQuantity)),
                  place.wantedQuantity !== null && words.wants(quantity(place.wantedQuantity)),
                  place.exceeds.length > 0 && words.exceeds,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </span>
              <Button
                label={words.moveTo(place.warehouseLocationName)}
                onPress={() => onMove(place.warehouseLocationName)}
              >
                {words.move}
              </Button>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
