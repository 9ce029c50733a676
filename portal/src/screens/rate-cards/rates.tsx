// The rates of a version, and the charges of the chosen one as sentences.

import { type ReactNode, useState } from 'react'
import { Relationship } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CloseIcon, CopyIcon } from '../../../../ui/icons.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import type { CardNames } from '../../card-names.ts'
import {
  copiedCharge,
  copiedRate,
  kindsOf,
  moved,
  newCharge,
  newRate,
  withRate,
  withRates,
} from '../../edit-content.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import { chargeName, type Rate, sentenceOf } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import { ChargeForm } from './charge-form.tsx'
import styles from './editor.module.css'
import { OrderedList } from './ordered-list.tsx'
import { RateForm } from './rate-form.tsx'
import type { EditorProps } from './version.tsx'

/** Which rate and which of its charges are chosen. */
export interface Chosen {
  rate: number
  charge: number
}

export function Rates({
  card,
  draft,
  canEdit,
  names,
  below,
}: EditorProps & {
  names: CardNames
  /** what stands below the charges */
  below: ReactNode
}) {
  const [chosen, setChosen] = useState<Chosen>({ rate: 0, charge: 0 })
  const { content, setContent } = draft
  const { rates } = content
  const at = Math.min(chosen.rate, rates.length - 1)
  const rate = rates[at]
  const chargeAt = Math.min(chosen.charge, (rate?.charges.length ?? 0) - 1)
  const charge = rate?.charges[chargeAt]
  const { faults } = draft.edited
  const choose = (index: number) => setChosen({ rate: Math.max(0, index), charge: 0 })
  return (
    <div className={`${styles.panes} ${canEdit ? styles.withForm : ''}`}>
      <RateList {...{ card, draft, canEdit, names, at, choose }} />
      <div>
        {rate !== undefined && (
          <Charges
            {...{ rate, canEdit, names }}
            chosen={chargeAt}
            faultOf={index => faultsIn(draft, `content.rates[${at}].charges[${index}]`)}
            onChoose={charge => setChosen({ rate: at, charge })}
            onChange={charges => setContent(withRate(content, at, { charges: [...charges] }))}
            form={
              canEdit && (
                <RateForm
                  {...{ rate, names }}
                  relationship={card.relationship}
                  faultAt={field => faults.at(`content.rates[${at}].${field}`)}
                  onChange={next => setContent(withRates(content, rates.with(at, next)))}
                />
              )
            }
          />
        )}
        {below}
      </div>
      {canEdit && rate !== undefined && charge !== undefined && (
        <ChargeForm
          key={charge.id}
          {...{ rate, charge, names }}
          hasProducts={card.partner !== null && card.relationship === Relationship.Client}
          faultAt={path => faults.at(`content.rates[${at}].charges[${chargeAt}].${path}`)}
          onChange={next => setContent(withRate(content, at, { charges: rate.charges.with(chargeAt, next) }))}
        />
      )}
    </div>
  )
}

interface RateListProps extends Pick<EditorProps, 'card' | 'draft' | 'canEdit'> {
  names: CardNames
  /** which one is chosen */
  at: number
  choose: (index: number) => void
}

/** Region Rates: the rates in their order. */
function RateList({ card, draft, canEdit, names, at, choose }: RateListProps) {
  const { content, setContent } = draft
  const { rates } = content
  const rate = rates[at]
  const change = (next: readonly Rate[], index: number) => {
    setContent(withRates(content, next))
    choose(index)
  }
  const add = () => {
    const [kind = 1] = kindsOf(card.relationship)
    const activityTypeId = names.optionsOf('activityTypes')[0]?.value ?? ''
    change([...rates, newRate(words.newRate, kind, activityTypeId)], rates.length)
  }
  return (
    <Region
      heading={words.rates}
      summary={rates.length || undefined}
      acts={canEdit && <Button onPress={add}>{words.addRate}</Button>}
    >
      {rates.length === 0 && <Nothing text={words.noRates} />}
      <OrderedList
        label={words.rates}
        chosen={at}
        onChoose={choose}
        onMove={canEdit ? (from, to) => change(moved(rates, from, to), to) : undefined}
        items={rates.map(({ id, name, kind, charges }, i) => ({
          id: id ?? name,
          content: (
            <>
              <span className={styles.name}>{name}</span>
              <span className={styles.quiet}>
                {rateCardWords.kind(kind)}, {rateCardWords.ratePrices(charges.length)}
              </span>
            </>
          ),
          fault: faultsIn(draft, `content.rates[${i}]`),
        }))}
        acts={
          rate !== undefined && (
            <ItemActs
              name={rate.name}
              onCopy={() => change(rates.toSpliced(at + 1, 0, copiedRate(rate)), at + 1)}
              onRemove={() => change(rates.toSpliced(at, 1), at - 1)}
            />
          )
        }
      />
    </Region>
  )
}

/** How many faults the service found in a rate or a charge. */
function faultsIn({ edited }: EditorProps['draft'], path: string): string | undefined {
  const found = edited.faults.all.filter(reason => reason.startsWith(`${path}.`))
  return found.length === 0 ? undefined : words.thingsToCorrect(found.length)
}

const ItemActs = ({
  name,
  onCopy,
  onRemove,
}: {
  name: string
  onCopy: () => void
  onRemove: (() => void) | undefined
}) => (
  <>
    <Button kind="quiet" label={words.copyOf(name)} onPress={onCopy}>
      <CopyIcon />
    </Button>
    {onRemove !== undefined && (
      <Button kind="quiet" label={words.removeOf(name)} onPress={onRemove}>
        <CloseIcon />
      </Button>
    )}
  </>
)

interface ChargesProps {
  rate: Rate
  chosen: number
  onChoose: (charge: number) => void
  onChange: (charges: Rate['charges']) => void
  canEdit: boolean
  names: CardNames
  /** the form of the rate */
  form: ReactNode
  /** what is wrong with a charge */
  faultOf: (charge: number) => string | undefined
}

function Charges({ rate, chosen, onChoose, onChange, canEdit, names, form, faultOf }: ChargesProps) {
  const { charges, kind } = rate
  const one = charges[chosen]
  const change = (next: Rate['charges'], index: number) => {
    onChange(next)
    onChoose(Math.max(0, index))
  }
  return (
    <Region
      heading={words.charges}
      summary={rate.name}
      acts={
        canEdit && (
          <Button onPress={() => change([...charges, newCharge(rate)], charges.length)}>
            {words.addCharge}
          </Button>
        )
      }
    >
      {form}
      <OrderedList
        label={words.charges}
        chosen={chosen}
        onChoose={onChoose}
        onMove={canEdit ? (from, to) => change(moved(charges, from, to), to) : undefined}
        items={charges.map((charge, i) => ({
          id: charge.id ?? String(i),
          content: (
            <>
              <span>{sentenceOf(charge, kind, i === charges.length - 1, names.nameOf)}</span>
              <span className={styles.quiet}>{charge.note ?? charge.particulars}</span>
            </>
          ),
          fault: faultOf(i),
        }))}
        acts={
          one !== undefined && (
            <ItemActs
              name={chargeName(one, chosen, names.nameOf)}
              onCopy={() => change(charges.toSpliced(chosen + 1, 0, copiedCharge(one)), chosen + 1)}
              onRemove={
                charges.length === 1 ? undefined : () => change(charges.toSpliced(chosen, 1), chosen - 1)
              }
            />
          )
        }
      />
      <p className={styles.foot}>{words.inOrder}</p>
    </Region>
  )
}
