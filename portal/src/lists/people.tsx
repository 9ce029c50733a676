// The list of people.

import { UtcTime } from '../../../ui/LocalTime.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import type { RowOf } from '../api.ts'
import type { Me } from '../me.ts'
import { useAllPartnerOptions } from '../suggestions.ts'
import { peopleWords as words } from '../words/people.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/users'>

export const roles = ['administrator', 'member', 'reader'] as const

export const roleOptions = roles.map(value => ({ value, text: words.roleOf(value) }))

const hrefOf = ({ id }: Pick<Row, 'id'>) => `/settings/people/${id}`

/** Whether the person can sign in. */
export const PersonPill = ({ person: { isDisabled, isOperator, hasPassword } }: { person: Row }) => {
  if (isDisabled) return <Pill text={words.disabled} tone="alert" isRing />
  if (isOperator) return <Pill text={words.operator} tone="waits" isRing />
  return hasPassword ? <Pill text={words.active} tone="done" /> : <Pill text={words.invited} tone="waits" />
}

export const peopleList: List<'/v1/users', Row> = {
  path: '/v1/users',
  rowsName: 'users',
  heading: words.people,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns: () => [
    recordColumn('name', words.name, hrefOf, (row: Row) => row.fullName),
    { id: 'email', head: words.email, cell: row => row.email },
    { id: 'role', head: words.role, width: 120, cell: row => words.roleOf(row.role) },
    { id: 'partner', head: words.worksFor, cell: row => row.partnerName ?? uiWords.nothing },
    {
      id: 'state',
      head: words.headState,
      width: 170,
      isOnPhone: true,
      cell: row => <PersonPill person={row} />,
      text: stateOf,
    },
    {
      id: 'since',
      head: words.since,
      width: 130,
      isAtEnd: true,
      cell: row => <UtcTime value={row.createdUtc} />,
      text: row => row.createdUtc,
    },
  ],
  filters: useFilters,
  views: [
    { id: 'active', text: words.active, query: { IsDisabled: 'false' } },
    { id: 'disabled', text: words.disabled, query: { IsDisabled: 'true' } },
    { id: 'all', text: words.all, query: {} },
  ],
  idOf: ({ id }) => id,
  nameOf: ({ fullName }) => fullName,
  hrefOf,
  emptyText: words.noPeople,
}

function stateOf({ isDisabled, hasPassword }: Row): string {
  if (isDisabled) return words.disabled
  return hasPassword ? words.active : words.invited
}

function useFilters(me: Me) {
  return [
    { name: 'Role', label: words.role, kind: 'choice' as const, options: roleOptions },
    { name: 'PartnerId', label: words.worksFor, kind: 'choice' as const, options: useAllPartnerOptions(me) },
  ]
}
