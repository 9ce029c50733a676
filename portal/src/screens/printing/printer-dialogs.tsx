// The dialogs that set a printer up and change one.

import { useState } from 'react'
import { DotsPerMM, PrinterLanguage, PrintType, SetUpStatus } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { send } from '../../api.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { useMe } from '../../me.ts'
import { warehouseOptions } from '../../suggestions.ts'
import { printingWords as words } from '../../words/printing.ts'
import { words as frameWords } from '../../words.ts'
import { readPrintingAgain } from './print-act.ts'
import type { Printer } from './printers.tsx'

const nothingTyped = {
  ...{ name: '', type: String(PrintType.Document), language: String(PrinterLanguage.Pdf), dotsPerMM: '' },
  ...{ media: '', keepMinutes: '60', isDefault: false },
}

/** What the person has typed. */
type Typed = typeof nothingTyped

const choices = (values: Readonly<Record<string, number>>, text: (value: number) => string) =>
  Object.values(values).map(value => ({ value: String(value), text: text(value) }))

/** What was typed, for the service. */
const bodyOf = ({ name, type, language, dotsPerMM, media, keepMinutes, isDefault }: Typed) => ({
  ...{ name: name.trim(), isDefault, keepMinutes: Number(keepMinutes) },
  type: Number(type) as PrintType,
  language: Number(language) as PrinterLanguage,
  dotsPerMM: dotsPerMM === '' ? null : (Number(dotsPerMM) as DotsPerMM),
  media: media.split('\n').flatMap(line => line.trim() || []),
})

function Fields({
  typed,
  onChange,
  faults,
}: {
  typed: Typed
  onChange: (typed: Typed) => void
  faults: Faults
}) {
  const field = (name: 'name' | 'type' | 'language' | 'dotsPerMM' | 'media' | 'keepMinutes') => ({
    ...{ value: typed[name], fault: faults.at(name) ?? faults.at(`${name}[0]`) },
    onChange: (value: string) => onChange({ ...typed, [name]: value }),
  })
  return (
    <>
      <TextField label={words.name} maxLength={200} isRequired {...field('name')} />
      <SelectField label={words.typeField} options={choices(PrintType, words.type)} {...field('type')} />
      <SelectField
        label={words.languageField}
        help={words.languageHelp}
        options={choices(PrinterLanguage, words.language)}
        {...field('language')}
      />
      <SelectField
        label={words.resolutionField}
        options={[{ value: '', text: words.unknown }, ...choices(DotsPerMM, words.resolution)]}
        {...field('dotsPerMM')}
      />
      <TextField label={words.media} help={words.mediaHelp} isMultiline {...field('media')} />
      <TextField label={words.keepMinutes} help={words.keepHelp} type="number" {...field('keepMinutes')} />
      <SwitchField
        label={words.isDefault}
        help={words.defaultHelp}
        isOn={typed.isDefault}
        onChange={isDefault => onChange({ ...typed, isDefault })}
      />
    </>
  )
}

export function NewPrinter({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const [warehouseId, setWarehouse] = useState(me.warehouses[0]?.id ?? '')
  const [typed, setTyped] = useState(nothingTyped)
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.newPrinter}
      onClose={onClose}
      isDisabled={typed.name.trim() === ''}
      onConfirm={async () => {
        await send('post', '/v1/printers', { body: { ...bodyOf(typed), warehouseId } })
        notify({ text: words.printerMade(typed.name.trim()) })
        await readPrintingAgain()
      }}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <SelectField
        label={words.warehouse}
        value={warehouseId}
        onChange={setWarehouse}
        options={warehouseOptions(me)}
        fault={faults.at('warehouseId')}
      />
      <Fields typed={typed} onChange={setTyped} faults={faults} />
    </Confirm>
  )
}

export function EditPrinter({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const [typed, setTyped] = useState<Typed>({
    ...{ name: printer.name, type: String(printer.type), language: String(printer.language) },
    ...{ dotsPerMM: String(printer.dotsPerMM ?? ''), media: printer.media.join('\n') },
    ...{ keepMinutes: String(printer.keepMinutes), isDefault: printer.isDefault },
  })
  const [isInUse, setInUse] = useState(printer.status === SetUpStatus.Active)
  const [faults, setFaults] = useState(faultsOf(undefined))
  async function change(): Promise<void> {
    const status = isInUse ? SetUpStatus.Active : SetUpStatus.Inactive
    const { hasChanged } = await send('put', '/v1/printers/{printerId}', {
      path: { printerId: printer.id },
      body: { ...bodyOf(typed), isDefault: typed.isDefault && isInUse, status },
    })
    notify({ text: hasChanged ? words.printerChanged(typed.name.trim()) : frameWords.unchanged })
    await readPrintingAgain()
  }
  return (
    <Confirm
      act={words.edit}
      onClose={onClose}
      isDisabled={typed.name.trim() === ''}
      onConfirm={change}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      {printer.printerBridgeId !== null && <p>{words.bridgeSets}</p>}
      <Fields typed={typed} onChange={setTyped} faults={faults} />
      <SwitchField label={words.inUse} help={words.inUseHelp} isOn={isInUse} onChange={setInUse} />
    </Confirm>
  )
}
