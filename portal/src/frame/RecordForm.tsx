// Forms made of the fields of a record (record-fields.ts): a dialog that makes or changes a record, and the
// form that a region becomes when it is edited. Only what was changed is sent.

import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { Refusal } from '../../../ui/Refusal.tsx'
import { SuggestField } from '../../../ui/SuggestField.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import type { Faults } from '../faults.ts'
import { changeOf, type RecordField, shownIn, type Typed, textOf } from '../record-fields.ts'
import { Conflict, useEdited, type WhoChanged } from './Conflict.tsx'
import styles from './record-form.module.css'

/** Fields that belong together, under a heading if they have one. */
export interface FieldGroup {
  heading?: string
  fields: readonly RecordField[]
}

export interface RecordFormProps {
  groups: readonly FieldGroup[]
  /** the record as it is; of a new one, absent */
  record?: object | undefined
  /** what the fields of a new record begin with */
  initial?: Typed
  /** the path whose data the act changes */
  path: string
  /** sends the changed fields, with the tag of the record for If-Match */
  save: (change: object, ifMatch: string | undefined) => Promise<void>
  /** asks who has changed the record, where the service knows */
  whoChanged?: WhoChanged
  onClose: () => void
}

const nothing = {}

/** What a form holds, and how it is saved. */
function useRecordForm(props: RecordFormProps) {
  const { groups, record = nothing, initial = {}, path, save, onClose } = props
  const [opened] = useState(record)
  const [typed, setTyped] = useState(initial)
  const [isPending, setPending] = useState(false)
  const fields = groups.flatMap(group => group.fields)
  const edited = useEdited(
    record,
    path,
    async ifMatch => {
      setPending(true)
      try {
        await save(change, ifMatch)
      } finally {
        setPending(false)
      }
      onClose()
    },
    props.whoChanged,
  )
  const change = changeOf(opened, fields, typed)
  const isChanged = ({ path }: RecordField) => (path.split('.')[0] ?? path) in change
  const shown = (field: RecordField) => typed[field.path] ?? shownIn(opened, field)
  return {
    ...{ edited, isPending, shown },
    isMeant: isMeant(fields, shown),
    type: (field: RecordField, text: string) => setTyped(before => ({ ...before, [field.path]: text })),
    isComplete: fields.every(field => field.isRequired !== true || shown(field).trim() !== ''),
    reasons: reasonsBeside(edited.faults, fields),
    // What somebody else has changed, and the person has not, is not overwritten.
    versions: fields.filter(isChanged).map(field => ({
      label: field.label,
      mine: textOf(field, shown(field)),
      theirs: textOf(field, shownIn(record, field)),
    })),
  }
}

/** Whether a field means something beside what the others have. */
const isMeant =
  (fields: readonly RecordField[], shown: (field: RecordField) => string) =>
  ({ onlyIf }: RecordField) => {
    const other = fields.find(({ path }) => path === onlyIf?.path)
    return onlyIf === undefined || (other !== undefined && onlyIf.isOneOf.includes(shown(other)))
  }

/** What is wrong with no field that the form has. */
function reasonsBeside(faults: Faults, fields: readonly RecordField[]): readonly string[] {
  const isAtField = fields.some(({ path }) => faults.at(path) !== undefined)
  if (!isAtField) return faults.all
  return faults.other === undefined ? [] : [faults.other]
}

type RecordFormState = ReturnType<typeof useRecordForm>

interface RecordDialogProps extends RecordFormProps {
  /** the words of the act: the title, and the button that does it */
  act: string
  /** the title, if it is another */
  title?: string
  isWide?: boolean
  /** whether something else than the fields is still missing */
  isIncomplete?: boolean
  /** before the fields */
  children?: ReactNode
  /** after the fields */
  after?: ReactNode
}

/** A dialog with the fields of a record. It is open while it is rendered. */
export function RecordDialog({
  act,
  title = act,
  isWide = false,
  isIncomplete = false,
  children,
  after,
  ...props
}: RecordDialogProps) {
  const form = useRecordForm(props)
  if (form.edited.isChanged)
    return <Conflict edited={form.edited} versions={form.versions} onClose={props.onClose} />
  return (
    <Dialog
      title={title}
      onClose={props.onClose}
      isWide={isWide}
      state={form.reasons.length > 0 ? 'refused' : 'ready'}
      acts={
        <>
          <Button
            kind="main"
            onPress={form.edited.save}
            isPending={form.isPending}
            isDisabled={isIncomplete || !form.isComplete}
          >
            {act}
          </Button>
          <Button kind="quiet" onPress={props.onClose}>
            {uiWords.notNow}
          </Button>
        </>
      }
    >
      {children}
      <Groups groups={props.groups} form={form} />
      {after}
      <Refusal heading={uiWords.cannot} reasons={form.reasons} />
    </Dialog>
  )
}

