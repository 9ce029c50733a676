// The warehouses, `/warehouses`, with the dialog that makes one.

import { useState } from 'react'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { readersZone } from '../../../../ui/time.ts'
import { send } from '../../api.ts'
import { Listing } from '../../frame/Listing.tsx'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { warehouseList } from '../../lists/warehouses.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useGo } from '../../router.tsx'
import { warehouseWords as words } from '../../words/warehouses.ts'
import { newWarehouseFields } from './warehouse-fields.ts'

type NewWarehouse = Schemas['NewWarehouse']

export function Screen() {
  const mayAct = hasScope(useMe(), 'warehouse')
  const [isMaking, setMaking] = useState(false)
  useKeys(mayAct ? { c: () => setMaking(true) } : {})
  return (
    <>
      <Listing
        list={warehouseList}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setMaking(true)}>
              {words.newWarehouse}
            </Button>
          )
        }
      />
      {isMaking && <NewWarehouseDialog onClose={() => setMaking(false)} />}
    </>
  )
}

function NewWarehouseDialog({ onClose }: { onClose: () => void }) {
  const go = useGo()
  return (
    <RecordDialog
      act={words.newWarehouse}
      groups={[{ fields: newWarehouseFields() }]}
      initial={{ timezoneId: readersZone() }}
      path="/v1/warehouses"
      save={async change => {
        const body = change as NewWarehouse
        const { data } = await send('post', '/v1/warehouses', { body })
        notify({ text: words.created(body.name) })
        await readAgain('/v1/me')
        go(`/warehouses/${data.warehouseId}`)
      }}
      onClose={onClose}
    />
  )
}
