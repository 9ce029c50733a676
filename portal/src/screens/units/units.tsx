// The list of logistic units, `/units`, with the dialog that makes one.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Listing } from '../../frame/Listing.tsx'
import { unitList } from '../../lists/units.tsx'
import { useMe } from '../../me.ts'
import { useClientOptions, usePlaces, warehouseOptions } from '../../suggestions.ts'
import { stockWords as words } from '../../words/stock.ts'
import { mayChangeStock } from '../inventory/stock-acts.tsx'

export function Screen() {
  const mayAct = mayChangeStock(useMe())
  const [isMaking, setMaking] = useState(false)
  useKeys(mayAct ? { c: () => setMaking(true) } : {})
  return (
    <>
      <Listing
        list={unitList}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setMaking(true)}>
              {words.newUnit}
            </Button>
          )
        }
      />
      {isMaking && <NewUnit onClose={() => setMaking(false)} />}
    </>
  )
}

function NewUnit({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const clients = useClientOptions(me)
  const [given, setGiven] = useState({ client: '', warehouse: me.warehouses[0]?.id ?? '', place: '' })
  const [referenceNumber, setReference] = useState('')
  const [generateSscc, setGenerate] = useState(true)
  const places = usePlaces(given.warehouse, given.place)
  const warehouseLocationId = places.find(({ value }) => value === given.place)?.id ?? ''
  const partnerId = given.client || (clients[0]?.value ?? '')
  const field = (name: keyof typeof given) => (value: string) => setGiven({ ...given, [name]: value })
  return (
    <ActDialog
      act={words.createUnit}
      method="post"
      path="/v1/logistic-units"
      request={{
        body: {
          ...{ partnerId, warehouseId: given.warehouse, warehouseLocationId, generateSscc },
          referenceNumber: referenceNumber.trim() || null,
        },
      }}
      isComplete={partnerId !== '' && warehouseLocationId !== ''}
      done={words.unitMade}
      changes={['/v1/logistic-units']}
      onClose={onClose}
    >
      {faults => (
        <>
          <SelectField label={words.client} value={partnerId} onChange={field('client')} options={clients} />
          <SelectField
            label={words.warehouse}
            value={given.warehouse}
            onChange={field('warehouse')}
            options={warehouseOptions(me)}
          />
          <SuggestField
            label={words.place}
            value={given.place}
            onChange={field('place')}
            suggestions={places}
            fault={faults.at('warehouseLocationId')}
            isRequired
          />
          <TextField
            label={words.reference}
            value={referenceNumber}
            onChange={setReference}
            fault={faults.at('referenceNumber')}
          />
          <SwitchField label={words.generateSscc} isOn={generateSscc} onChange={setGenerate} />
        </>
      )}
    </ActDialog>
  )
}
