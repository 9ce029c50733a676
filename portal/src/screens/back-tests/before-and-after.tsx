// Regions Before and after, and By rate: each client's months as bars, and of one of them each rate.

import { useState } from 'react'
import { SelectField } from '../../../../ui/Field.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { Share } from '../../../../ui/Share.tsx'
import { monthOf } from '../../../../ui/time.ts'
import { backTestWords as words } from '../../words/back-tests.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import styles from './back-test.module.css'
import type { BackTest } from './back-test.tsx'

type Month = BackTest['months'][number]

const keyOf = ({ partnerId, month }: Pick<Month, 'partnerId' | 'month'>) => `${partnerId} ${month}`

export function BeforeAndAfter({ test: { months, rows } }: { test: BackTest }) {
  const most = Math.max(0, ...months.flatMap(({ amountBefore, amountAfter }) => [amountBefore, amountAfter]))
  const bar = (value: number) => <Share part={Math.max(0, value)} whole={most} text={amount(value)} />
  if (months.length === 0)
    return (
      <Region heading={words.beforeAndAfter}>
        <Nothing text={words.noMonths} />
      </Region>
    )
  return (
    <>
      <Region heading={words.beforeAndAfter}>
        <SmallTable
          label={words.beforeAndAfter}
          heads={[
            { text: words.client },
            { text: words.month },
            ...[words.before, words.after, words.difference].map(text => ({ text, isAtEnd: true })),
          ]}
          rows={months.map(month => ({
            id: keyOf(month),
            cells: [
              month.partnerName,
              monthOf(month.month),
              bar(month.amountBefore),
              bar(month.amountAfter),
              words.differenceOf(month.difference),
            ],
          }))}
        />
      </Region>
      <ByRate months={months} rows={rows} />
    </>
  )
}

function ByRate({ months, rows }: Pick<BackTest, 'months' | 'rows'>) {
  const [chosen, setChosen] = useState(months[0] === undefined ? '' : keyOf(months[0]))
  const shown = rows.filter(row => keyOf(row) === chosen)
  return (
    <Region heading={words.byRate}>
      <div className={styles.choice}>
        <SelectField
          label={words.of}
          value={chosen}
          onChange={setChosen}
          options={months.map(month => ({
            value: keyOf(month),
            text: `${month.partnerName}, ${monthOf(month.month)}`,
          }))}
        />
      </div>
      <SmallTable
        label={words.byRate}
        heads={[
          ...[words.rate, words.kind, words.activity].map(text => ({ text })),
          ...[words.countBefore, words.countAfter].map(text => ({ text, isAtEnd: true })),
          ...[words.before, words.after, words.difference].map(text => ({ text, isAtEnd: true })),
        ]}
        rows={shown.map((row, i) => ({
          id: `${row.rateId} ${row.kind} ${i}`,
          cells: [
            row.rateName,
            rateCardWords.kind(row.kind),
            row.activityCode ?? words.nothing,
            quantity(row.countBefore),
            quantity(row.countAfter),
            amount(row.amountBefore),
            amount(row.amountAfter),
            words.differenceOf(row.difference),
          ],
        }))}
      />
    </Region>
  )
}
