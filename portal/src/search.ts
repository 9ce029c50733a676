// What a search finds: screens and acts by name, and records of every kind, with one request.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { daysInWords } from '../../ui/time.ts'
import { type RowOf, read } from './api.ts'
import { canOpen, menuOf } from './frame/menu.ts'
import { type Me, useMe } from './me.ts'
import { searchWords as words } from './words/search.ts'

/** Something that a search has found. */
export interface Found {
  id: string
  title: string
  subtitle: string
  /** the address of its screen */
  to: string
  /** the query of that address */
  search?: Readonly<Record<string, string>>
}

/** What was found of a kind. */
export interface FoundKind {
  kind: string
  found: readonly Found[]
}

type FoundRecord = RowOf<'/v1/search'>

const minLength = 2
const maxLength = 100
const minContentLength = 3

/** Finds what has this text. Texts of one character find only screens. */
export function useSearchResults(text: string): { kinds: readonly FoundKind[]; isSearching: boolean } {
  const me = useMe()
  const Q = text.trim().slice(0, maxLength)
  const isLong = Q.length >= minLength
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...read('/v1/search', { query: { Q } }),
    ...{ enabled: isLong, staleTime: 10_000, placeholderData: keepPreviousData },
  })
  const records = isLong ? (data?.results ?? []) : []
  return {
    kinds: [{ kind: words.screens, found: foundScreens(me, text) }, ...byKind(me, records)].filter(
      ({ found }) => found.length > 0,
    ),
    isSearching: isLong && isFetching && (data === undefined || isPlaceholderData),
  }
}

/** Screens that another one leads to. */
const others = [
  { path: '/billing/set-up', text: words.billingSetUp },
  { path: '/settings/people', text: words.people },
  { path: '/settings/history', text: words.history },
  { path: '/inventory/opening', text: words.openingBalances },
]

/** Acts that have a screen of their own. */
const acts = [
  { path: '/consignments/new', text: words.newConsignment },
  { path: '/consignments/upload', text: words.uploadOrders },
  { path: '/jobs/new', text: words.newWave },
  { path: '/counts/new', text: words.newCount },
]

function foundScreens(me: Me, text: string): Found[] {
  const wanted = text.trim().toLowerCase()
  const screens = [...menuOf(me).flatMap(group => group.entries), ...others, ...acts]
  return screens
    .filter(({ path }) => canOpen(me, path))
    .flatMap(({ path, text: title }) => {
      const subtitle = title.toLowerCase().includes(wanted) ? '' : contentOf(path, wanted)
      return subtitle === undefined ? [] : [{ id: path, title, subtitle, to: path }]
    })
    .sort((a, b) => Number(a.subtitle !== '') - Number(b.subtitle !== ''))
    .slice(0, 8)
}

/** What a screen has, if that is looked for. A few letters are the beginning of too many words. */
const contentOf = (path: string, wanted: string): string | undefined =>
  wanted.length < minContentLength
    ? undefined
    : words.contents[path]?.find(content => content.toLowerCase().includes(wanted))

/** The records that have a screen, by kind. */
function byKind(me: Me, records: readonly FoundRecord[]): FoundKind[] {
  const kinds = [...new Set(records.map(({ kind }) => kind))]
  return kinds.map(kind => ({
    kind: words.kinds[kind],
    found: records.filter(record => record.kind === kind).flatMap(record => foundRecord(me, record) ?? []),
  }))
}

function foundRecord(me: Me, record: FoundRecord): Found | undefined {
  const place = placesOf(record).find(({ to }) => canOpen(me, to))
  if (place === undefined) return undefined
  const { id, kind, of, title, subtitle, status } = record
  const told = of ?? kind
  return {
    id: `${told}-${id}`,
    title: daysInWords(title),
    subtitle: [of && words.deeds[of], words.status(told, status), subtitle && daysInWords(subtitle)]
      .filter(Boolean)
      .join(', '),
    ...place,
  }
}

/** Where a record is shown: in the first of these that the person may open. */
function placesOf({ kind, of, id, parentId }: FoundRecord): readonly Pick<Found, 'to' | 'search'>[] {
  switch (of ?? kind) {
    case 'consignment':
      return [{ to: `/consignments/${id}` }]
    case 'import':
      return [{ to: `/imports/${id}` }]
    case 'partner':
      return [{ to: `/partners/${id}` }]
    case 'product':
      return [{ to: `/products/${parentId}/${id}` }, { to: '/inventory', search: { PartnerProductId: id } }]
    case 'location':
      return [{ to: '/inventory', search: { WarehouseLocationId: id } }, { to: `/warehouses/${parentId}` }]
    case 'unit':
      return [{ to: `/units/${id}` }]
    case 'serial':
      return [{ to: `/serials/${id}` }]
    case 'job':
      return [{ to: `/jobs/${id}` }]
    case 'schedule':
      return [{ to: `/schedules/${id}` }]
    case 'user':
      return [{ to: `/settings/people/${id}` }]
    case 'delivery':
      return [{ to: `/developers/webhooks/${parentId}` }]
    default:
      return [{ to: '/settings/history' }]
  }
}
