// The lines of a new consignment: typed, or pasted from a spreadsheet.

import { useId, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import type { Faults } from '../../faults.ts'
import { hasScope, useMe } from '../../me.ts'
import { type Draft, type DraftLine, emptyLine, linesIn, linesOf } from '../../new-consignment.ts'
import { useClients, useProducts } from '../../suggestions.ts'
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
  const [typedCode, setTypedCode] = useState('')
  const { lines } = draft
  // Empty lines are not sent, so the places of faults count the others.
  const sent = linesOf(draft)
  const faultAt = (line: DraftLine, path: string) => faults.at(`products[${sent.indexOf(line)}].${path}`)
  const change = (key: number, part: Partial<DraftLine>) =>
    onChange(lines.map(line => (line.key === key ? { ...line, ...part } : line)))
  return (
    <Region
      heading={words.lines}
      acts={<LinesActs onPaste={() => setPasting(true)} onAdd={() => onChange([...lines, emptyLine()])} />}
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
                onChange={value => {
                  change(line.key, { [name]: value })
                  if (name === 'productCode') setTypedCode(value.trim())
                }}
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
      <ProductCodes id={list} clientCode={draft.clientCode} text={typedCode} />
      {isPasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onPaste={pasted => onChange([...lines.filter(({ productCode }) => productCode !== ''), ...pasted])}
        />
      )}
    </Region>
  )
}

const LinesActs = ({ onPaste, onAdd }: { onPaste: () => void; onAdd: () => void }) => (
  <>
    <Button kind="quiet" onPress={onPaste}>
      {words.pasteLines}
    </Button>
    <Button onPress={onAdd}>{words.addLine}</Button>
  </>
)

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

/** The products of the client whose codes or names have this text, as suggestions. */
function ProductCodes({ id, clientCode, text }: { id: string; clientCode: string; text: string }) {
  const me = useMe()
  const client = useClients(me).find(({ code }) => code === clientCode)
  const products = useProducts(
    hasScope(me, 'partner.read') ? (me.partner?.id ?? client?.id) : undefined,
    text,
  )
  return (
    <datalist id={id}>
      {products.map(({ code, name }) => (
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
