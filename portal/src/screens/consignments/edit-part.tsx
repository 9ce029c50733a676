// The form that a region of a consignment becomes when it is edited. A part is data: its endpoint and its
// fields. Only what was changed is sent.

import { type ReactNode, useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import { Conflict, useEdited } from '../../frame/Conflict.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { type Choice, useCarriers } from '../../suggestions.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import { words as shared } from '../../words.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

/** A field of a part: its path in the request, such as `destinationAddress.city`. */
interface PartField {
  path: string
  label: string
  type?: 'datetime-local'
  options?: readonly Choice[]
}

type PartName = 'general' | 'route' | 'container'

const times = (['expectedArrival', 'expectedDispatch', 'expectedDelivery'] as const).map(
  (name): PartField => ({ path: `${name}DateTime`, label: words[name], type: 'datetime-local' }),
)

const generalFields: readonly PartField[] = [
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

const containerFields: readonly PartField[] = [
  { path: 'containerNumber', label: words.container },
  { path: 'containerSealNumber', label: words.seal },
  { path: 'containerVesselName', label: words.vessel },
  { path: 'containerVoyage', label: words.voyage },
]

const addressParts = ['name', 'streetAddress', 'suburb', 'city', 'postCode', 'country'] as const

const addressFields = (place: 'originAddress' | 'destinationAddress', end: string): readonly PartField[] =>
  addressParts.map(part => ({ path: `${place}.${part}`, label: words.ofEnd(end, words.addressPart[part]) }))

/** The fields that the person may change: a client those of its own customers. */
function useFields(part: PartName): readonly PartField[] {
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

/** The value at a path of a consignment, as a field has it. */
function fieldValueOf(consignment: object, { path, type }: PartField): string {
  const value = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], consignment)
  if (value === null || value === undefined) return ''
  return type === undefined ? String(value) : String(value).slice(0, 16)
}

/** The changed fields as the endpoint takes them. An address is sent whole. */
function changeOf(consignment: Consignment, fields: readonly PartField[], typed: Typed): object {
  const change: Record<string, unknown> = {}
  for (const field of fields) {
    const value = typed[field.path]
    if (value === undefined || value === fieldValueOf(consignment, field)) continue
    const [name = '', part] = field.path.split('.')
    const given = value.trim() === '' ? null : value.trim()
    change[name] =
      part === undefined
        ? given
        : { ...((change[name] ?? consignment[name as 'originAddress']) as object | null), [part]: given }
  }
  return change
}

type Typed = Readonly<Record<string, string>>

export interface EditPartProps {
  part: PartName
  consignment: Consignment
  onClose: () => void
}

export function EditPart({ part, consignment, onClose }: EditPartProps) {
  const fields = useFields(part)
  const [opened] = useState(consignment)
  const [typed, setTyped] = useState<Typed>({})
  const edited = useEdited(consignment, '/v1/consignments', async ifMatch => {
    const { hasChanged } = await send('put', `/v1/consignments/{consignmentId}/${part}`, {
      path: { consignmentId: consignment.id },
      body: changeOf(opened, fields, typed),
      ifMatch,
    })
    notify({ text: hasChanged ? words.saved : shared.unchanged })
    onClose()
  })
  const shown = (field: PartField) => typed[field.path] ?? fieldValueOf(opened, field)
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        edited.save()
      }}
    >
      {edited.faults.other !== undefined && <Refusal reasons={[edited.faults.other]} />}
      <div className={styles.fields}>
        {fields.map((field, i) => {
          const common = {
            ...{ label: field.label, value: shown(field), fault: edited.faults.at(field.path) },
            onChange: (value: string) => setTyped({ ...typed, [field.path]: value }),
          }
          return field.options === undefined ? (
            <TextField key={field.path} type={field.type ?? 'text'} autoFocus={i === 0} {...common} />
          ) : (
            <SelectField key={field.path} options={field.options} {...common} />
          )
        })}
      </div>
      <FormActs onClose={onClose} />
      <Conflict
        edited={edited}
        versions={fields.map(field => ({
          ...{ label: field.label, mine: shown(field), theirs: fieldValueOf(consignment, field) },
        }))}
        onClose={onClose}
      />
    </form>
  )
}

const FormActs = ({ onClose }: { onClose: () => void }) => (
  <div className={styles.formActs}>
    <Button kind="main" type="submit">
      {uiWords.save}
    </Button>
    <Button kind="quiet" onPress={onClose}>
      {uiWords.cancel}
    </Button>
  </div>
)

/** The button that edits a part, and what stands in the region: its facts, or the form. */
export function useEditing(part: PartName, consignment: Consignment, label: string, facts: ReactNode) {
  const me = useMe()
  const [isEditing, setEditing] = useState(false)
  const act = !isEditing && mayEdit(me, consignment) && (
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
