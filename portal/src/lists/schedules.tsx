// The list of schedules: what partners are billed.

import { ScheduleStatus } from '../../../client/src/waybill.ts'
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

const columns = (me: Me) => {
  const isStaff = kindOf(me) === 'staff'
  return [
    nameColumn(isStaff),
    ...(isStaff
      ? [
          {
            id: 'date',
            head: words.date,
            width: 100,
            isOnPhone: true,
            cell: ({ date }: ScheduleRow) => <LocalDay value={date} />,
            text: ({ date }: ScheduleRow) => date,
          },
        ]
      : []),
    {
      id: 'reference',
      head: words.reference,
      width: 200,
      cell: ({ referenceNumber }: ScheduleRow) => referenceNumber ?? words.nothing,
    },
    {
      id: 'invoice',
      head: words.invoice,
      width: 130,
      cell: ({ invoiceNumber }: ScheduleRow) => invoiceNumber ?? words.nothing,
    },
    {
      id: 'due',
      head: words.due,
      width: 100,
      cell: ({ dueDate }: ScheduleRow) => <LocalDay value={dueDate} />,
      text: ({ dueDate }: ScheduleRow) => dueDate ?? '',
    },
    {
      id: 'amount',
      head: words.amount,
      width: 120,
      isAtEnd: true,
      isOnPhone: true,
      cell: ({ amountExclTax }: ScheduleRow) => (
        <Money value={amountExclTax} currency={me.organisation.currencyCode} />
      ),
      text: ({ amountExclTax }: ScheduleRow) => String(amountExclTax),
    },
    {
      id: 'withTax',
      head: words.withTax,
      width: 120,
      isAtEnd: true,
      isHidden: true,
      cell: ({ amountInclTax }: ScheduleRow) => (
        <Money value={amountInclTax} currency={me.organisation.currencyCode} />
      ),
      text: ({ amountInclTax }: ScheduleRow) => String(amountInclTax),
    },
    {
      id: 'status',
      head: words.headStatus,
      width: 120,
      isOnPhone: true,
      cell: ({ status }: ScheduleRow) => <SchedulePill status={status} />,
      text: ({ status }: ScheduleRow) => words.status(status),
    },
    ...(isStaff
      ? [
          {
            id: 'exported',
            head: words.exported,
            width: 90,
            cell: ({ isExported }: ScheduleRow) => (isExported ? words.yes : words.no),
          },
        ]
      : []),
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
