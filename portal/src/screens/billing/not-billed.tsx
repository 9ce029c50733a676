// Region Not billed: work for clients that no charge or bill has, each row with the reason and what to do.

import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { paths } from '../../../../client/src/generated/api.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { type ResultOf, send } from '../../api.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { billingWords as words } from '../../words/billing.ts'
import styles from '../schedules/money.module.css'

const path = '/v1/reports/unbilled-work'

/** A row of the report. */
export type UnbilledRow = ResultOf<paths[typeof path]['post']>[number]

/** A query for the report, of one client or of all. */
export const readUnbilled = (partnerId: string | undefined) =>
  queryOptions({
    queryKey: [path, { partnerId }] as const,
    queryFn: async () => (await send('post', path, { body: { partnerId: partnerId ?? null } })).data,
    staleTime: 60_000,
  })

const shownAtOnce = 100

export function NotBilled({ rows, isError }: { rows: readonly UnbilledRow[] | undefined; isError: boolean }) {
  const [most, setMost] = useState(shownAtOnce)
  const shown = rows?.slice(0, most)
  const state = regionStateOf(isError, rows)
  return (
    <Region heading={words.notBilled} state={state} summary={rows?.length || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.nothingUnbilled} />
      ) : (
        <SmallTable
          label={words.notBilled}
          heads={[
            { text: words.client },
            { text: words.date },
            { text: words.subject },
            { text: words.quantity, isAtEnd: true },
            { text: words.reasonOf },
          ]}
          rows={(shown ?? []).map((row, i) => ({
            id: `${i} ${row.consignmentId}`,
            cells: [
              row.clientName,
              <Days key="days" row={row} />,
              <Subject key="subject" row={row} />,
              words.unbilledOf(row.quantity, row.unit),
              <span key="reason">
                {row.reason} <span className={styles.quiet}>{row.suggestion}</span>
              </span>,
            ],
          }))}
        />
      )}
      <ReadOn pages={{ rows: shown, total: rows?.length ?? 0, readOn: () => setMost(most + shownAtOnce) }} />
    </Region>
  )
}

const Days = ({ row: { date, dateTo } }: { row: UnbilledRow }) =>
  dateTo === null || dateTo === date ? <LocalDay value={date} /> : words.days(date, dateTo)

/** The consignment, and what of it is not billed. */
const Subject = ({
  row: { consignmentId, consignmentNumber, subject, warehouseName },
}: {
  row: UnbilledRow
}) => (
  <>
    {consignmentId !== null && <Link to={`/consignments/${consignmentId}`}>{consignmentNumber}</Link>}{' '}
    {subject ?? warehouseName}
  </>
)
