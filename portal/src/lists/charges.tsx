// The list of charges of partners: what waits for a bill, is on one, or is void.

import { ScheduleTransactionStatus, ScheduleTransactionType } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { LocalDay } from '../../../ui/LocalTime.tsx'
import { Money } from '../../../ui/Money.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { daysInWords } from '../../../ui/time.ts'
import type { Tone } from '../../../ui/tone.ts'
import type { RowOf } from '../api.ts'
import { hasScope, type Me } from '../me.ts'
import { Link } from '../router.tsx'
import { usePartnerOptions } from '../suggestions.ts'
import { billingWords as words } from '../words/billing.ts'
import { scheduleWords } from '../words/schedules.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

/** A row of the list. */
export type ChargeRow = RowOf<'/v1/schedule-transactions'>

const hrefOf = ({ id }: ChargeRow) => `/charges/${id}`
const { Pending, Scheduled, Void } = ScheduleTransactionStatus

/** What a charge is called. */
export const chargeNameOf = ({
  particulars,
  activityName,
  type,
  warehouseName,
}: Pick<ChargeRow, 'particulars' | 'activityName' | 'type' | 'warehouseName'>): string =>
  scheduleWords.lineIn(daysInWords(particulars ?? activityName ?? words.type(type)), warehouseName)

const tones: Readonly<Record<number, Tone>> = {
  [Pending]: 'warehouse',
  [Scheduled]: 'done',
  [Void]: 'waits',
}

/** The status of a charge, by who must act. */
export const ChargePill = ({ status }: { status: number }) => (
  <Pill text={words.status(status)} tone={tones[status] ?? 'waits'} isRing={status === Void} />
)

const columns = (me: Me): readonly Column<ChargeRow>[] => [
  recordColumn('particulars', words.particulars, hrefOf, chargeNameOf),
  {
    id: 'date',
    head: words.date,
    width: 90,
    cell: ({ date }) => <LocalDay value={date} />,
    text: ({ date }) => date,
  },
  { id: 'client', head: words.client, width: 156, isOnPhone: true, cell: ({ partner }) => partner.name },
  {
    id: 'activity',
    head: words.activity,
    width: 158,
    cell: ({ activityName, type }) => activityName ?? scheduleWords.work(type),
  },
  {
    id: 'consignment',
    head: words.consignment,
    width: 150,
    cell: ({ consignmentId, consignmentNumber }, tabIndex) =>
      consignmentId !== null && hasScope(me, 'consignment.read') ? (
        <Link to={`/consignments/${consignmentId}`} tabIndex={tabIndex}>
          {consignmentNumber}
        </Link>
      ) : (
        (consignmentNumber ?? words.nothing)
      ),
    text: ({ consignmentNumber }) => consignmentNumber ?? '',
  },
  {
    id: 'quantity',
    head: words.quantity,
    width: 100,
    isAtEnd: true,
    cell: row => quantity(row.quantity),
  },
  {
    id: 'amount',
    head: words.amount,
    width: 110,
    isAtEnd: true,
    isOnPhone: true,
    cell: ({ amountExclTax }) => <Money value={amountExclTax} currency={me.organisation.currencyCode} />,
    text: ({ amountExclTax }) => String(amountExclTax),
  },
  {
    id: 'status',
    head: words.headStatus,
    width: 120,
    cell: ({ status }) => <ChargePill status={status} />,
    text: ({ status }) => words.status(status),
  },
]

function useFilters(me: Me) {
  const partners = usePartnerOptions(me)
  const choices = (values: Readonly<Record<string, number>>, inWords: (value: number) => string) =>
    Object.values(values).map(value => ({ value: String(value), text: inWords(value) }))
  return [
    { name: 'PartnerId', label: words.client, kind: 'choice' as const, options: partners },
    {
      name: 'Type',
      label: words.headType,
      kind: 'choice' as const,
      options: choices(ScheduleTransactionType, words.type),
    },
    { name: 'DateFrom', toName: 'DateTo', label: words.date, kind: 'period' as const },
    {
      name: 'WarehouseId',
      label: words.warehouse,
      kind: 'choice' as const,
      options: me.warehouses.map(({ id, name }) => ({ value: id, text: name })),
    },
  ]
}

export const chargeList: List<'/v1/schedule-transactions', ChargeRow> = {
  path: '/v1/schedule-transactions',
  rowsName: 'scheduleTransactions',
  heading: words.charges,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns,
  filters: useFilters,
  views: [
    { id: 'waiting', text: words.waiting, query: { Status: String(Pending) } },
    { id: 'on-bills', text: words.onBills, query: { Status: String(Scheduled) } },
    { id: 'void', text: words.void, query: { Status: String(Void) } },
    { id: 'all', text: words.all, query: {} },
  ],
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf: chargeNameOf,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}
