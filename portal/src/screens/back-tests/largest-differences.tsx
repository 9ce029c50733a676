// Region Largest differences: the consignments that come to another amount, with the rates that differ.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { amount } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read } from '../../api.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { backTestWords as words } from '../../words/back-tests.ts'
import styles from './back-test.module.css'

const [atFirst, atMost] = [25, 500]

export function LargestDifferences({ id: rateCardBackTestId }: { id: string }) {
  const [size, setSize] = useState(atFirst)
  const { data, isError } = useQuery({
    ...read('/v1/rate-card-back-tests/{rateCardBackTestId}/differences', {
      path: { rateCardBackTestId },
      query: { PageSize: size },
    }),
    placeholderData: keepPreviousData,
  })
  const rows = data?.rateCardBackTestDifferences
  const total = data?.total ?? 0
  const state = regionStateOf(isError, rows)
  return (
    <Region
      heading={words.largest}
      state={state}
      summary={rows?.length ? uiWords.shown(rows.length, total, 0) : undefined}
    >
      {state === 'empty' ? (
        <Nothing text={words.noDifferences} />
      ) : (
        <SmallTable
          label={words.largest}
          heads={[
            { text: words.consignment },
            ...[words.before, words.after, words.difference].map(text => ({ text, isAtEnd: true })),
            { text: words.rates },
          ]}
          rows={(rows ?? []).map(row => ({
            id: row.consignmentId,
            cells: [
              <Link key="number" to={`/consignments/${row.consignmentId}`}>
                {row.consignmentNumber}
              </Link>,
              amount(row.before),
              amount(row.after),
              words.differenceOf(row.difference),
              row.rates
                .map(({ name, before, after }) => words.rateChange(name, amount(before), amount(after)))
                .join(', '),
            ],
          }))}
        />
      )}
      {rows !== undefined && rows.length < total && size < atMost && (
        <div className={styles.more}>
          <Button onPress={() => setSize(Math.min(atMost, size * 5))}>{words.showMore}</Button>
        </div>
      )}
    </Region>
  )
}
