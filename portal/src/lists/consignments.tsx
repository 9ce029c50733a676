// The list of consignments.

import { ConsignmentPriority, ConsignmentStatusFilter, ConsignmentType } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import type { Filter } from '../../../ui/FilterBar.tsx'
import { Identifier } from '../../../ui/Identifier.tsx'
import { ArrowIcon } from '../../../ui/icons.tsx'
import { LocalTime } from '../../../ui/LocalTime.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { daysFromToday, wallClock } from '../../../ui/time.ts'
import type { RowOf } from '../api.ts'
import { isAtRest, statusesInOrder, toneOf } from '../consignment-status.ts'
import { kindOf, type Me } from '../me.ts'
import { useOptionsOf } from '../partner-options.ts'
import { Link, useSearch } from '../router.tsx'
import { consignmentWords as words } from '../words/consignments.ts'
import styles from './consignments.module.css'
import type { List } from './list.ts'

/** A row of the list. */
export type ConsignmentRow = RowOf<'/v1/consignments'>
type Row = ConsignmentRow

const hrefOf = ({ id }: Row) => `/consignments/${id}`

const figure = (
  id: string,
  head: string,
  figureOf: (row: Row) => number | undefined,
  width = 92,
): Column<Row> => ({
  ...{ id, head, width, isAtEnd: true },
  cell: row => quantity(figureOf(row) ?? 0),
  text: row => String(figureOf(row) ?? 0),
})

const warehouseOf = ({ warehouseName }: Row, { warehouses }: Me) =>
  warehouses.find(({ name }) => name === warehouseName)

/** Where the goods come from and go to: a city, and the code of the warehouse at its end. */
function endsOf(row: Row, me: Me): readonly [from: string | null, to: string | null] {
  const here = warehouseOf(row, me)?.code ?? row.warehouseName
  const from = row.originCity ?? row.originName ?? null
  const to = row.destinationCity ?? row.destinationName ?? null
  if (row.type === ConsignmentType.Outwards) return [here, to]
  return row.type === ConsignmentType.Inwards ? [from, here] : [from, to]
}

function RouteCell({ row, me }: { row: Row; me: Me }) {
  const [from, to] = endsOf(row, me)
  return (
    <span className={styles.route} title={words.between(from, to)}>
      {from ?? words.nothing}
      <ArrowIcon />
      <span>{to ?? words.nothing}</span>
    </span>
  )
}

/** When it is due: in days, if that says more than the time. */
function DueCell({ row, me }: { row: Row; me: Me }) {
  const { dueDateTime, isLate = false } = row
  if (dueDateTime == null) return words.nothing
  const zone = warehouseOf(row, me)?.timezoneId ?? me.organisation.timezoneId
  const inDays = words.due(daysFromToday(dueDateTime, zone), isLate)
  return (
    <span className={isLate ? styles.alert : ''}>
      {inDays === undefined ? (
        <LocalTime value={dueDateTime} zone={zone} />
      ) : (
        <time dateTime={dueDateTime.replace(/Z$/, '')} title={wallClock(dueDateTime)}>
          {inDays}
        </time>
      )}
    </span>
  )
}

/** Who gets the goods, and in which city; of goods that come in, the warehouse. */
export const consigneeOf = (row: Row): readonly [name: string | null, city: string | null] =>
  row.type === ConsignmentType.Inwards
    ? [row.warehouseName, null]
    : [row.destinationName ?? null, row.destinationCity ?? null]

/** What a driver looks for. */
const consigneeColumn: Column<Row> = {
  id: 'consignee',
  head: words.headConsignee,
  isOnPhone: true,
  cell: row => words.consignee(...consigneeOf(row)),
}

const stopColumn: Column<Row> = {
  ...{ id: 'stop', head: words.headStop, width: 64, isAtEnd: true },
  cell: row => row.carrierRunOrdinal ?? words.nothing,
  text: row => String(row.carrierRunOrdinal ?? ''),
}

