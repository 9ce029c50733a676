// Asks for the name of a view of a list that is saved or renamed.

import { useState } from 'react'
import { Confirm } from '../../../ui/Confirm.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { words } from '../../../ui/words.ts'
import { changeViews, type OwnView } from '../preferences.ts'
import { reasonsOf } from '../rehearse.ts'
import type { Search } from '../router.tsx'

const maxName = 60

export function ViewName({
  list,
  renamed,
  search,
  taken,
  onClose,
}: {
  list: string
  renamed: OwnView | undefined
  search: Search
  taken: readonly string[]
  onClose: () => void
}) {
  const [text, setText] = useState(renamed?.name ?? '')
  const name = text.trim()
  const isTaken = name !== renamed?.name && taken.includes(name)
  return (
    <Confirm
      act={renamed === undefined ? words.saveView : words.renameView}
      onClose={onClose}
      isDisabled={name === '' || isTaken}
      reasonsOf={reasonsOf}
      onConfirm={() =>
        changeViews(list, views =>
          renamed === undefined
            ? [...views, { name, search }]
            : views.map(view => (view.name === renamed.name ? { ...view, name } : view)),
        )
      }
    >
      <TextField
        label={words.viewName}
        help={words.viewHelp}
        value={text}
        onChange={setText}
        maxLength={maxName}
        fault={isTaken ? words.viewTaken : undefined}
        autoFocus
      />
    </Confirm>
  )
}
