// The lines of a new consignment: typed, or pasted from a spreadsheet.

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read } from '../../api.ts'
import type { Faults } from '../../faults.ts'
import { hasScope, useMe } from '../../me.ts'
import { type Draft, type DraftLine, emptyLine, linesIn, linesOf } from '../../new-consignment.ts'
import { newConsignmentWords as words } from '../../words/new-consignment.ts'
import styles from './new.module.css'

const fields = [
  { name: 'productCode', text: words.product, type: 'text', path: 'productCode' },
  { name: 'quantity', text: words.quantity, type: 'number', path: 'items[0].quantity' },
  { name: 'batch', text: words.batch, type: 'text', path: 'batch' },
] as const

export function NewLines({
  draft,
  faults,
  onChange,
}: {
  draft: Draft
  faults: Faults
  onChange: (lines: readonly DraftLine[]) => void
}) {
  const [isPasting, setPasting] = useState(false)
  const list = useId()
  const { lines } = draft
  // Empty lines are not sent, so the places of faults count the others.
  const sent = linesOf(draft)
  const faultAt = (line: DraftLine, path: string) => faults.at(`products[${sent.indexOf(line)}].${path}`)
  const change = (key: number, part: Partial<DraftLine>) =>
    onChange(lines.map(line => (line.key === key ? { ...line, ...part } : line)))
  return (
    <Region
      heading={words.lines}
      acts={
        <>
          <Button kind="quiet" onPress={() => setPasting(true)}>
            {words.pasteLines}
          </Button>
          <Button onPress={() => onChange([...lines, emptyLine()])}>{words.addLine}</Button>
        </>
      }
    >
      <SmallTable
        label={words.lines}
        heads={[...fields.map(({ text }) => ({ text })), { text: words.remove }]}
        rows={lines.map((line, i) => ({
          id: String(line.key),
          cells: [
            ...fields.map(({ name, text, type, path }) => (
              <LineField
                key={name}
                label={words.ofLine(text, i + 1)}
                type={type}
                value={line[name]}
                onChange={value => change(line.key, { [name]: value })}
                fault={faultAt(line, path)}
                list={name === 'productCode' ? list : undefined}
              />
            )),
            <Button
              key="remove"
              kind="quiet"
              label={words.removeLine(i + 1)}
              isDisabled={lines.length === 1}
              onPress={() => onChange(lines.filter(({ key }) => key !== line.key))}
            >
              {words.remove}
            </Button>,
          ],
        }))}
      />
      <Products id={list} draft={draft} />
      {isPasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onPaste={pasted => onChange([...lines.filter(({ productCode }) => productCode !== ''), ...pasted])}
        />
      )}
    </Region>
  )
}

interface LineFieldProps {
  label: string
  type: string
  value: string
  onChange: (value: string) => void
  fault: string | undefined
  list: string | undefined
}

function LineField({ label, type, value, onChange, fault, list }: LineFieldProps) {
  const id = useId()
  return (
    <>
      <input
        className={styles.cell}
        type={type}
        {...(type === 'number' ? { min: 0, step: 'any' } : {})}
        aria-label={label}
        value={value}
        list={list}
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
        {...(fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id })}
      />
      {fault !== undefined && (
        <p id={id} className={styles.fault}>
          {fault}
        </p>
      )}
    </>
  )
}

/** The products of the client, as suggestions. */
function Products({ id, draft: { clientCode } }: { id: string; draft: Draft }) {
  const me = useMe()
  const mayRead = hasScope(me, 'partner.read')
  const { data: found } = useQuery({
    ...read('/v1/partners', { query: { SearchText: clientCode, Relationship: 1, PageSize: 20 } }),
    enabled: mayRead && clientCode !== '' && me.partner === null,
  })
  const partnerId = me.partner?.id ?? found?.partners.find(({ code }) => code === clientCode)?.id
  const { data } = useQuery({
    ...read('/v1/partners/{partnerId}/products', {
      path: { partnerId: partnerId ?? '' },
      query: { PageSize: 100 },
    }),
    enabled: mayRead && partnerId !== undefined,
    staleTime: 60_000,
  })
  return (
    <datalist id={id}>
      {data?.products.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </datalist>
  )
}

function PasteDialog({
  onClose,
  onPaste,
}: {
  onClose: () => void
  onPaste: (lines: readonly DraftLine[]) => void
}) {
  const [text, setText] = useState('')
  return (
    <Dialog
      title={words.pasteLines}
      onClose={onClose}
      acts={
        <>
          <Button
            kind="main"
            isDisabled={text.trim() === ''}
            onPress={() => {
              onPaste(linesIn(text))
              onClose()
            }}
          >
            {words.pasteLines}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {uiWords.cancel}
          </Button>
        </>
      }
    >
      <TextField label={words.pasted} help={words.pasteHelp} value={text} onChange={setText} isMultiline />
    </Dialog>
  )
}
