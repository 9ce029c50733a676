// The dialog Billing rule: when runs bill whom, for one partner or for all without a rule of their own.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BillingPeriod, WaybillError } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { instant } from '../../../../ui/time.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf, type Got, get, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { usePartnerOptions } from '../../suggestions.ts'
import { billingWords as words } from '../../words/billing.ts'
import { words as shared } from '../../words.ts'
import styles from '../schedules/money.module.css'

type Rule = Got<'/v1/organisation/billing-rule'> & { isOwn?: boolean }

const ofAll = '/v1/organisation/billing-rule'
const ofPartner = '/v1/partners/{partnerId}/billing-rule'

/** The rule of a partner, or of all; null if there is none. */
export const ruleQuery = (partnerId: string) =>
  queryOptions({
    queryKey: [partnerId === '' ? ofAll : ofPartner, { path: { partnerId } }] as const,
    queryFn: async ({ signal }): Promise<Rule | null> => {
      try {
        return partnerId === ''
          ? await get<Rule>(ofAll, {}, signal)
          : await get<Rule>(ofPartner, { path: { partnerId } }, signal)
      } catch (error) {
        if (error instanceof WaybillError && error.status === 404) return null
        throw error
      }
    },
  })

interface RuleDialogProps {
  partnerId: string | undefined
  mayAct: boolean
  onClose: () => void
}

export function BillingRuleDialog({ partnerId, mayAct, onClose }: RuleDialogProps) {
  const partners = usePartnerOptions(useMe())
  const [chosen, setChosen] = useState(partnerId ?? '')
  const { data: rule } = useQuery(ruleQuery(chosen))
  return (
    <Dialog
      title={words.billingRule}
      onClose={onClose}
      state={rule === undefined ? 'loading' : 'ready'}
      isWide
      acts={null}
    >
      <SelectField
        label={words.ruleOf}
        value={chosen}
        onChange={setChosen}
        options={[{ value: '', text: words.everybody }, ...partners]}
      />
      {rule !== undefined && <RuleForm key={chosen} partnerId={chosen} {...{ rule, mayAct, onClose }} />}
    </Dialog>
  )
}

/** A rule as it is typed: what is left empty takes the service's default. */
const typedOf = (rule: Rule | null) => ({
  ...{ period: String(rule?.period ?? BillingPeriod.Monthly), weekday: String(rule?.weekday ?? '') },
  ...{ dayOfMonth: String(rule?.dayOfMonth ?? ''), anchorDate: rule?.anchorDate ?? '' },
  ...{ billsFrom: rule?.billsFrom ?? '', graceDays: String(rule?.graceDays ?? 0) },
  ...{ runAt: rule?.runAt ?? '02:00', maxTransactions: String(rule?.maxTransactions ?? 10_000) },
  referenceTemplate: rule?.referenceTemplate ?? '',
  descriptionTemplate: rule?.descriptionTemplate ?? '',
  closesComplete: rule?.closesComplete ?? true,
  raisesStorage: rule?.raisesStorage ?? true,
  autoApprove: rule?.autoApprove ?? false,
})
type Typed = ReturnType<typeof typedOf>

const periods = Object.values(BillingPeriod)
const { HalfMonthly, Monthly } = BillingPeriod
const periodOf = ({ period }: Typed) => periods.find(one => String(one) === period) ?? Monthly
/** Whether periods end on days of the month; else they end on weekdays. */
const isByMonth = (typed: Typed) => periodOf(typed) === Monthly || periodOf(typed) === HalfMonthly

const numberIn = (text: string) => (text.trim() === '' ? null : Number(text))

const bodyOf = (typed: Typed) => ({
  period: periodOf(typed),
  weekday: isByMonth(typed) ? null : numberIn(typed.weekday),
  dayOfMonth: periodOf(typed) === Monthly ? numberIn(typed.dayOfMonth) : null,
  anchorDate: isByMonth(typed) ? null : typed.anchorDate || null,
  billsFrom: typed.billsFrom || null,
  ...{ graceDays: Number(typed.graceDays), runAt: typed.runAt },
  ...{ closesComplete: typed.closesComplete, raisesStorage: typed.raisesStorage },
  ...{ autoApprove: typed.autoApprove, maxTransactions: Number(typed.maxTransactions) },
  referenceTemplate: typed.referenceTemplate.trim() || null,
  descriptionTemplate: typed.descriptionTemplate.trim() || null,
})

interface RuleFormProps {
  partnerId: string
  rule: Rule | null
  mayAct: boolean
  onClose: () => void
}

