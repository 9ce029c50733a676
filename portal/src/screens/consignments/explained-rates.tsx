// What each charge of each rate took of a consignment, or why it did not, and what nothing charges.

import type { Schemas } from '../../../../client/src/waybill.ts'
import { amount } from '../../../../ui/numbers.ts'
import { collectionOf, useCardNames } from '../../card-names.ts'
import { chargeWords as words } from '../../words/charges.ts'
import { type NameOf, type SelectorName, selectorValue, selectorWords } from '../../words/rate-charges.ts'
import styles from './consignment.module.css'

export function ExplainedRates({
  rates,
  unrated,
  partnerId,
  chargeNames,
}: Schemas['ChargeExplanation'] & {
  /** the client, whose products conditions may name */
  partnerId?: string | undefined
  /** what charges are called, by their ids, if the card is known */
  chargeNames?: ReadonlyMap<string, string>
}) {
  const { nameOf } = useCardNames(collectionsIn(rates), partnerId)
  const nameOfCharge = ({ rateChargeId, note }: Charge, i: number) =>
    chargeNames?.get(rateChargeId) ?? note ?? words.chargeNumber(i + 1)
  return (
    <>
      {rates.length === 0 && <p>{words.noRates}</p>}
      {rates.map(rate => (
        <section key={rate.rateId} className={styles.rate} aria-label={rate.name}>
          <h3>
            {rate.name}
            {rate.amountExclTax !== null && <span>{amount(rate.amountExclTax)}</span>}
          </h3>
          <ol>
            {rate.charges.map((charge, i) => (
              <li key={charge.rateChargeId}>{outcomeOf(charge, nameOfCharge(charge, i), nameOf)}</li>
            ))}
          </ol>
        </section>
      ))}
      {unrated.length > 0 && (
        <section className={styles.rate} aria-label={words.unrated}>
          <h3>{words.unrated}</h3>
          <ul>
            {unrated.map(({ part, quantity, reason }) => (
              <li key={`${part.kind} ${part.id}`}>
                {words.unratedPart(part.name ?? words.partKind(part.kind), quantity, reason)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

type Charge = Schemas['ExplainedRateCharge']

/** The kinds of record that the conditions which do not hold refer to. */
const collectionsIn = (rates: Schemas['ChargeExplanation']['rates']) =>
  new Set(
    rates.flatMap(({ charges }) =>
      charges.flatMap(({ failed }) => failed.flatMap(({ selector }) => collectionOf(selector) ?? [])),
    ),
  )

/** What a charge of a rate did. */
function outcomeOf({ outcome, failed, rows }: Charge, name: string, nameOf: NameOf): string {
  const taken = rows.map(({ parts, amounts }) => {
    const names = new Set(parts.map(part => part.name ?? words.partKind(part.kind)))
    return words.taken([...names], amounts.map(amount))
  })
  const misses = failed.map(({ selector, wanted, found }) => {
    const inWords = (values: readonly unknown[]) =>
      values.map(value => selectorValue(selector as SelectorName, value, nameOf))
    return words.missed(selectorWords[selector as SelectorName] ?? selector, inWords(wanted), inWords(found))
  })
  return words.outcome(name, outcome, taken, misses)
}
