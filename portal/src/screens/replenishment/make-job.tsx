// The dialog that makes a replenishment job of the pick faces of a client.

import { useState } from 'react'
import { SelectField } from '../../../../ui/Field.tsx'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { useMe } from '../../me.ts'
import { useClientOptions, warehouseOptions } from '../../suggestions.ts'
import { countWords as words } from '../../words/counts.ts'

/** The dialog. It asks for the warehouse, unless one is given. */
export function MakeJob({
  act,
  warehouseId: given,
  onClose,
}: {
  act: string
  warehouseId?: string
  onClose: () => void
}) {
  const me = useMe()
  const clients = useClientOptions(me)
  const [client, setClient] = useState('')
  const [warehouse, setWarehouse] = useState(me.warehouses[0]?.id ?? '')
  const clientId = client || (clients[0]?.value ?? '')
  const warehouseId = given ?? warehouse
  return (
    <ActDialog
      act={act}
      method="post"
      path="/v1/jobs/replenishment"
      request={{ body: { warehouseId, clientId } }}
      isComplete={clientId !== '' && warehouseId !== ''}
      done={words.jobMade}
      changes={['/v1/jobs', '/v1/reports/pickface-replenishment', '/v1/reports/pickface-exception']}
      onClose={onClose}
    >
      {() => (
        <>
          {given === undefined && (
            <SelectField
              label={words.warehouse}
              value={warehouse}
              onChange={setWarehouse}
              options={warehouseOptions(me)}
            />
          )}
          <SelectField label={words.client} value={clientId} onChange={setClient} options={clients} />
        </>
      )}
    </ActDialog>
  )
}
