// A field for a number that is kept as one: what is being typed, such as `0.0`, stays as it is.

import { useState } from 'react'
import { TextField } from '../../../../ui/Field.tsx'

const textOf = (value: number | null | undefined) => (value == null ? '' : String(value))
const numberIn = (text: string) => (text.trim() === '' ? null : Number(text))

export function NumberField({
  label,
  help,
  value,
  onChange,
  fault,
}: {
  label: string
  help?: string | undefined
  value: number | null | undefined
  onChange: (value: number | null) => void
  fault?: string | undefined
}) {
  const [typed, setTyped] = useState(textOf(value))
  return (
    <TextField
      label={label}
      help={help}
      type="number"
      value={numberIn(typed) === (value ?? null) ? typed : textOf(value)}
      onChange={text => {
        setTyped(text)
        onChange(numberIn(text))
      }}
      fault={fault}
    />
  )
}
