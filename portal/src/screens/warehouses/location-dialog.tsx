// The dialogs of a place of a warehouse: a new one, and one that is looked at or changed.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LocationType, type Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, read, readFile, send } from '../../api.ts'
import { save } from '../../frame/export-rows.ts'
import { RecordDialog, RecordFacts } from '../../frame/RecordForm.tsx'
import { useRecord } from '../../frame/use-record.ts'
import { useMe } from '../../me.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link } from '../../router.tsx'
import { useClientOptions, useProducts } from '../../suggestions.ts'
import { warehouseWords as words } from '../../words/warehouses.ts'
import { words as shared } from '../../words.ts'
import styles from './warehouse.module.css'
import { locationGroups } from './warehouse-fields.ts'
import { useZoneOptions } from './zones.tsx'

type Location = Got<'/v1/warehouses/{warehouseId}/locations/{warehouseLocationId}'>

export function NewLocation({ warehouseId, onClose }: { warehouseId: string; onClose: () => void }) {
  const zones = useZoneOptions(warehouseId)
  const face = usePickfaceProduct(undefined)
  return (
    <RecordDialog
      act={words.newLocation}
      isWide
      groups={locationGroups(zones)}
      initial={{ type: String(LocationType.Racking) }}
      path="/v1/warehouses"
      after={face.field}
      save={async change => {
        const body = { ...change, ...face.change() } as Schemas['NewWarehouseLocation']
        await send('post', '/v1/warehouses/{warehouseId}/locations', { path: { warehouseId }, body })
        notify({ text: words.created(body.name) })
      }}
      onClose={onClose}
    />
  )
}

interface LocationDialogProps {
  warehouseId: string
  warehouseLocationId: string
  mayAct: boolean
  onClose: () => void
}

/** A place. Whoever may not change it reads it. */
export function LocationDialog({ mayAct, onClose, ...path }: LocationDialogProps) {
  const location = useRecord(
    read('/v1/warehouses/{warehouseId}/locations/{warehouseLocationId}', { path }),
    onClose,
  )
  if (location === undefined) return null
  return mayAct ? (
    <EditLocation location={location} onClose={onClose} />
  ) : (
    <ReadLocation location={location} onClose={onClose} />
  )
}

function EditLocation({ location, onClose }: { location: Location; onClose: () => void }) {
  const zones = useZoneOptions(location.warehouseId)
  const face = usePickfaceProduct(location)
  const path = { warehouseId: location.warehouseId, warehouseLocationId: location.id }
  return (
    <RecordDialog
      act={uiWords.save}
      title={location.name}
      isWide
      groups={locationGroups(zones)}
      record={location}
      path="/v1/warehouses"
      after={face.field}
      save={async (change, ifMatch) => {
        const body = { ...change, ...face.change() } as Schemas['WarehouseLocationChange']
        const { hasChanged } = await send(
          'put',
          '/v1/warehouses/{warehouseId}/locations/{warehouseLocationId}',
          { path, body, ifMatch },
        )
        notify({ text: hasChanged ? words.changed(location.name) : shared.unchanged })
      }}
      onClose={onClose}
    >
      <Elsewhere location={location} />
    </RecordDialog>
  )
}

function ReadLocation({ location, onClose }: { location: Location; onClose: () => void }) {
  const fields = locationGroups(useZoneOptions(location.warehouseId)).flatMap(group => group.fields)
  return (
    <Dialog
      title={location.name}
      onClose={onClose}
      isWide
      acts={<Button onPress={onClose}>{uiWords.close}</Button>}
    >
      <Elsewhere location={location} />
      <RecordFacts groups={[{ fields }]} record={location} />
    </Dialog>
  )
}

/** What is in the place, and its label. */
const Elsewhere = ({ location }: { location: Location }) => (
  <div className={styles.elsewhere}>
    <Link to="/inventory" search={{ WarehouseLocationId: location.id } as never}>
      {words.stockHere}
    </Link>
    <Button kind="quiet" onPress={() => void downloadLabel(location)}>
      {words.label}
    </Button>
  </div>
)

async function downloadLabel({ warehouseId, id, name }: Location): Promise<void> {
  try {
    const file = await readFile(`/v1/warehouses/${warehouseId}/locations/${id}/label`)
    save(file.blob, file.name ?? `${name}.pdf`)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

/** The product of a pickface: the fields, and what they change. */
function usePickfaceProduct(location: Location | undefined) {
  const clients = useClientOptions(useMe())
  const owner = useOwner(location)
  const [chosen, setClient] = useState('')
  const client = chosen || (owner ?? clients[0]?.value ?? '')
  const present = location?.partnerProductCode ?? ''
  const [code, setCode] = useState(present)
  const products = useProducts(client, code === present ? '' : code)
  const product = products.find(({ value }) => value === code.trim())
  const isKnown = code.trim() === '' || code === present || product !== undefined
  return {
    field: (
      <fieldset className={styles.product}>
        <legend>{words.pickfaceProduct}</legend>
        <SelectField label={words.client} value={client} onChange={setClient} options={clients} />
        <SuggestField
          label={words.product}
          value={code}
          onChange={setCode}
          suggestions={products}
          fault={isKnown ? undefined : words.noProduct(code)}
        />
      </fieldset>
    ),
    change: () => {
      if (code === present || !isKnown) return {}
      return { partnerProductId: product?.id ?? null }
    },
  }
}

/** The client whose product a pickface has. */
function useOwner(location: Location | undefined): string | undefined {
  const code = location?.partnerProductCode ?? ''
  const { data } = useQuery({
    ...read('/v1/products', { query: { SearchText: code, PageSize: 100 } }),
    enabled: code !== '',
  })
  return data?.products.find(({ id }) => id === location?.partnerProductId)?.partnerId
}