function RuleForm({ partnerId, rule, mayAct, onClose }: RuleFormProps) {
  const [typed, setTyped] = useState(() => typedOf(rule))
  const [faults, setFaults] = useState(faultsOf(undefined))
  const path = { path: { partnerId } }
  async function act(send: () => Promise<{ hasChanged: boolean }>, done: string): Promise<void> {
    try {
      const { hasChanged } = await send()
      notify({ text: hasChanged ? done : shared.unchanged })
      await readAgain('/v1/organisation', '/v1/partners', '/v1/billed-partners')
      onClose()
    } catch (error) {
      setFaults(faultsOf(error))
    }
  }
  const ifMatch = rule?.isOwn === false ? undefined : entityTagOf(rule)
  const save = () =>
    partnerId === ''
      ? send('put', ofAll, { body: bodyOf(typed) })
      : send('put', ofPartner, { ...path, body: bodyOf(typed), ifMatch })
  const isRemovable = mayAct && rule !== null && (partnerId === '' || rule.isOwn === true)
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        void act(save, words.ruleSaved)
      }}
    >
      {partnerId !== '' && rule !== null && (
        <p className={styles.quiet}>{rule.isOwn ? words.hasOwn : words.usesCommon}</p>
      )}
      {rule === null && <p className={styles.quiet}>{words.noRuleYet}</p>}
      {faults.other !== undefined && <Refusal reasons={[faults.other]} />}
      <RuleFields {...{ typed, faults }} onChange={part => setTyped({ ...typed, ...part })} />
      <NextPeriods rule={rule} />
      <div className={styles.formActs}>
        {mayAct && (
          <Button kind="main" type="submit">
            {uiWords.save}
          </Button>
        )}
        {isRemovable && (
          <Button
            onPress={() =>
              void act(
                () => (partnerId === '' ? send('delete', ofAll, {}) : send('delete', ofPartner, path)),
                words.ruleRemoved,
              )
            }
          >
            {partnerId === '' ? words.removeCommon : words.removeRule}
          </Button>
        )}
        <Button kind="quiet" onPress={onClose}>
          {uiWords.close}
        </Button>
      </div>
    </form>
  )
}

interface RuleFieldsProps {
  typed: Typed
  faults: ReturnType<typeof faultsOf>
  onChange: (part: Partial<Typed>) => void
}

type TextName = { [Name in keyof Typed]: Typed[Name] extends string ? Name : never }[keyof Typed]

function RuleFields({ typed, faults, onChange }: RuleFieldsProps) {
  const field = (name: TextName) => ({
    value: typed[name],
    onChange: (value: string) => onChange({ [name]: value }),
    fault: faults.at(name),
  })
  const usual = { value: '', text: words.asUsual }
  return (
    <>
      <div className={styles.fields}>
        <SelectField
          label={words.periodLength}
          options={periods.map(value => ({ value: String(value), text: words.periodOf[value] }))}
          {...field('period')}
        />
        {!isByMonth(typed) && (
          <SelectField
            label={words.weekday}
            options={[usual, ...words.weekdays.map((text, i) => ({ value: String(i + 1), text }))]}
            {...field('weekday')}
          />
        )}
        {!isByMonth(typed) && <TextField label={words.anchorDate} type="date" {...field('anchorDate')} />}
        {periodOf(typed) === Monthly && (
          <TextField
            label={words.dayOfMonth}
            help={words.dayOfMonthHelp}
            type="number"
            {...field('dayOfMonth')}
          />
        )}
        <TextField label={words.billsFrom} type="date" {...field('billsFrom')} />
        <TextField label={words.graceDays} type="number" {...field('graceDays')} />
        <TextField label={words.runAt} {...field('runAt')} />
        <TextField label={words.maxTransactions} type="number" {...field('maxTransactions')} />
        <TextField
          label={words.referenceTemplate}
          help={words.templateHelp}
          {...field('referenceTemplate')}
        />
        <TextField
          label={words.descriptionTemplate}
          help={words.templateHelp}
          {...field('descriptionTemplate')}
        />
      </div>
      {(['closesComplete', 'raisesStorage', 'autoApprove'] as const).map(name => (
        <SwitchField
          key={name}
          label={words[name]}
          isOn={typed[name]}
          onChange={isOn => onChange({ [name]: isOn })}
        />
      ))}
    </>
  )
}

/** The periods that runs bill next. */
function NextPeriods({ rule }: { rule: Rule | null }) {
  if (rule === null || rule.periods.length === 0) return null
  return (
    <section className={styles.part} aria-label={words.nextPeriods}>
      <h3>{words.nextPeriods}</h3>
      <ul>
        {rule.periods.map(({ periodFrom, periodTo, runUtc }) => (
          <li key={periodFrom}>{words.periodRuns(periodFrom, periodTo, instant(runUtc))}</li>
        ))}
      </ul>
    </section>
  )
}
