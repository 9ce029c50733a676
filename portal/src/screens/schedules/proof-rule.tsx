// Region Rule of a proof: the charge of the rate card that applied, and what was tried before it.

import { amount } from '../../../../ui/numbers.ts'
import { Facts } from '../../../../ui/Region.tsx'
import { type CollectionName, useCardNames } from '../../card-names.ts'
import { canOpen } from '../../frame/menu.ts'
import { useMe } from '../../me.ts'
import { Link } from '../../router.tsx'
import { countedInWords, priceOf } from '../../words/rate-charges.ts'
import { scheduleWords as words } from '../../words/schedules.ts'
import styles from './money.module.css'
import { type Proof, ProofPart } from './proof.tsx'

/** A card of one's own; the other is the one for all that have none. */
const ownCard = 1

/** What a price may be of. */
const units: ReadonlySet<CollectionName> = new Set(['unitTypes'])

export function Rule({ proof: { rule, inputs, passedOver } }: { proof: Proof }) {
  const me = useMe()
  const { nameOf } = useCardNames(units, undefined)
  if (rule === null) return <Unwritten inputs={inputs} />
  const { version, rateCardId, charge, because } = rule
  const versionPath = `/rate-cards/${rateCardId}/versions/${version.id}`
  const versionInWords = words.versionOf(version.number, version.effectiveFrom)
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
            [words.price, priceOf(charge, rule.rate.kind, nameOf)],
            [words.counts, countedInWords(charge)],
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

/** An amount that no charge of a card gives: what the agreement says, or who entered it. */
function Unwritten({ inputs }: { inputs: Proof['inputs'] }) {
  if (inputs.some(({ name }) => name === 'minimumSpendPerPeriod'))
    return (
      <ProofPart heading={words.rule}>
        <p>{words.minimumRule}</p>
      </ProofPart>
    )
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
