// How a charge of storage counts the days of a period.

import {
  BillingPeriod,
  ReceiptsCharged,
  StorageCount,
  StorageMethod,
} from '../../../../client/src/waybill.ts'
import { SelectField } from '../../../../ui/Field.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import type { RateCharge } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import { fieldWords, groupOptions, optionsOfField } from '../../words/rate-fields.ts'
import type { ChargeFormProps } from './charge-form.tsx'
import { Choices } from './choices.tsx'
import { NumberField } from './number-field.tsx'

type Storage = NonNullable<RateCharge['storage']>
type Group = NonNullable<Storage['groupBy']>[number]

/** The value of an enumeration that an option stands for. */
const chosenOf = <T extends number>(values: Readonly<Record<string, T>>, text: string): T | undefined =>
  Object.values(values).find(value => String(value) === text)

export function StorageFields({ charge, faultAt, onChange }: ChargeFormProps) {
  const storage = charge.storage ?? { count: StorageCount.Closing, method: StorageMethod.SumOfDays }
  const set = (part: Partial<Storage>) => onChange({ ...charge, storage: { ...storage, ...part } })
  const { count, method } = storage
  return (
    <>
      <SelectField
        label={fieldWords['storage.count']}
        value={String(count)}
        onChange={text => set({ count: chosenOf(StorageCount, text) ?? count })}
        options={optionsOfField('storage.count')}
        fault={faultAt('storage.count')}
      />
      <SelectField
        label={fieldWords['storage.method']}
        value={String(method)}
        onChange={text =>
          set({ method: chosenOf(StorageMethod, text) ?? method, receiptsCharged: null, isInAdvance: null })
        }
        options={optionsOfField('storage.method')}
        fault={faultAt('storage.method')}
      />
      <SelectField
        label={fieldWords['storage.period']}
        value={String(storage.period ?? '')}
        onChange={text => set({ period: chosenOf(BillingPeriod, text) ?? null })}
        options={[{ value: '', text: words.asBilled }, ...optionsOfField('storage.period')]}
        fault={faultAt('storage.period')}
      />
      {method === StorageMethod.StartOfPeriod && <OfStart {...{ storage, set, faultAt }} />}
      <NumberField
        label={fieldWords['storage.freeHours']}
        help={words.freeHoursHelp}
        value={storage.freeHours}
        onChange={freeHours => set({ freeHours })}
        fault={faultAt('storage.freeHours')}
      />
      <Choices
        label={fieldWords['storage.groupBy']}
        options={groupOptions}
        chosen={storage.groupBy ?? []}
        onChange={chosen => set({ groupBy: chosen as Group[] })}
        fault={faultAt('storage.groupBy')}
      />
    </>
  )
}

/** What only the start of a period has: how its receipts are charged, and whether it is billed in advance. */
const OfStart = ({
  storage,
  set,
  faultAt,
}: Pick<ChargeFormProps, 'faultAt'> & { storage: Storage; set: (part: Partial<Storage>) => void }) => (
  <>
    <SelectField
      label={fieldWords['storage.receiptsCharged']}
      value={String(storage.receiptsCharged ?? ReceiptsCharged.None)}
      onChange={text => set({ receiptsCharged: chosenOf(ReceiptsCharged, text) ?? null })}
      options={optionsOfField('storage.receiptsCharged')}
      fault={faultAt('storage.receiptsCharged')}
    />
    <SwitchField
      label={fieldWords['storage.isInAdvance']}
      isOn={storage.isInAdvance ?? false}
      onChange={isInAdvance => set({ isInAdvance })}
    />
  </>
)
