// The dialog that asks an app to perform an action.

import { useState } from 'react'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { type RowOf, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { developerWords as words } from '../../words/developers.ts'

/** The object that a text is as JSON; null for an empty one, undefined if it is none. */
function objectIn(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export function RunAction({ app, onClose }: { app: RowOf<'/v1/custom-apps'>; onClose: () => void }) {
  const [action, setAction] = useState('')
  const [text, setText] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  const data = objectIn(text)
  return (
    <Confirm
      act={words.runAction}
      onClose={onClose}
      isDisabled={action.trim() === '' || data === undefined}
      onConfirm={async () => {
        await send('post', '/v1/custom-apps/{customAppId}/trigger-action', {
          path: { customAppId: app.id },
          body: { action: action.trim(), data: data ?? null },
        })
        notify({ text: words.actionSent(app.name) })
      }}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <p>{words.runActionWhy(app.name)}</p>
      <TextField
        label={words.action}
        help={words.actionHelp}
        value={action}
        onChange={setAction}
        fault={faults.at('action')}
        maxLength={200}
      />
      <TextField
        label={words.actionData}
        help={words.actionDataHelp}
        isMultiline
        value={text}
        onChange={setText}
        fault={data === undefined ? words.notJson : faults.at('data')}
      />
    </Confirm>
  )
}
