// A warehouse, `/warehouses/{id}`: where it is, its zones and its places.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Schemas, WarehouseStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf, type Got, read, send } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { Page } from '../../frame/Page.tsx'
import { ActivePill } from '../../lists/warehouses.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useIds } from '../../router.tsx'
import { warehouseWords as words } from '../../words/warehouses.ts'
import { words as shared } from '../../words.ts'
import { mayPrint } from '../consignments/print-dialog.tsx'
import { CreateMany } from './create-many.tsx'
import { LabelsDialog } from './labels-dialog.tsx'
import { NewLocation } from './location-dialog.tsx'
import { Locations } from './locations.tsx'
import { useWarehouseGroups } from './warehouse-fields.ts'
import { Zones } from './zones.tsx'

type Warehouse = Got<'/v1/warehouses/{warehouseId}'>

type Shown = 'many' | 'location' | 'labels' | 'deactivate'

export function Screen() {
  const { id: warehouseId = '' } = useIds()
  const me = useMe()
  const [shown, setShown] = useState<Shown>()
  const { data: warehouse } = useSuspenseQuery(
    read('/v1/warehouses/{warehouseId}', { path: { warehouseId } }),
  )
  const mayAct = hasScope(me, 'warehouse')
  const show = (what: Shown) => () => setShown(what)
  const close = () => setShown(undefined)
  useKeys({
    ...(mayAct ? { m: show('many'), c: show('location') } : {}),
    ...(mayPrint(me) ? { p: show('labels') } : {}),
  })
  return (
    <Page
      heading={warehouse.name}
      id={warehouseId}
      above={<Link to="/warehouses">{words.warehouses}</Link>}
      beside={<ActivePill status={warehouse.status} />}
      acts={
        <>
          {mayPrint(me) && <Button onPress={show('labels')}>{words.labels}…</Button>}
          {mayAct && <Acts warehouse={warehouse} onShow={setShown} />}
        </>
      }
    >
      <Details warehouse={warehouse} mayAct={mayAct} />
      <Zones warehouseId={warehouseId} mayAct={mayAct} />
      <Locations warehouseId={warehouseId} mayAct={mayAct} />
      {shown === 'many' && <CreateMany warehouseId={warehouseId} onClose={close} />}
      {shown === 'location' && <NewLocation warehouseId={warehouseId} onClose={close} />}
      {shown === 'labels' && <LabelsDialog warehouseId={warehouseId} selected={[]} onClose={close} />}
      {shown === 'deactivate' && <Deactivate warehouse={warehouse} onClose={close} />}
    </Page>
  )
}

function Acts({ warehouse, onShow }: { warehouse: Warehouse; onShow: (shown: Shown) => void }) {
  const isActive = warehouse.status === WarehouseStatus.Active
  const switching = isActive
    ? { id: 'off', text: `${words.deactivate}…`, isAlert: true, onAct: () => onShow('deactivate') }
    : { id: 'on', text: words.activate, onAct: () => void activate(warehouse) }
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          {
            acts: [{ id: 'new', text: `${words.newLocation}…`, onAct: () => onShow('location') }, switching],
          },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      <Button kind="main" hint="M" onPress={() => onShow('many')}>
        {words.createMany}…
      </Button>
    </>
  )
}

async function change({ id }: Warehouse, body: object, ifMatch: string | undefined) {
  const answer = await send('put', '/v1/warehouses/{warehouseId}', {
    path: { warehouseId: id },
    body: body as Schemas['WarehouseChange'],
    ifMatch,
  })
  await readAgain('/v1/warehouses', '/v1/me')
  return answer
}

/** Switches a warehouse on or off, and tells it. */
async function setStatus(warehouse: Warehouse, status: number, ifMatch: string | undefined, done: string) {
  const { hasChanged } = await change(warehouse, { status }, ifMatch)
  notify({ text: hasChanged ? done : shared.unchanged })
}

async function activate(warehouse: Warehouse): Promise<void> {
  try {
    await setStatus(warehouse, WarehouseStatus.Active, undefined, words.isActive(warehouse.name))
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

const Deactivate = ({ warehouse, onClose }: { warehouse: Warehouse; onClose: () => void }) => (
  <Confirm
    act={words.deactivate}
    isAlert
    onClose={onClose}
    reasonsOf={reasonsOf}
    onConfirm={() =>
      setStatus(warehouse, WarehouseStatus.Inactive, entityTagOf(warehouse), words.isInactive(warehouse.name))
    }
  >
    <p>{words.deactivateWhy(warehouse.name)}</p>
  </Confirm>
)

const Details = ({ warehouse, mayAct }: { warehouse: Warehouse; mayAct: boolean }) => (
  <EditableRegion
    heading={words.warehouse}
    isMain
    mayEdit={mayAct}
    groups={useWarehouseGroups(warehouse.id)}
    record={warehouse}
    path="/v1/warehouses"
    done={words.changed(warehouse.name)}
    save={(body, ifMatch) => change(warehouse, body, ifMatch)}
  />
)
