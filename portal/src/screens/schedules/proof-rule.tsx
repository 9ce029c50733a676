// Region Rule of a proof: the charge of the rate card that applied, and what was tried before it.

import { ChargeApplication, RateBreaks } from '../../../../client/src/waybill.ts'
import { amount } from '../../../../ui/numbers.ts'
import { Facts } from '../../../../ui/Region.tsx'
import { canOpen } from '../../frame/menu.ts'
import { useMe } from '../../me.ts'
import { Link } from '../../router.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import styles from './money.module.css'
import { type Proof, ProofPart } from './proof.tsx'

/** A card of one's own; the other is the one for all that have none. */
const ownCard = 1

export function Rule({ proof: { rule, inputs, passedOver } }: { proof: Proof }) {
  const me = useMe()
  if (rule === null) return <ByHand inputs={inputs} />
  const { version, rateCardId, charge, because } = rule
  const versionPath = `/rate-cards/${rateCardId}/versions/${version.id}`
  const versionInWords = words.versionOf(version.number, version.effectiveFrom)
  const bands = charge.breaks?.kind === RateBreaks.None ? undefined : charge.breaks?.bands
  return (
    <ProofPart heading={words.rule}>
      <div className={styles.facts}>
        <Facts
          facts={[
            [words.card, because === ownCard ? rule.name : `${rule.name}, ${words.fallBack}`],
            [
              words.version,
              canOpen(me, versionPath) ? (
                <Link key="version" to={versionPath}>
                  {versionInWords}
                </Link>
              ) : (
                versionInWords
              ),
            ],
            [words.rateName, rule.rate.name],
            [words.note, charge.note],
            [words.counts, words.metric(charge.metric)],
            [words.price, words.priceOf(charge.rateExclTax, charge.application === ChargeApplication.Fee)],
            [words.bands, bands?.map(({ upTo, rateExclTax }) => words.band(upTo, rateExclTax)).join(', ')],
            [words.base, moneyOf(charge.baseExclTax)],
            [words.minimum, moneyOf(charge.minExclTax)],
            [words.maximum, moneyOf(charge.maxExclTax)],
          ]}
        />
      </div>
      {passedOver.length > 0 && <p className={styles.quiet}>{words.passedOver(passedOver.length)}</p>}
    </ProofPart>
  )
}

const moneyOf = (value: number | null | undefined) => (value == null ? undefined : amount(value))

/** An amount without a rule: who entered it. */
function ByHand({ inputs }: { inputs: Proof['inputs'] }) {
  const person = inputs.find(({ source }) => source?.kind === 'person')?.source
  if (person == null) return null
  return (
    <ProofPart heading={words.rule}>
      <p>
        {person.by !== null && person.atUtc !== null ? words.byHandOf(person.by, person.atUtc) : words.byHand}
      </p>
    </ProofPart>
  )
}
