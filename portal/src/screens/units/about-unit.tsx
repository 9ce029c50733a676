// What a unit is called and where it is, with the form that corrects its SSCC and reference.

import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { Facts } from '../../../../ui/Region.tsx'
import { type Got, send } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { stockWords as words } from '../../words/stock.ts'

type Unit = Got<'/v1/logistic-units/{logisticUnitId}'>

const groups = [
  {
    fields: [
      { path: 'ssccNumber', label: words.sscc },
      { path: 'referenceNumber', label: words.reference },
    ],
  },
]

export const About = ({ unit, mayChange }: { unit: Unit; mayChange: boolean }) => (
  <EditableRegion
    heading={words.about}
    isMain
    isBare
    mayEdit={mayChange}
    groups={groups}
    record={unit}
    path="/v1/logistic-units"
    done={words.unitSaved}
    save={(change, ifMatch) =>
      send('put', '/v1/logistic-units/{logisticUnitId}', {
        path: { logisticUnitId: unit.id },
        body: change,
        ifMatch,
      })
    }
  >
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
  </EditableRegion>
)
