// Region Tracking: what carriers report, with the form that adds a number.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { mayEdit } from './edit-part.tsx'

export function Tracking({ consignment }: { consignment: Consignment }) {
  const { consignmentTracking } = consignment
  const me = useMe()
  const [isAdding, setAdding] = useState(false)
  const mayAdd =
    hasScope(me, 'consignment') &&
    (kindOf(me) === 'carrier' || (kindOf(me) === 'staff' && mayEdit(me, consignment)))
  return (
    <Region
      heading={words.tracking}
      summary={consignmentTracking.length || undefined}
      acts={
        mayAdd &&
        !isAdding && (
          <Button kind="quiet" onPress={() => setAdding(true)}>
            {words.addTracking}
          </Button>
        )
      }
    >
      {isAdding && <NewTracking consignment={consignment} onClose={() => setAdding(false)} />}
      {consignmentTracking.length === 0 && !isAdding ? (
        <Nothing text={words.noTracking} />
      ) : (
        <Rows>
          {consignmentTracking.map(({ id, trackingNumber, carrierName, status, modifiedUtc }) => (
            <li key={id} data-id={id}>
              <b>{trackingNumber ?? words.nothing}</b>
              <span>{carrierName}</span>
              <Pill text={words.trackingStatus(status)} tone="moving" />
              <UtcTime value={modifiedUtc} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

const trackingPath = '/v1/consignments/{consignmentId}/tracking'

function NewTracking({ consignment, onClose }: { consignment: Consignment; onClose: () => void }) {
  const [given, setGiven] = useState({
    ...{ carrierName: consignment.carrierName ?? '', trackingNumber: '', trackingUrl: '' },
  })
  const [faults, setFaults] = useState(faultsOf(undefined))
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onChange: (value: string) => setGiven({ ...given, [name]: value }),
    fault: faults.at(name),
  })
  async function add(): Promise<void> {
    const textOf = (name: keyof typeof given) => given[name].trim() || null
    const body = {
      ...{ carrierName: textOf('carrierName'), trackingNumber: textOf('trackingNumber') },
      trackingUrl: textOf('trackingUrl'),
    }
    try {
      await send('post', trackingPath, { path: { consignmentId: consignment.id }, body })
    } catch (error) {
      return setFaults(faultsOf(error))
    }
    notify({ text: words.saved })
    onClose()
    await readAgain('/v1/consignments')
  }
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      {faults.other !== undefined && <Refusal reasons={[faults.other]} />}
      <div className={styles.fields}>
        <TextField label={words.trackingNumber} isRequired autoFocus {...field('trackingNumber')} />
        <TextField label={words.headCarrier} {...field('carrierName')} />
        <TextField label={words.trackingUrl} type="url" {...field('trackingUrl')} />
      </div>
      <div className={styles.formActs}>
        <Button kind="main" type="submit">
          {words.addTracking}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {uiWords.cancel}
        </Button>
      </div>
    </form>
  )
}