/** The columns of people who carry the goods. */
function carrierColumns(me: Me): readonly Column<Row>[] {
  const all = columns(me)
  const named = (...ids: readonly string[]) =>
    ids.flatMap(id => all.filter(column => column.id === id).map(one => ({ ...one, isHidden: false })))
  return [
    ...named('number'),
    consigneeColumn,
    ...named('status').map(column => ({ ...column, isOnPhone: false })),
    ...named('run').map(column => ({ ...column, width: 76 })),
    stopColumn,
    ...named('client'),
    ...named('reference').map(column => ({ ...column, width: 100 })),
    ...named('due'),
    ...named('quantity').map(column => ({ ...column, width: 92 })),
    ...all.filter(({ id }) => ['type', 'warehouse', 'route', 'entered', 'lines'].includes(id)).map(hidden),
  ]
}

const hidden = (column: Column<Row>): Column<Row> => ({ ...column, isHidden: true })

/** On a laptop's screen, names and routes need the room that the number of lines would take. */
const isNarrow = () => matchMedia('(max-width: 1360px)').matches

const columns = (me: Me): readonly Column<Row>[] => [
  {
    id: 'number',
    head: words.headNumber,
    // Without boxes before it, it begins at the edge of the page, and its cell has more room there.
    width: kindOf(me) === 'staff' ? 146 : 158,
    isRowHeader: true,
    isOnPhone: true,
    cell: (row, tabIndex) => (
      <Link to={hrefOf(row)} tabIndex={tabIndex}>
        <Identifier value={row.consignmentNumber} />
      </Link>
    ),
    text: row => row.consignmentNumber,
  },
  {
    id: 'status',
    head: words.headStatus,
    width: 146,
    isOnPhone: true,
    cell: ({ status }) => (
      <Pill text={words.status(status)} tone={toneOf(status)} isRing={isAtRest(status)} />
    ),
    text: ({ status }) => words.status(status),
  },
  { id: 'type', head: words.headType, width: 120, isHidden: true, cell: ({ type }) => words.type(type) },
  ...(kindOf(me) === 'client'
    ? []
    : [{ id: 'client', head: words.headClient, cell: ({ clientName }: Row) => clientName }]),
  {
    id: 'reference',
    head: words.headReference,
    ...(isNarrow() ? { width: 100 } : {}),
    cell: row => row.referenceNumber ?? words.nothing,
  },
  {
    id: 'route',
    head: words.headRoute,
    cell: row => <RouteCell row={row} me={me} />,
    text: row => words.between(...endsOf(row, me)),
  },
  {
    id: 'warehouse',
    head: words.headWarehouse,
    isHidden: true,
    cell: row => row.warehouseName ?? words.nothing,
  },
  { id: 'carrier', head: words.headCarrier, cell: row => row.carrierName ?? words.nothing },
  {
    id: 'run',
    head: words.headRun,
    width: 90,
    isHidden: true,
    cell: row => row.carrierRunNumber ?? words.nothing,
  },
  {
    id: 'entered',
    head: words.headEntered,
    width: 130,
    isAtEnd: true,
    isHidden: true,
    cell: ({ dateEntered }) => <LocalTime value={dateEntered} />,
    text: ({ dateEntered }) => dateEntered,
  },
  {
    id: 'due',
    head: words.headDue,
    width: 120,
    isAtEnd: true,
    cell: row => <DueCell row={row} me={me} />,
    text: ({ dueDateTime }) => dueDateTime ?? '',
  },
  { ...figure('lines', words.headLines, ({ lineCount }) => lineCount, 50), isHidden: isNarrow() },
  figure('quantity', words.headQuantity, row => row.quantity, 74),
  {
    ...figure('short', words.headShort, ({ shortQuantity }) => shortQuantity, 78),
    cell: ({ shortQuantity = 0 }) => (
      <span className={shortQuantity > 0 ? styles.alert : styles.quiet}>{quantity(shortQuantity)}</span>
    ),
  },
  ...(kindOf(me) === 'staff'
    ? [
        {
          id: 'job',
          head: words.headJob,
          width: 110,
          isHidden: true,
          cell: ({ jobs }: Row) => jobs?.map(({ jobNumber }) => jobNumber).join(', ') || words.nothing,
        },
      ]
    : []),
  {
    id: 'priority',
    head: words.headPriority,
    width: 90,
    isHidden: true,
    cell: ({ priority }) => (priority === undefined ? words.nothing : words.priority(priority)),
  },
]

