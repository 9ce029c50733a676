// The dialog that makes many places from a pattern of their names. What it will make is shown before.

import { useState } from 'react'
import { LocationType } from '../../../../client/src/waybill.ts'
import { expandPattern } from '../../../../src/warehouses/locations/location-pattern.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { locationTypeOptions } from '../../lists/warehouses.tsx'
import { readAgain } from '../../queries.ts'
import { warehouseWords as words } from '../../words/warehouses.ts'
import styles from './warehouse.module.css'
import { useZoneOptions } from './zones.tsx'

/** As many as the service makes at once. */
const maxLocations = 5_000

export function CreateMany({ warehouseId, onClose }: { warehouseId: string; onClose: () => void }) {
  const zones = [{ value: '', text: words.noZone }, ...useZoneOptions(warehouseId)]
  const [given, setGiven] = useState({
    ...{ pattern: '', type: String(LocationType.Racking), warehouseZoneId: '', firstWalkingOrder: '' },
  })
  const [faults, setFaults] = useState(faultsOf(undefined))
  const pattern = given.pattern.trim()
  const names = pattern === '' ? [] : expandPattern(pattern, maxLocations)
  const field = (name: keyof typeof given) => ({
    value: given[name],
    fault: faults.at(name),
    onChange: (value: string) => setGiven({ ...given, [name]: value }),
  })
  return (
    <Confirm
      act={words.createMany}
      onClose={onClose}
      isDisabled={names === undefined || names.length === 0}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.other === undefined ? [] : [found.other]
      }}
      onConfirm={async () => {
        setFaults(faultsOf(undefined))
        const { data } = await send('post', '/v1/warehouses/{warehouseId}/locations/many', {
          path: { warehouseId },
          body: {
            ...{ pattern, type: Number(given.type) as LocationType },
            warehouseZoneId: given.warehouseZoneId || null,
            firstWalkingOrder: given.firstWalkingOrder === '' ? null : Number(given.firstWalkingOrder),
          },
        })
        notify({ text: words.createdMany(data.warehouseLocationIds.length) })
        await readAgain('/v1/warehouses')
      }}
    >
      <TextField label={words.pattern} help={words.patternHelp} isRequired autoFocus {...field('pattern')} />
      <SelectField label={words.type} options={locationTypeOptions} {...field('type')} />
      <SelectField label={words.zone} options={zones} {...field('warehouseZoneId')} />
      <TextField
        label={words.firstWalking}
        help={words.firstWalkingHelp}
        type="number"
        {...field('firstWalkingOrder')}
      />
      {pattern !== '' && (
        <p role="status" aria-label={words.preview} className={styles.preview}>
          {names === undefined ? words.noPattern : words.previewOf(names)}
        </p>
      )}
    </Confirm>
  )
}
