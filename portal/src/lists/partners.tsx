// The list of clients and of carriers.

import { PartnerStatus, Relationship } from '../../../client/src/waybill.ts'
import { Pill } from '../../../ui/Pill.tsx'
import type { RowOf } from '../api.ts'
import { partnerWords as words } from '../words/partners.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/partners'>

const hrefOf = ({ id }: Row) => `/partners/${id}`

export const partnerList: List<'/v1/partners', Row> = {
  path: '/v1/partners',
  rowsName: 'partners',
  heading: words.partners,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns: () => [
    recordColumn('name', words.name, hrefOf, row => row.name),
    { id: 'code', head: words.code, width: 150, isOnPhone: true, cell: row => row.code },
    {
      id: 'status',
      head: words.status,
      width: 130,
      cell: ({ status }) =>
        words.isActive(status) ? words.active : <Pill text={words.inactive} tone="waits" isRing />,
      text: ({ status }) => (words.isActive(status) ? words.active : words.inactive),
    },
    { id: 'email', head: words.email, width: 260, cell: row => row.email ?? words.nothing },
    {
      id: 'externalId',
      head: words.externalId,
      width: 160,
      isHidden: true,
      cell: row => row.externalId ?? words.nothing,
    },
  ],
  filters: () => [
    {
      name: 'Status',
      label: words.status,
      kind: 'choice',
      options: [
        { value: String(PartnerStatus.Active), text: words.active },
        { value: String(PartnerStatus.Inactive), text: words.inactive },
      ],
    },
  ],
  views: [
    { id: 'clients', text: words.clients, query: { Relationship: String(Relationship.Client) } },
    { id: 'carriers', text: words.carriers, query: { Relationship: String(Relationship.Carrier) } },
  ],
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}