/** The form in a region, with *Cancel* and the act, which is *Save* by default. */
export function EditRecord({ act, ...props }: RecordFormProps & { act?: string }) {
  const form = useRecordForm(props)
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        form.edited.save()
      }}
    >
      <Refusal reasons={form.reasons} />
      <Groups groups={props.groups} form={form} />
      <FormActs act={act} isPending={form.isPending} isDisabled={!form.isComplete} onClose={props.onClose} />
      <Conflict edited={form.edited} versions={form.versions} onClose={props.onClose} />
    </form>
  )
}

/** The buttons of a form. */
export const FormActs = ({
  act = uiWords.save,
  isPending,
  isDisabled,
  onClose,
}: {
  act?: string | undefined
  isPending?: boolean
  isDisabled?: boolean
  onClose: () => void
}) => (
  <div className={styles.formActs}>
    <Button kind="main" type="submit" isPending={isPending} isDisabled={isDisabled}>
      {act}
    </Button>
    <Button kind="quiet" onPress={onClose}>
      {uiWords.cancel}
    </Button>
  </div>
)

const Groups = ({ groups, form }: { groups: readonly FieldGroup[]; form: RecordFormState }) => (
  <div className={styles.groups}>
    {groups.map(({ heading, fields }, i) => {
      const shown = (
        <div key={heading ?? i} className={styles.fields}>
          {fields.filter(form.isMeant).map((field, j) => (
            <OneField key={field.path} field={field} form={form} isFirst={i === 0 && j === 0} />
          ))}
        </div>
      )
      if (heading === undefined) return shown
      return (
        <fieldset key={heading} className={styles.group}>
          <legend>{heading}</legend>
          {shown}
        </fieldset>
      )
    })}
  </div>
)

function OneField({ field, form, isFirst }: { field: RecordField; form: RecordFormState; isFirst: boolean }) {
  const { label, help, kind = 'text', options, suggestions, isRequired = false, maxLength } = field
  const value = form.shown(field)
  const onChange = (text: string) => form.type(field, text)
  const fault = form.edited.faults.at(field.path)
  if (kind === 'switch')
    return (
      <div className={styles.whole}>
        <SwitchField
          label={label}
          isOn={value === 'true'}
          onChange={isOn => onChange(String(isOn))}
          {...(help === undefined ? {} : { help })}
        />
      </div>
    )
  if (options !== undefined)
    return (
      <SelectField
        {...{ label, help, fault, value, onChange, isRequired }}
        options={options.some(option => option.value === value) ? options : [{ value, text: '' }, ...options]}
      />
    )
  if (suggestions !== undefined)
    return <SuggestField {...{ label, help, fault, value, onChange, isRequired, suggestions }} />
  return (
    <div className={kind === 'lines' ? styles.whole : ''}>
      <TextField
        {...{ label, help, fault, value, onChange, isRequired }}
        type={kind === 'lines' ? 'text' : kind}
        isMultiline={kind === 'lines'}
        autoFocus={isFirst}
        {...(maxLength === undefined ? {} : { maxLength })}
      />
    </div>
  )
}

/** The fields of a record to be read. Those without a value are left out. */
export const RecordFacts = ({
  groups,
  record,
  also = [],
}: {
  groups: readonly FieldGroup[]
  record: object
  /** what else is told, after the fields */
  also?: readonly (readonly [term: string, value: ReactNode])[] | undefined
}) => (
  <dl className={styles.facts}>
    {[
      ...groups
        .flatMap(({ fields }) => fields)
        .filter((field, _, all) => isMeant(all, other => shownIn(record, other))(field))
        .map(field => [field, shownIn(record, field)] as const)
        .filter(([, shown]) => shown !== '')
        .map(([field, shown]) => [field.label, textOf(field, shown)] as const),
      ...also,
    ]
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
