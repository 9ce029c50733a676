// Regions Result, Control and Without a rate: what a back-test came to, whether the bills of then come to the
// same again, and what the tested card leaves unpriced.

import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { backTestWords as words } from '../../words/back-tests.ts'
import styles from './back-test.module.css'
import type { BackTest } from './back-test.tsx'

export function Figures({ test }: { test: BackTest }) {
  const { before, after, difference } = test.totals
  const figures = [
    [words.before, amount(before)],
    [words.after, amount(after)],
    [words.difference, words.differenceOf(difference)],
    [words.differing, quantity(test.differingCount)],
    [words.consignments, quantity(test.consignmentCount)],
    [words.parts, quantity(test.partCount)],
    [words.periods, quantity(test.periodCount)],
    [words.ledgerRows, quantity(test.ledgerRowCount)],
    [words.took, test.durationMs === null ? words.nothing : words.milliseconds(test.durationMs)],
  ] as const
  return (
    <Region heading={words.result}>
      <dl className={styles.figures}>
        {figures.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Region>
  )
}

export function Control({ test: { control } }: { test: BackTest }) {
  const { checked, differing } = control
  return (
    <Region heading={words.control}>
      <p className={styles.text}>
        {words.controlHelp(checked)} {differing === 0 && <b>{words.controlSame}</b>}
        {differing > 0 && (
          <b role="alert" className={styles.alert}>
            {words.controlDiffers(differing)}
          </b>
        )}
      </p>
    </Region>
  )
}

export function Unrated({ test: { unrated, withoutCard } }: { test: BackTest }) {
  return (
    <Region heading={words.unrated}>
      {unrated.length === 0 ? (
        <Nothing text={words.allRated} />
      ) : (
        <SmallTable
          label={words.unrated}
          heads={[{ text: words.reason }, { text: words.count, isAtEnd: true }]}
          rows={unrated.map(({ reason, count }) => ({
            id: String(reason),
            cells: [words.reasonOf(reason), quantity(count)],
          }))}
        />
      )}
      {withoutCard.count > 0 && (
        <p className={styles.foot}>
          {words.withoutCard(withoutCard.count, amount(withoutCard.byHandExclTax))}
        </p>
      )}
    </Region>
  )
}
