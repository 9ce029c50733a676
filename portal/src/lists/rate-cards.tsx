// The list of rate cards.

import { RateCardStatus, Relationship } from '../../../client/src/waybill.ts'
import type { Filter } from '../../../ui/FilterBar.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import type { RowOf } from '../api.ts'
import type { Me } from '../me.ts'
import { useCarriers, useClientOptions } from '../suggestions.ts'
import { rateCardWords as words } from '../words/rate-cards.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/rate-cards'>

/** Whether a card is used. */
export const CardPill = ({ status }: { status: number }) => (
  <Pill
    text={words.status(status)}
    tone={status === RateCardStatus.Active ? 'done' : 'waits'}
    isRing={status !== RateCardStatus.Active}
  />
)

/** Whose prices a card holds. */
export const holderOf = ({ partner, relationship }: Pick<Row, 'partner' | 'relationship'>): string =>
  partner?.name ?? words.fallBackOf(relationship)

const inForceOf = ({ current }: Row) =>
  current === null ? words.nothing : words.inForceSince(current.number, current.effectiveFrom)

const hrefOf = ({ id }: Row) => `/rate-cards/${id}`

export const rateCardList: List<'/v1/rate-cards', Row> = {
  path: '/v1/rate-cards',
  rowsName: 'rateCards',
  heading: words.heading,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns: () => [
    recordColumn('name', words.name, hrefOf, row => row.name),
    { id: 'partner', head: words.partner, width: 240, cell: holderOf },
    {
      id: 'relationship',
      head: words.relationship,
      width: 100,
      cell: ({ relationship }) => words.relationshipOf(relationship),
    },
    {
      id: 'status',
      head: words.headStatus,
      width: 110,
      cell: ({ status }) => <CardPill status={status} />,
      text: ({ status }) => words.status(status),
    },
    { id: 'inForce', head: words.inForce, width: 190, isOnPhone: true, cell: inForceOf },
    {
      id: 'drafts',
      head: words.drafts,
      width: 90,
      isAtEnd: true,
      cell: ({ draftCount }) => (draftCount === 0 ? words.nothing : draftCount),
      text: ({ draftCount }) => String(draftCount),
    },
  ],
  filters: useFilters,
  views: [
    {
      id: 'active',
      text: words.status(RateCardStatus.Active),
      query: { Status: String(RateCardStatus.Active) },
    },
    { id: 'clients', text: words.clients, query: { Relationship: String(Relationship.Client) } },
    { id: 'carriers', text: words.carriers, query: { Relationship: String(Relationship.Carrier) } },
    {
      id: 'inactive',
      text: words.status(RateCardStatus.Inactive),
      query: { Status: String(RateCardStatus.Inactive) },
    },
    { id: 'all', text: words.all, query: {} },
  ],
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}

/** The partners whose cards can be looked for. */
function useFilters(me: Me): readonly Filter[] {
  const clients = useClientOptions(me)
  const carriers = useCarriers(me).map(({ id, name }) => ({ value: id, text: name }))
  return [{ name: 'PartnerId', label: words.partner, kind: 'choice', options: [...clients, ...carriers] }]
}
