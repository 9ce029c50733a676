// The places of a warehouse, with the acts on those that are selected.

import { useMemo, useState } from 'react'
import { WarehouseStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { send } from '../../api.ts'
import { actOnEachNow, ConfirmEach, type EachAct } from '../../frame/ActOnEach.tsx'
import { ListRegion } from '../../frame/ListRegion.tsx'
import { type LocationRow, locationListOf } from '../../lists/warehouses.tsx'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useChangeSearch, useSearch } from '../../router.tsx'
import { warehouseWords as words } from '../../words/warehouses.ts'
import { mayPrint } from '../consignments/print-dialog.tsx'
import { LabelsDialog } from './labels-dialog.tsx'
import { LocationDialog } from './location-dialog.tsx'
import { useZoneOptions } from './zones.tsx'

type Selection = readonly LocationRow[]

type Act = { name: 'labels' | 'deactivate'; rows: Selection; clear: () => void }

export function Locations({ warehouseId, mayAct }: { warehouseId: string; mayAct: boolean }) {
  const zones = useZoneOptions(warehouseId)
  const list = useMemo(() => locationListOf(warehouseId, zones), [warehouseId, zones])
  const [act, setAct] = useState<Act>()
  const change = useChangeSearch()
  const { Location: opened } = useSearch()
  const mayLabel = mayPrint(useMe())
  const close = () => setAct(undefined)
  const selectedActs = (rows: Selection, clear: () => void) => (
    <>
      {mayLabel && <Button onPress={() => setAct({ name: 'labels', rows, clear })}>{words.labels}…</Button>}
      {mayAct && rows.some(({ status }) => status === WarehouseStatus.Active) && (
        <Button onPress={() => setAct({ name: 'deactivate', rows, clear })}>{words.deactivate}…</Button>
      )}
      {mayAct && rows.some(({ status }) => status === WarehouseStatus.Inactive) && (
        <Button onPress={() => void activate(rows, clear)}>{words.activate}</Button>
      )}
    </>
  )
  return (
    <>
      <ListRegion
        list={list}
        onOpen={({ id }) => change({ Location: id })}
        selectedActs={mayAct || mayLabel ? selectedActs : undefined}
      />
      {act?.name === 'labels' && (
        <LabelsDialog warehouseId={warehouseId} selected={act.rows} onClose={close} />
      )}
      {act?.name === 'deactivate' && <Deactivate {...act} onClose={close} />}
      {typeof opened === 'string' && (
        <LocationDialog
          key={opened}
          warehouseId={warehouseId}
          warehouseLocationId={opened}
          mayAct={mayAct}
          onClose={() => change({ Location: undefined })}
        />
      )}
    </>
  )
}

/** Gives places a status. */
const eachOf = (rows: Selection, clear: () => void, status: 1 | 2, done: string): EachAct<LocationRow> => ({
  ...{ rows: rows.filter(row => row.status !== status), done, clear },
  nameOf: ({ name }) => name,
  send: ({ warehouseId, id }) =>
    send('put', '/v1/warehouses/{warehouseId}/locations/{warehouseLocationId}', {
      path: { warehouseId, warehouseLocationId: id },
      body: { status },
    }),
  readAgain: () => readAgain('/v1/warehouses'),
})

const activate = (rows: Selection, clear: () => void): Promise<void> =>
  actOnEachNow(eachOf(rows, clear, WarehouseStatus.Active, words.activated(rows.length)))

const Deactivate = ({ rows, clear, onClose }: Act & { onClose: () => void }) => (
  <ConfirmEach
    act={words.deactivate}
    each={eachOf(rows, clear, WarehouseStatus.Inactive, words.deactivated(rows.length))}
    onClose={onClose}
  >
    <p>{words.deactivateMany(rows.length)}</p>
  </ConfirmEach>
)
