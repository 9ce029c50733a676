// The list of imports.

import { ImportStatus } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { UtcTime } from '../../../ui/LocalTime.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { startOfToday } from '../../../ui/time.ts'
import type { Tone } from '../../../ui/tone.ts'
import type { RowOf } from '../api.ts'
import { kindOf, type Me } from '../me.ts'
import { importWords as words } from '../words/imports.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

/** A row of the list. */
export type ImportRow = RowOf<'/v1/consignment-imports'>

const hrefOf = ({ id }: ImportRow) => `/imports/${id}`

/** What people call an import: its reference, else its id. */
export const nameOfImport = ({ id, referenceNumber }: Pick<ImportRow, 'id' | 'referenceNumber'>): string =>
  referenceNumber ?? id

const tones: Readonly<Record<number, Tone>> = {
  [ImportStatus.Pending]: 'moving',
  [ImportStatus.PendingReconciliation]: 'warehouse',
  [ImportStatus.Reconciled]: 'done',
  [ImportStatus.Discarded]: 'waits',
}

/** The status of an import, by who must act. */
export const ImportPill = ({ status }: { status: number }) => (
  <Pill
    text={words.status(status)}
    tone={tones[status] ?? 'waits'}
    isRing={status === ImportStatus.Discarded}
  />
)

const reasonOf = ({ reasons: [first, ...others] }: ImportRow): string =>
  first === undefined
    ? words.nothing
    : [first.message, others.length > 0 && words.moreReasons(others.length)].filter(Boolean).join(' ')

const columns = (me: Me): readonly Column<ImportRow>[] => [
  recordColumn('reference', words.headReference, hrefOf, nameOfImport, 190),
  {
    id: 'status',
    head: words.headStatus,
    width: 130,
    isOnPhone: true,
    cell: ({ status }) => <ImportPill status={status} />,
    text: ({ status }) => words.status(status),
  },
  ...(kindOf(me) === 'client'
    ? []
    : [
        { id: 'client', head: words.headClient, width: 120, cell: ({ clientCode }: ImportRow) => clientCode },
      ]),
  { id: 'reason', head: words.headReason, cell: reasonOf },
  {
    id: 'externalId',
    head: words.headExternalId,
    width: 150,
    isHidden: true,
    cell: ({ externalId }) => externalId ?? words.nothing,
  },
  {
    id: 'received',
    head: words.headReceived,
    width: 140,
    isAtEnd: true,
    cell: ({ receivedUtc }) => <UtcTime value={receivedUtc} />,
    text: ({ receivedUtc }) => receivedUtc,
  },
]

export const importList: List<'/v1/consignment-imports', ImportRow> = {
  path: '/v1/consignment-imports',
  rowsName: 'consignmentImports',
  heading: words.imports,
  searchLabel: words.search,
  searchPlaceholder: words.searchPlaceholder,
  columns,
  filters: () => [
    {
      name: 'Status',
      label: words.headStatus,
      kind: 'choice',
      options: Object.values(ImportStatus).map(value => ({
        value: String(value),
        text: words.status(value),
      })),
    },
  ],
  views: [
    {
      id: 'waiting',
      text: words.waiting,
      query: { Status: String(ImportStatus.PendingReconciliation) },
      emptyText: words.noneWaiting,
    },
    {
      id: 'today',
      text: words.today,
      get query() {
        return { ReceivedFrom: startOfToday() }
      },
    },
    { id: 'all', text: words.all, query: {} },
  ],
  idOf: ({ id }) => id,
  nameOf: nameOfImport,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}
