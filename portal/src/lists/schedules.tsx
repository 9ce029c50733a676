// The list of schedules: what partners are billed.

import { ScheduleStatus } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { LocalDay } from '../../../ui/LocalTime.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import type { RowOf } from '../api.ts'
import { kindOf, type Me } from '../me.ts'
import { Link } from '../router.tsx'
import { usePartnerOptions } from '../suggestions.ts'
import { scheduleWords as words } from '../words/schedules.ts'
import type { List } from './list.ts'

/** A row of the list. */
export type ScheduleRow = RowOf<'/v1/schedules'>

const hrefOf = ({ id }: ScheduleRow) => `/schedules/${id}`
const nameOf = ({ partnerName, date }: ScheduleRow) => words.nameOf(partnerName, date)

/** The status of a schedule, by who must act: whoever bills, or nobody. */
export const SchedulePill = ({ status }: { status: number }) => (
  <Pill
    text={words.status(status)}
    tone={status === ScheduleStatus.Approved ? 'done' : 'warehouse'}
    isRing={status === ScheduleStatus.Draft}
  />
)

/** The cell that names a schedule: its client, or its day for people who see only their own. */
function nameColumn(isStaff: boolean) {
  return {
    id: 'name',
    head: isStaff ? words.client : words.date,
    isRowHeader: true,
    isOnPhone: true,
    cell: (row: ScheduleRow, tabIndex: 0 | -1) => (
      <Link to={hrefOf(row)} tabIndex={tabIndex} aria-label={nameOf(row)}>
        {isStaff ? row.partnerName : <LocalDay value={row.date} />}
      </Link>
    ),
    text: (row: ScheduleRow) => (isStaff ? row.partnerName : row.date),
  }
}

/** An amount of money with its currency. */
function moneyColumn(id: string, head: string, me: Me, amountOf: (row: ScheduleRow) => number) {
  return {
    ...{ id, head, width: 110, isAtEnd: true },
    cell: (row: ScheduleRow) => <Money value={amountOf(row)} currency={me.organisation.currencyCode} />,
    text: (row: ScheduleRow) => String(amountOf(row)),
  }
}

const dateColumn: Column<ScheduleRow> = {
  id: 'date',
  head: words.date,
  width: 84,
  isOnPhone: true,
  cell: ({ date }) => <LocalDay value={date} />,
  text: ({ date }) => date,
}

const exportedColumn: Column<ScheduleRow> = {
  id: 'exported',
  head: words.exported,
  width: 90,
  cell: ({ isExported }) => (isExported ? words.yes : words.no),
}

const columns = (me: Me): readonly Column<ScheduleRow>[] => {
  const isStaff = kindOf(me) === 'staff'
  return [
    nameColumn(isStaff),
    ...(isStaff ? [dateColumn] : []),
    {
      id: 'reference',
      head: words.reference,
      width: 200,
      cell: ({ referenceNumber }) => referenceNumber ?? words.nothing,
    },
    {
      id: 'invoice',
      head: words.invoice,
      width: 130,
      cell: ({ invoiceNumber }) => invoiceNumber ?? words.nothing,
    },
    {
      id: 'due',
      head: words.due,
      width: 100,
      cell: ({ dueDate }) => <LocalDay value={dueDate} />,
      text: ({ dueDate }) => dueDate ?? '',
    },
    { ...moneyColumn('amount', words.amount, me, row => row.amountExclTax), isOnPhone: true },
    { ...moneyColumn('withTax', words.withTax, me, row => row.amountInclTax), isHidden: true },
    {
      id: 'status',
      head: words.headStatus,
      width: 128,
      isOnPhone: !isStaff,
      cell: ({ status }) => <SchedulePill status={status} />,
      text: ({ status }) => words.status(status),
    },
    ...(isStaff ? [exportedColumn] : []),
  ]
}

const { Draft, Approved } = ScheduleStatus

const statusFilter = {
  name: 'Status',
  label: words.headStatus,
  kind: 'choice' as const,
  options: [Draft, Approved].map(value => ({ value: String(value), text: words.status(value) })),
}

function useFilters(me: Me) {
  const partners = usePartnerOptions(me)
  if (kindOf(me) !== 'staff') return [statusFilter]
  return [
    { name: 'PartnerId', label: words.client, kind: 'choice' as const, options: partners },
    statusFilter,
    {
      name: 'IsExported',
      label: words.exported,
      kind: 'choice' as const,
      options: [
        { value: 'true', text: words.yes },
        { value: 'false', text: words.no },
      ],
    },
  ]
}

const views = [
  { id: 'all', text: words.all, query: {} },
  { id: 'drafts', text: words.drafts, query: { Status: String(Draft) } },
  {
    id: 'to-export',
    text: words.toExport,
    query: { Status: String(Approved), IsExported: 'false' },
  },
]

/** The list, as people of the organisation or of a partner see it. */
export const scheduleList = (me: Me): List<'/v1/schedules', ScheduleRow> => ({
  path: '/v1/schedules',
  rowsName: 'schedules',
  heading: words.schedules,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns,
  filters: useFilters,
  views: kindOf(me) === 'staff' ? views : views.slice(0, 1),
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: kindOf(me) === 'staff' ? words.none : words.noneYours,
})
