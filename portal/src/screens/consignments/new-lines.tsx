// The lines of a new consignment: typed, or pasted from a spreadsheet.

import { useId, useState } from 'react'
import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import type { Faults } from '../../faults.ts'
import { hasScope, useMe } from '../../me.ts'
import { type Draft, type DraftLine, emptyLine, linesIn, linesOf } from '../../new-consignment.ts'
import { useProducts } from '../../suggestions.ts'
import { newConsignmentWords as words } from '../../words/new-consignment.ts'
import { useClientId, useLineProducts } from './line-products.ts'
import { newLineCells } from './new-line.tsx'

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
  const [added, setAdded] = useState<DraftLine>()
  const [typedCode, setTypedCode] = useState('')
  const { lines, type } = draft
  const productOf = useLineProducts(draft)
  // Empty lines are not sent, so the places of faults count the others.
  const sent = linesOf(draft)
  const add = () => {
    const line = emptyLine()
    setAdded(line)
    onChange([...lines, line])
  }
  const isOut = type === ConsignmentType.Outwards
  return (
    <Region heading={words.lines} acts={<LinesActs onPaste={() => setPasting(true)} onAdd={add} />}>
      <SmallTable
        isGrid
        label={words.lines}
        heads={[
          { text: words.product },
          ...(isOut ? [{ text: words.free, isAtEnd: true }] : []),
          ...[{ text: words.quantity }, { text: words.unit }, { text: words.batch }, { text: words.remove }],
        ]}
        rows={lines.map((line, i) => ({
          id: String(line.key),
          cells: newLineCells({
            ...{ line, isOut, list, number: i + 1, product: productOf(line), isOnly: lines.length === 1 },
            isAdded: line.key === added?.key,
            faultAt: path => faults.at(`products[${sent.indexOf(line)}].${path}`),
            onChange: part => {
              onChange(lines.map(one => (one.key === line.key ? { ...one, ...part } : one)))
              if (part.productCode !== undefined) setTypedCode(part.productCode.trim())
            },
            onRemove: () => onChange(lines.filter(({ key }) => key !== line.key)),
          }),
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

/** The products of the client whose codes or names have this text, as suggestions. */
function ProductCodes({ id, clientCode, text }: { id: string; clientCode: string; text: string }) {
  const me = useMe()
  const clientId = useClientId(clientCode)
  const products = useProducts(hasScope(me, 'partner.read') ? clientId : undefined, text)
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
