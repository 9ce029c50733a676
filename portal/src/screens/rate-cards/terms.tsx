// Region Terms: from when a version holds, and what holds for all of its rates.

import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { price } from '../../../../ui/numbers.ts'
import { Facts, Region } from '../../../../ui/Region.tsx'
import type { CardNames } from '../../card-names.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import type { Content } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import { fieldWords } from '../../words/rate-fields.ts'
import styles from './editor.module.css'
import type { EditorProps } from './version.tsx'

export function Terms({ version, draft, canEdit, names }: EditorProps & { names: CardNames }) {
  const { defaultTaxRateId, fafProfileId, minimumSpendPerPeriod: spend } = version.content
  const { minimumSpendRevenueAccountId: account } = version.content
  return (
    <Region heading={words.terms}>
      {canEdit ? (
        <TermFields draft={draft} names={names} />
      ) : (
        <div className={styles.facts}>
          <Facts
            facts={[
              [rateCardWords.effectiveFrom, <LocalDay key="from" value={version.effectiveFrom} />],
              [rateCardWords.until, version.supersededFrom && rateCardWords.untilDay(version.supersededFrom)],
              [rateCardWords.note, version.note],
              [fieldWords.defaultTaxRateId, names.nameOf(defaultTaxRateId)],
              [fieldWords.fafProfileId, fafProfileId && names.nameOf(fafProfileId)],
              [fieldWords.minimumSpendPerPeriod, spend == null ? null : price(spend)],
              [fieldWords.minimumSpendRevenueAccountId, account && names.nameOf(account)],
            ]}
          />
        </div>
      )}
    </Region>
  )
}

function TermFields({ draft, names }: Pick<EditorProps, 'draft'> & { names: CardNames }) {
  const { terms, setTerms, content, setContent } = draft
  const { at } = draft.edited.faults
  const change = (part: Partial<Content>) => setContent({ ...content, ...part })
  const spend = content.minimumSpendPerPeriod
  return (
    <div className={styles.fields}>
      <TextField
        label={rateCardWords.effectiveFrom}
        type="date"
        value={terms.effectiveFrom}
        onChange={effectiveFrom => setTerms({ ...terms, effectiveFrom })}
        fault={at('effectiveFrom')}
      />
      <TextField
        label={rateCardWords.note}
        value={terms.note}
        onChange={note => setTerms({ ...terms, note })}
        fault={at('note')}
      />
      <SelectField
        label={fieldWords.defaultTaxRateId}
        value={content.defaultTaxRateId}
        onChange={id => change({ defaultTaxRateId: id })}
        options={names.optionsOf('taxRates')}
        fault={at('content.defaultTaxRateId')}
      />
      <SelectField
        label={fieldWords.fafProfileId}
        value={content.fafProfileId ?? ''}
        onChange={id => change({ fafProfileId: id || null })}
        options={[{ value: '', text: words.none }, ...names.optionsOf('fafProfiles')]}
        fault={at('content.fafProfileId')}
      />
      <TextField
        label={fieldWords.minimumSpendPerPeriod}
        help={words.minimumHelp}
        type="number"
        value={spend == null ? '' : String(spend)}
        onChange={text => change({ minimumSpendPerPeriod: text === '' ? null : Number(text) })}
        fault={at('content.minimumSpendPerPeriod')}
      />
      {spend != null && (
        <SelectField
          label={fieldWords.minimumSpendRevenueAccountId}
          help={words.minimumAccountHelp}
          value={content.minimumSpendRevenueAccountId ?? ''}
          onChange={id => change({ minimumSpendRevenueAccountId: id || null })}
          options={[{ value: '', text: words.none }, ...names.optionsOf('revenueAccounts')]}
          fault={at('content.minimumSpendRevenueAccountId')}
        />
      )}
    </div>
  )
}
