// The columns of the clients on Billing: what waits, what is to be closed, and when the next bill is due.

import { ConsignmentStatus } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { LocalDay, UtcTime } from '../../../ui/LocalTime.tsx'
import { amount, quantity } from '../../../ui/numbers.ts'
import type { RowOf } from '../api.ts'
import { Link } from '../router.tsx'
import { billingWords as words } from '../words/billing.ts'

type Billed = RowOf<'/v1/billed-partners'>

/** The columns. `unrated` counts the work of each client that has no rate; null while that is not known. */
export const billedClientColumns = (
  unrated: ReadonlyMap<string, number> | null,
): readonly Column<Billed>[] => [
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
    cell: ({ partner, completeCount }, tabIndex) =>
      completeCount === 0 ? (
        words.nothing
      ) : (
        <Link
          to="/consignments"
          search={{ view: 'all', Status: String(ConsignmentStatus.Complete), ClientId: partner.id } as never}
          tabIndex={tabIndex}
        >
          {quantity(completeCount)}
        </Link>
      ),
  },
  ...(unrated === null
    ? []
    : [
        {
          id: 'unrated',
          head: words.unrated,
          width: 100,
          isAtEnd: true,
          cell: ({ partner }: Billed) => words.unratedOf(unrated.get(partner.id) ?? 0),
        },
      ]),
  {
    id: 'next',
    head: words.nextRun,
    width: 150,
    isAtEnd: true,
    cell: ({ partner, nextPeriod }, tabIndex) =>
      nextPeriod === null ? (
        <Link to={`/partners/${partner.id}`} tabIndex={tabIndex}>
          {words.noRule}
        </Link>
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
