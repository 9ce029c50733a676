// The dialog of a new version: from which day it holds, and the version that it copies, with or without a
// raise.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { todayIn } from '../../../../ui/time.ts'
import { send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useGo } from '../../router.tsx'
import type { Choice } from '../../suggestions.ts'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import { fieldWords } from '../../words/rate-fields.ts'
import type { Card, Version } from './card.tsx'

interface NewVersionProps {
  card: Pick<Card, 'id' | 'name' | 'current' | 'relationship'>
  versions: readonly Pick<Version, 'id' | 'number' | 'effectiveFrom'>[]
  /** the words of the act */
  act?: string
  /** the version to copy, if it is known */
  copyOf?: string
  onClose: () => void
}

/** Drafts a version of a card and opens it. */
export function NewVersion({ card, versions, act = words.createVersion, copyOf, onClose }: NewVersionProps) {
  const go = useGo()
  const taxRates = useQuery(readAll('/v1/tax-rates')).data?.taxRates ?? []
  const [given, setGiven] = useState({
    from: todayIn(useMe().organisation.timezoneId),
    ...{ copyOf: copyOf ?? card.current?.id ?? versions[0]?.id ?? '', percent: '', roundTo: '', note: '' },
    taxRate: '',
  })
  const [faults, setFaults] = useState(faultsOf(undefined))
  const others = useOtherCards(card)
  // Of several nobody can know which one is meant.
  const defaultTaxRateId = given.taxRate || (taxRates.length === 1 ? (taxRates[0]?.id ?? '') : '')
  const isComplete = given.from !== '' && (given.copyOf !== '' || defaultTaxRateId !== '')
  return (
    <Confirm
      act={act}
      onClose={onClose}
      isDisabled={!isComplete}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
      onConfirm={async () => {
        const { data } = await send('post', '/v1/rate-cards/{rateCardId}/versions', {
          path: { rateCardId: card.id },
          body: {
            ...{ effectiveFrom: given.from, note: given.note.trim() || null },
            ...(given.copyOf === '' ? { content: { defaultTaxRateId, rates: [] } } : copied(given)),
          },
        })
        notify({ text: words.versionMade(words.version((versions[0]?.number ?? 0) + 1)) })
        await readAgain('/v1/rate-cards')
        go(`/rate-cards/${card.id}/versions/${data.rateCardVersionId}`)
      }}
    >
      <Fields
        {...{ given, faults, versions, others, taxRates }}
        isFixed={copyOf !== undefined}
        defaultTaxRateId={defaultTaxRateId}
        onChange={part => setGiven({ ...given, ...part })}
      />
    </Confirm>
  )
}

/** What another card of the same kind charges now: the first version of a card seldom begins with nothing. */
function useOtherCards({ id, relationship }: NewVersionProps['card']): readonly Choice[] {
  const cards = useQuery(readAll('/v1/rate-cards')).data?.rateCards ?? []
  return cards.flatMap(card =>
    card.current === null || card.id === id || card.relationship !== relationship
      ? []
      : [{ value: card.current.id, text: words.versionOf(card.current.number, card.name) }],
  )
}

type Given = Record<'from' | 'copyOf' | 'percent' | 'roundTo' | 'note' | 'taxRate', string>

const copied = ({ copyOf, percent, roundTo }: Given) => ({
  copyOf,
  ...(percent.trim() === '' ? {} : { raisePercent: Number(percent) }),
  ...(percent.trim() === '' || roundTo.trim() === '' ? {} : { raiseRoundTo: Number(roundTo) }),
})

interface FieldsProps {
  given: Given
  onChange: (part: Partial<Given>) => void
  faults: Faults
  versions: NewVersionProps['versions']
  others: readonly Choice[]
  /** the version to copy is not to be chosen */
  isFixed: boolean
  taxRates: readonly { id: string; name: string }[]
  defaultTaxRateId: string
}

function Fields({ given, onChange, faults, versions, others, isFixed, ...tax }: FieldsProps) {
  const field = (name: keyof Given) => ({
    value: given[name],
    onChange: (value: string) => onChange({ [name]: value }),
  })
  return (
    <>
      {!isFixed && versions.length + others.length > 0 && (
        <SelectField
          label={words.copyOf}
          help={given.copyOf === '' ? undefined : words.newVersionHelp}
          options={[
            ...versions.map(({ id, number }) => ({ value: id, text: words.version(number) })),
            { value: '', text: words.empty },
            ...others,
          ]}
          fault={faults.at('copyOf')}
          {...field('copyOf')}
        />
      )}
      {given.copyOf === '' ? (
        <TaxRate {...tax} {...field('taxRate')} fault={faults.at('content.defaultTaxRateId')} />
      ) : (
        <>
          <TextField
            label={words.percent}
            help={words.percentHelp}
            type="number"
            fault={faults.at('raisePercent')}
            autoFocus={isFixed}
            {...field('percent')}
          />
          <TextField
            label={words.roundTo}
            help={words.roundToHelp}
            type="number"
            fault={faults.at('raiseRoundTo')}
            {...field('roundTo')}
          />
        </>
      )}
      <TextField
        label={words.effectiveFrom}
        type="date"
        fault={faults.at('effectiveFrom')}
        isRequired
        {...field('from')}
      />
      <TextField label={words.note} fault={faults.at('note')} {...field('note')} />
    </>
  )
}

/** The tax rate of a version that copies none. */
const TaxRate = ({
  taxRates,
  defaultTaxRateId,
  ...field
}: Pick<FieldsProps, 'taxRates' | 'defaultTaxRateId'> &
  Pick<Parameters<typeof SelectField>[0], 'onChange' | 'fault'>) => (
  <SelectField
    {...field}
    label={fieldWords.defaultTaxRateId}
    options={[
      ...(defaultTaxRateId === '' ? [{ value: '', text: words.choose }] : []),
      ...taxRates.map(({ id, name }) => ({ value: id, text: name })),
    ]}
    value={defaultTaxRateId}
  />
)
