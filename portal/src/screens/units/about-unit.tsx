// What a unit is called and where it is, with the form that corrects its SSCC and reference.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Facts, Region } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, send } from '../../api.ts'
import { Conflict, useEdited } from '../../frame/Conflict.tsx'
import { stockWords as words } from '../../words/stock.ts'
import styles from '../inventory/stock.module.css'

type Unit = Got<'/v1/logistic-units/{logisticUnitId}'>

interface AboutProps {
  unit: Unit
  isEditing: boolean
  /** absent for people who may not */
  onEdit: (() => void) | undefined
  onClose: () => void
}

export function About({ unit, isEditing, onEdit, onClose }: AboutProps) {
  return (
    <Region
      heading={words.about}
      isBare
      acts={
        onEdit !== undefined &&
        !isEditing && (
          <Button kind="quiet" hint="E" onPress={onEdit}>
            {uiWords.edit}
          </Button>
        )
      }
    >
      {isEditing ? (
        <EditUnit unit={unit} onClose={onClose} />
      ) : (
        <Facts
          facts={[
            [words.warehouse, unit.warehouseName],
            [words.place, unit.warehouseLocationName],
            [words.client, unit.partnerName],
            [words.sscc, unit.ssccNumber],
            [words.reference, unit.referenceNumber],
            [words.made, <LocalDay key="made" value={unit.createdUtc} />],
          ]}
        />
      )}
    </Region>
  )
}

function EditUnit({ unit, onClose }: { unit: Unit; onClose: () => void }) {
  const [sscc, setSscc] = useState(unit.ssccNumber ?? '')
  const [reference, setReference] = useState(unit.referenceNumber ?? '')
  const edited = useEdited(unit, '/v1/logistic-units', async ifMatch => {
    await send('put', '/v1/logistic-units/{logisticUnitId}', {
      path: { logisticUnitId: unit.id },
      body: { ssccNumber: sscc.trim() || null, referenceNumber: reference.trim() || null },
      ifMatch,
    })
    notify({ text: words.unitSaved })
    onClose()
  })
  const { faults } = edited
  return (
    <form
      className={styles.wideForm}
      onSubmit={event => {
        event.preventDefault()
        edited.save()
      }}
    >
      <TextField
        label={words.sscc}
        value={sscc}
        onChange={setSscc}
        fault={faults.at('ssccNumber') ?? faults.other}
        autoFocus
      />
      <TextField
        label={words.reference}
        value={reference}
        onChange={setReference}
        fault={faults.at('referenceNumber')}
      />
      <div className={styles.formActs}>
        <Button kind="main" type="submit">
          {uiWords.save}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {uiWords.cancel}
        </Button>
      </div>
      <Conflict
        edited={edited}
        versions={[
          { label: words.sscc, mine: sscc.trim(), theirs: unit.ssccNumber ?? '' },
          { label: words.reference, mine: reference.trim(), theirs: unit.referenceNumber ?? '' },
        ]}
        onClose={onClose}
      />
    </form>
  )
}
