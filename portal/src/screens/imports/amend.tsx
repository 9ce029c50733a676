// The form that corrects what was sent. Saving tries the import again.

import { useId, useState } from 'react'
import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import type { Faults } from '../../faults.ts'
import { Conflict, useEdited, type Version } from '../../frame/Conflict.tsx'
import { groupInWords, type Leaf, leavesOf, withValue } from '../../import-request.ts'
import { readAgain } from '../../queries.ts'
import { consignmentWords } from '../../words/consignments.ts'
import { importWords as words } from '../../words/imports.ts'
import type { Import } from './import.tsx'
import styles from './imports.module.css'

export interface AmendFormProps {
  of: Import
  onClose: () => void
  /** a worker tries it again within moments */
  onSaved: () => void
}

export function AmendForm({ of, onClose, onSaved }: AmendFormProps) {
  const draft = useDraft(of.request ?? {})
  const edited = useEdited(of, '/v1/consignment-imports', async ifMatch => {
    const body = draft.take()
    if (body === undefined) return
    const { hasChanged } = await send('put', '/v1/consignment-imports/{consignmentImportId}', {
      path: { consignmentImportId: of.id },
      // The service checks the request, and names each fault by its place.
      body: { request: body as never },
      ifMatch,
    })
    notify({ text: hasChanged ? words.saved : words.unchanged })
    onSaved()
    onClose()
    await readAgain('/v1/consignments')
  })
  const { faults } = edited
  const { json } = draft
  return (
    <Region
      heading={words.sent}
      acts={
        <Button kind="quiet" onPress={json === undefined ? draft.showJson : () => void draft.take()}>
          {json === undefined ? words.asJson : words.asFields}
        </Button>
      }
    >
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          edited.save()
        }}
      >
        {(faults.all.length > 1 || faults.other !== undefined) && (
          <Refusal heading={uiWords.thingsToCorrect(faults.all.length)} reasons={faults.all} />
        )}
        {json === undefined ? (
          <Fields of={of} request={draft.request} faults={faults} onChange={draft.change} />
        ) : (
          <TextField
            label={words.json}
            value={json}
            onChange={draft.setJson}
            isMultiline
            fault={draft.isNotJson ? words.notJson : undefined}
          />
        )}
        <FormActs onCancel={onClose} />
        <Conflict edited={edited} versions={versionsOf(draft.request, of.request)} onClose={onClose} />
      </form>
    </Region>
  )
}

/** Every value that either has, by its place. */
function versionsOf(mine: unknown, theirs: unknown): readonly Version[] {
  const [own, other] = [mine, theirs].map(
    request => new Map(leavesOf(request).map(leaf => [leaf.path, leaf])),
  )
  return [...new Set([...(own?.keys() ?? []), ...(other?.keys() ?? [])])].map(path => ({
    label: own?.get(path)?.label ?? other?.get(path)?.label ?? path,
    mine: String(own?.get(path)?.value ?? ''),
    theirs: String(other?.get(path)?.value ?? ''),
  }))
}

const FormActs = ({ onCancel }: { onCancel: () => void }) => (
  <div className={styles.formActs}>
    <Button kind="main" type="submit">
      {words.saveAndTryAgain}
    </Button>
    <Button kind="quiet" onPress={onCancel}>
      {uiWords.cancel}
    </Button>
  </div>
)

/** The request as it is being corrected, in fields or as JSON. */
function useDraft(sent: object) {
  const [request, setRequest] = useState(sent)
  const [json, setJson] = useState<string>()
  const [isNotJson, setNotJson] = useState(false)
  return {
    ...{ request, json, setJson, isNotJson },
    change: (path: string, value: Leaf['value']) => setRequest(withValue(request, path, value) as object),
    showJson: () => setJson(JSON.stringify(request, null, 2)),
    /** The request, shown in fields again; undefined while what was typed is no JSON. */
    take(): object | undefined {
      if (json === undefined) return request
      const typed = parsed(json)
      setNotJson(typed === undefined)
      if (typed === undefined) return undefined
      setRequest(typed)
      setJson(undefined)
      return typed
    },
  }
}

const types = Object.values(ConsignmentType).map(type => ({
  value: String(type),
  text: consignmentWords.type(type),
}))

const typePath = 'consignmentType'

interface FieldsProps {
  of: Import
  request: object
  faults: Faults
  onChange: (path: string, value: Leaf['value']) => void
}

function Fields({ of, request, faults, onChange }: FieldsProps) {
  const id = useId()
  const all = leavesOf(request)
  const groups = Map.groupBy(all, ({ group }) => group)
  // Until something else is sent, a field shows for what the import waits.
  const reasons = new Map(of.reasons.map(({ path, message }) => [path, message]))
  const first = all.find(({ path }) => reasons.has(path)) ?? all.find(({ path }) => path !== typePath)
  const before = new Map(leavesOf(of.request).map(({ path, value }) => [path, value]))
  return [...groups].map(([group, leaves]) => (
    <fieldset key={group} className={styles.fields} aria-labelledby={`${id}${group}`}>
      <legend id={`${id}${group}`}>{words.group(group, groupInWords(group))}</legend>
      {leaves.map(({ path, label, value }) => {
        const fault =
          faults.at(`request.${path}`) ?? (before.get(path) === value ? reasons.get(path) : undefined)
        return path === typePath ? (
          <SelectField
            key={path}
            label={words.type}
            value={String(value)}
            options={types}
            onChange={text => onChange(path, Number(text))}
            fault={fault}
          />
        ) : (
          <TextField
            key={path}
            label={label}
            type={typeof value === 'number' ? 'number' : 'text'}
            value={String(value)}
            onChange={text => onChange(path, changed(value, text))}
            fault={fault}
            autoFocus={path === first?.path}
          />
        )
      })}
    </fieldset>
  ))
}

/** What was typed, as the kind of value that was there. */
function changed(value: Leaf['value'], text: string): Leaf['value'] {
  if (typeof value === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (typeof value === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

/** The object in a JSON text; undefined if it is none. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
