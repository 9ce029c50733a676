// The grid Clients of Billing: what waits, what is to be closed, and when the next bill is due.

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Relationship } from '../../../../client/src/waybill.ts'
import { type Column, DataTable } from '../../../../ui/DataTable.tsx'
import { LocalDay, UtcTime } from '../../../../ui/LocalTime.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import type { RowOf } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { billingWords as words } from '../../words/billing.ts'
import styles from '../schedules/money.module.css'
import { billingReadMs } from './billing.tsx'
import type { UnbilledRow } from './not-billed.tsx'

type Billed = RowOf<'/v1/billed-partners'>

interface BilledClientsProps {
  /** shows only this one */
  partnerId: string | undefined
  /** work that nothing charges; undefined while it is not known */
  unbilled: readonly UnbilledRow[] | undefined
}

export function BilledClients({ partnerId, unbilled }: BilledClientsProps) {
  const { data, isError } = useQuery({
    ...readAll('/v1/billed-partners', { query: { Relationship: Relationship.Client } }),
    refetchInterval: billingReadMs,
  })
  const rows = data?.billedPartners.filter(
    ({ partner }) => partnerId === undefined || partner.id === partnerId,
  )
  const columns = useMemo(() => columnsOf(countsOf(unbilled)), [unbilled])
  const state = regionStateOf(isError, rows)
  return (
    <Region heading={words.clients} state={state}>
      {state === 'empty' ? (
        <Nothing text={words.noClients} />
      ) : (
        <div className={styles.fewLines}>
          <DataTable
            label={words.clients}
            columns={columns}
            rows={rows ?? []}
            idOf={({ partner }) => partner.id}
            nameOf={({ partner }) => partner.name}
            state={state}
          />
        </div>
      )}
    </Region>
  )
}

/** How many rows of unbilled work each client has, by its name; null while that is not known. */
function countsOf(unbilled: readonly UnbilledRow[] | undefined): ReadonlyMap<string, number> | null {
  if (unbilled === undefined) return null
  return new Map(
    [...Map.groupBy(unbilled, ({ clientName }) => clientName)].map(([name, rows]) => [name, rows.length]),
  )
}

const columnsOf = (unrated: ReadonlyMap<string, number> | null): readonly Column<Billed>[] => [
  {
    id: 'client',
    head: words.client,
    isRowHeader: true,
    isOnPhone: true,
    cell: ({ partner }, tabIndex) => (
      <Link to="." search={{ PartnerId: partner.id } as never} tabIndex={tabIndex}>
        {partner.name}
      </Link>
    ),
  },
  {
    id: 'waiting',
    head: words.notBilled,
    width: 104,
    isAtEnd: true,
    isOnPhone: true,
    cell: ({ partner, pendingCount, pendingExclTax }, tabIndex) =>
      pendingCount === 0 ? (
        words.nothing
      ) : (
        <Link
          to="/charges"
          search={{ PartnerId: partner.id } as never}
          tabIndex={tabIndex}
          title={words.notBilledOf(amount(pendingExclTax), pendingCount)}
        >
          {amount(pendingExclTax)}
        </Link>
      ),
  },
  {
    id: 'toClose',
    head: words.toClose,
    width: 90,
    isAtEnd: true,
    isOnPhone: true,
    cell: ({ completeCount }) => (completeCount === 0 ? words.nothing : quantity(completeCount)),
  },
  ...(unrated === null
    ? []
    : [
        {
          id: 'unrated',
          head: words.unrated,
          width: 100,
          isAtEnd: true,
          cell: ({ partner }: Billed) => words.unratedOf(unrated.get(partner.name) ?? 0),
        },
      ]),
  {
    id: 'next',
    head: words.nextRun,
    width: 150,
    isAtEnd: true,
    cell: ({ nextPeriod }) =>
      nextPeriod === null ? (
        words.noRule
      ) : (
        <span title={words.days(nextPeriod.periodFrom, nextPeriod.periodTo)}>
          <UtcTime value={nextPeriod.runUtc} />
        </span>
      ),
  },
  {
    id: 'last',
    head: words.lastSchedule,
    width: 110,
    isAtEnd: true,
    cell: ({ lastSchedule }, tabIndex) =>
      lastSchedule === null ? (
        words.noSchedule
      ) : (
        <Link to={`/schedules/${lastSchedule.id}`} tabIndex={tabIndex}>
          <LocalDay value={lastSchedule.date} />
        </Link>
      ),
  },
]
