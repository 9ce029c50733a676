// Asks for the days that a filter of a period is from and to.

import { useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { TextField } from './Field.tsx'
import type { Filter, FilterValues } from './FilterBar.tsx'
import { words } from './words.ts'

export function PeriodDialog({
  filter,
  values,
  onChange,
  onClose,
}: {
  filter: Filter
  values: FilterValues
  onChange: (change: FilterValues) => void
  onClose: () => void
}) {
  const { name, toName = name } = filter
  const [from, setFrom] = useState(values[name] ?? '')
  const [to, setTo] = useState(values[toName] ?? '')
  const isReversed = from !== '' && to !== '' && to < from
  const apply = () => {
    onChange({ [name]: from || undefined, [toName]: to || undefined })
    onClose()
  }
  return (
    <Dialog
      title={filter.label}
      onClose={onClose}
      acts={
        <>
          <Button kind="main" onPress={apply} isDisabled={isReversed}>
            {words.apply}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {words.cancel}
          </Button>
        </>
      }
    >
      <TextField label={words.from} type="date" value={from} onChange={setFrom} />
      <TextField
        label={words.to}
        type="date"
        value={to}
        onChange={setTo}
        fault={isReversed ? words.endsBefore : undefined}
      />
    </Dialog>
  )
}
