// The form that a region of a consignment becomes when it is edited. A part is data: its endpoint and its
// fields. Only what was changed is sent.

import { type ReactNode, useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, get, send } from '../../api.ts'
import { EditRecord } from '../../frame/RecordForm.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import type { RecordField } from '../../record-fields.ts'
import { useCarriers } from '../../suggestions.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import { words as shared } from '../../words.ts'
import type { Consignment } from './consignment.tsx'

type PartName = 'general' | 'route' | 'container'

const times = (['expectedArrival', 'expectedDispatch', 'expectedDelivery'] as const).map(
  (name): RecordField => ({ path: `${name}DateTime`, label: words[name], kind: 'datetime-local' }),
)

const generalFields: readonly RecordField[] = [
  { path: 'referenceNumber', label: words.reference },
  { path: 'poNumber', label: words.purchaseOrder },
  { path: 'soNumber', label: words.salesOrder },
  { path: 'receiversReference', label: words.receiversReference },
  { path: 'sendersReference', label: words.sendersReference },
  { path: 'externalId', label: words.externalId },
  ...times,
  { path: 'deliveryInstructions', label: words.deliveryInstructions },
  { path: 'pickingInstructions', label: words.pickingInstructions },
]

const containerFields: readonly RecordField[] = [
  { path: 'containerNumber', label: words.container },
  { path: 'containerSealNumber', label: words.seal },
  { path: 'containerVesselName', label: words.vessel },
  { path: 'containerVoyage', label: words.voyage },
]

const addressParts = ['name', 'streetAddress', 'suburb', 'city', 'postCode', 'country'] as const

const addressFields = (place: 'originAddress' | 'destinationAddress', end: string): readonly RecordField[] =>
  addressParts.map(part => ({ path: `${place}.${part}`, label: words.ofEnd(end, words.addressPart[part]) }))

/** The fields that the person may change: a client those of its own customers. */
function useFields(part: PartName): readonly RecordField[] {
  const me = useMe()
  const carriers = useCarriers(me).map(({ code, name }) => ({ value: code, text: name }))
  if (part === 'general') return generalFields
  if (part === 'container') return containerFields
  const ends = [
    ...addressFields('originAddress', words.from),
    ...addressFields('destinationAddress', words.to),
  ]
  if (kindOf(me) !== 'staff') return ends
  const carrier = {
    path: 'carrierCode',
    label: words.headCarrier,
    options: [{ value: '', text: words.noCarrier }, ...carriers],
  }
  return [carrier, { path: 'carrierReference', label: words.carrierReference }, ...ends]
}

/** Whether the person may change parts of a consignment in this status. */
export function mayEdit(me: Me, { status }: Consignment): boolean {
  const { Draft, Pending, Closed, Void } = ConsignmentStatus
  if (!hasScope(me, 'consignment')) return false
  if (kindOf(me) === 'client') return status === Draft || status === Pending
  return kindOf(me) === 'staff' && status !== Closed && status !== Void
}

export interface EditPartProps {
  part: PartName
  consignment: Consignment
  onClose: () => void
}

export const EditPart = ({ part, consignment, onClose }: EditPartProps) => (
  <EditRecord
    groups={[{ fields: useFields(part) }]}
    record={consignment}
    path="/v1/consignments"
    save={async (body, ifMatch) => {
      const { hasChanged } = await send('put', `/v1/consignments/{consignmentId}/${part}`, {
        path: { consignmentId: consignment.id },
        body,
        ifMatch,
      })
      notify({ text: hasChanged ? words.saved : shared.unchanged })
    }}
    whoChanged={() => whoChanged(consignment.id)}
    onClose={onClose}
  />
)

/** Who has changed a consignment last. What the service has done by itself is by nobody. */
async function whoChanged(consignmentId: string) {
  const path = '/v1/consignments/{consignmentId}/history'
  const query = { PageSize: 1 }
  const [entry] = (await get<Got<typeof path>>(path, { path: { consignmentId }, query })).history
  const name = entry?.userFullName ?? entry?.appName
  return entry === undefined || name == null ? undefined : { name, atUtc: entry.atUtc }
}

/** The button that edits a part, and what stands in the region: its facts, or the form. */
export function useEditing(part: PartName, consignment: Consignment, label: string, facts: ReactNode) {
  const me = useMe()
  const [isEditing, setEditing] = useState(false)
  const may = mayEdit(me, consignment)
  // When it is due and by what it is known changes most often.
  useKeys(may && part === 'general' ? { e: () => setEditing(true) } : {})
  const act = !isEditing && may && (
    <Button kind="quiet" label={label} onPress={() => setEditing(true)}>
      {uiWords.edit}
    </Button>
  )
  const content = isEditing ? (
    <EditPart part={part} consignment={consignment} onClose={() => setEditing(false)} />
  ) : (
    facts
  )
  return { act, content, isEditing }
}
