// What a unit is called and where it is, with the form that corrects its SSCC and reference.

import { Button } from '../../../../ui/Button.tsx'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Facts, Region } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, send } from '../../api.ts'
import { EditRecord } from '../../frame/RecordForm.tsx'
import { stockWords as words } from '../../words/stock.ts'

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

const editedFields = [
  { path: 'ssccNumber', label: words.sscc },
  { path: 'referenceNumber', label: words.reference },
]

const EditUnit = ({ unit, onClose }: { unit: Unit; onClose: () => void }) => (
  <EditRecord
    groups={[{ fields: editedFields }]}
    record={unit}
    path="/v1/logistic-units"
    save={async (change, ifMatch) => {
      await send('put', '/v1/logistic-units/{logisticUnitId}', {
        path: { logisticUnitId: unit.id },
        body: change,
        ifMatch,
      })
      notify({ text: words.unitSaved })
    }}
    onClose={onClose}
  />
)