/** The options of a filter by an enumeration of the API. */
const optionsOf = (values: Readonly<Record<string, number>>, inWords: (value: number) => string) =>
  Object.values(values).map(value => ({ value: String(value), text: inWords(value) }))

const statusOptions = [
  { value: String(ConsignmentStatusFilter.Open), text: words.open },
  ...statusesInOrder.map(status => ({ value: String(status), text: words.status(status) })),
]

const typeOptions = [ConsignmentType.Outwards, ConsignmentType.Inwards, ConsignmentType.PointToPoint].map(
  type => ({ value: String(type), text: words.type(type) }),
)

/** What is to be done is counted for open consignments only. */
export const open = { Status: String(ConsignmentStatusFilter.Open) }

/** What is late of the open consignments. */
export const lateView = { id: 'late', text: words.late, query: { ...open, IsLate: 'true' } }

const yesOrNo = [
  { value: 'true', text: words.yes },
  { value: 'false', text: words.no },
]

const statusView = (id: string, text: string, status: number) => ({
  id,
  text,
  query: { Status: String(status) },
})

/** The filters. Clients and carriers are read when somebody wants to choose one, or has. */
function useFilters(me: Me, isAsked: boolean): readonly Filter[] {
  const { ClientId, CarrierId } = useSearch()
  const clients = useOptionsOf(me, 1, isAsked || ClientId !== undefined)
  const carriers = useOptionsOf(me, 2, isAsked || CarrierId !== undefined)
  return [
    { name: 'Status', label: words.headStatus, kind: 'choice', options: statusOptions },
    { name: 'Type', label: words.headType, kind: 'choice', options: typeOptions },
    {
      name: 'WarehouseId',
      label: words.headWarehouse,
      kind: 'choice',
      options: me.warehouses.map(({ id, name }) => ({ value: id, text: name })),
    },
    {
      name: 'Priority',
      label: words.headPriority,
      kind: 'choice',
      options: optionsOf(ConsignmentPriority, words.priority),
      implies: open,
    },
    { name: 'IsLate', label: words.late, kind: 'choice', options: yesOrNo, implies: open },
    { name: 'IsShort', label: words.headShort, kind: 'choice', options: yesOrNo, implies: open },
    { name: 'DateFrom', toName: 'DateTo', label: words.headEntered, kind: 'period' },
    { name: 'DueFrom', toName: 'DueTo', label: words.headDue, kind: 'period', implies: open },
    // Last, because they may be many.
    { name: 'ClientId', label: words.headClient, kind: 'choice', options: clients },
    { name: 'CarrierId', label: words.headCarrier, kind: 'choice', options: carriers },
  ]
}

const consignmentList: List<'/v1/consignments', Row> = {
  path: '/v1/consignments',
  rowsName: 'consignments',
  always: { Include: 'figures' },
  heading: words.consignments,
  searchLabel: words.search,
  searchPlaceholder: words.searchPlaceholder,
  columns,
  filters: useFilters,
  views: [
    statusView('open', words.open, ConsignmentStatusFilter.Open),
    statusView('to-receive', words.toReceive, ConsignmentStatusFilter.ReadyToReceive),
    statusView('to-pick', words.toPick, ConsignmentStatusFilter.ReadyToPick),
    statusView('to-dispatch', words.toDispatch, ConsignmentStatusFilter.ReadyToDispatch),
    statusView('in-transit', words.inTransit, ConsignmentStatusFilter.InTransit),
    lateView,
    { id: 'all', text: words.all, query: {} },
  ],
  idOf: ({ id }) => id,
  nameOf: ({ consignmentNumber }) => consignmentNumber,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}

const carriersList: typeof consignmentList = {
  ...consignmentList,
  columns: carrierColumns,
  views: [
    statusView('in-transit', words.inTransit, ConsignmentStatusFilter.InTransit),
    statusView('to-dispatch', words.toCollect, ConsignmentStatusFilter.ReadyToDispatch),
    statusView('complete', words.delivered, ConsignmentStatusFilter.Complete),
    ...consignmentList.views.filter(({ id }) => ['open', 'late', 'all'].includes(id)),
  ],
  emptyText: words.noneCarried,
}

/** The list as the person has it: a carrier's begins with what is on the road. */
export const consignmentListOf = (me: Me) => (kindOf(me) === 'carrier' ? carriersList : consignmentList)
