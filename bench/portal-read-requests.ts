// The requests of bench/portal-reads.ts.

import type { LoadedOrganisation } from './consignments-load.ts'

/** A request by the round in which it is sent: what the service keeps for a while is not asked for again. */
export interface PortalRead {
  group: string
  /** of p95 */
  targetMs: number
  path: (round: number) => string
}

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

/** Filters of the list, each with some of its values; `work` needs open statuses. */
const filtersOf = ({ clientIds, carrierIds, warehouseIds }: LoadedOrganisation) => ({
  any: {
    ClientId: [clientIds[0], clientIds[10], clientIds[39]],
    CarrierId: [carrierIds[0], carrierIds[5]],
    WarehouseId: [warehouseIds[0], warehouseIds[3]],
    Type: ['1', '2'],
    Status: ['6', '0', '-1'],
    EdiStatus: ['1', 'null'],
    DateFrom: [dayOf(7), dayOf(90)],
    SearchText: ['PO1234', 'kauri'],
  },
  work: {
    Priority: ['2'],
    DueTo: [dayOf(0)],
    IsLate: ['true', 'false'],
    IsShort: ['true'],
    HasJob: ['true', 'false'],
    City: ['Somewhere'],
  },
})

const one = (name: string, value: string | undefined) => `${name}=${encodeURIComponent(value ?? '')}`

/** Every value of each filter, alone and with every value of each other one. */
function pairsOf(filters: Record<string, (string | undefined)[]>): string[] {
  const names = Object.keys(filters)
  const queriesOf = (name: string) => (filters[name] ?? []).map(value => one(name, value))
  return names.flatMap((name, i) => [
    ...queriesOf(name),
    ...names
      .slice(i + 1)
      .flatMap(other => queriesOf(name).flatMap(a => queriesOf(other).map(b => `${a}&${b}`))),
  ])
}

const group = (name: string, targetMs: number, path: string, queries: readonly string[]): PortalRead[] =>
  queries.map(query => ({ group: name, targetMs, path: () => `${path}?${query}` }))

const list = '/v1/consignments'
const counts = '/v1/consignments/counts'
const withFigures = (queries: readonly string[]) => queries.map(query => `${query}&Include=figures`)

/** The first page of the list, with its figures but for the first group. */
function listReads(organisation: LoadedOrganisation): PortalRead[] {
  const { any, work } = filtersOf(organisation)
  const { SearchText, DateFrom, ...plain } = any
  const lists = ['', ...pairsOf(plain)]
  const { EdiStatus, ...equalities } = plain
  const dated = pairsOf({ ...equalities, DateFrom }).filter(query => query.includes('DateFrom'))
  const searched = pairsOf({ ...equalities, SearchText }).filter(query => query.includes('SearchText'))
  const { ClientId, Type, WarehouseId } = any
  const open = pairsOf({ ...work, ClientId, Type, WarehouseId }).map(query => `Status=-1&${query}`)
  const sorted = (queries: readonly string[], order: string) =>
    withFigures(queries.map(query => `${query}&Sort=${order}`))
  return [
    ...group('list without figures', 30, list, lists),
    ...group('list with figures', 30, list, withFigures(lists)),
    ...group('list with figures, by date', 30, list, withFigures(dated)),
    ...group('list with figures, by text', 100, list, withFigures(searched)),
    ...group('list with figures, open work', 30, list, withFigures(open)),
    ...group('list with figures, soonest due', 30, list, sorted(open, 'due')),
    ...['-entered', 'number', '-number'].flatMap(order =>
      group(`list with figures, by ${order}`, 30, list, sorted(lists, order)),
    ),
  ]
}

/** Pages far down the list, as a share of all consignments. */
function farReads({ clientIds, warehouseIds }: LoadedOrganisation, size: number): PortalRead[] {
  const far = (query: string, share: number) => `${query}&PageIndex=${1 + Math.floor((size * share) / 25)}`
  const one = [far('', 0.5), far('Type=2', 0.3), far('Status=6', 0.6)]
  const two = [
    far('Status=6&Type=2', 0.3),
    far(`ClientId=${clientIds[0]}&Type=2`, 0.06),
    far(`WarehouseId=${warehouseIds[0]}&Status=6`, 0.2),
  ]
  return [
    ...group('far page', 30, list, withFigures(one)),
    ...group('far page, two filters', 30, list, withFigures(two)),
  ]
}

function countReads(organisation: LoadedOrganisation): PortalRead[] {
  const { DateFrom, SearchText } = filtersOf(organisation).any
  const { clientIds, warehouseIds } = organisation
  const narrowed = [
    '',
    ...['Type=2', `WarehouseId=${warehouseIds[0]}`, `Type=1&WarehouseId=${warehouseIds[1]}`],
    ...[`ClientId=${clientIds[0]}`, `ClientId=${clientIds[0]}&Type=2`],
  ]
  const by = ['Status', 'Type', 'ClientId', 'CarrierId', 'WarehouseId']
  const plain = by.flatMap(field => narrowed.map(query => `By=${field}&${query}`))
  const dated = narrowed.flatMap(query => DateFrom.map(day => `By=Status&${query}&DateFrom=${day}`))
  const searched = SearchText.flatMap(text => [`SearchText=${text}`, `SearchText=${text}&Type=2`])
  return [
    ...group('counts', 20, counts, plain),
    ...group('counts by date', 20, counts, dated),
    ...group('counts by text', 50, counts, searched),
  ]
}

const searched = ['PO1', 'PO1234', '320', 'WBL-000320', 'mscu00', 'kauri', 'tray', 'A-00', 'nothing has this']

function homeReads({ clientIds, warehouseIds }: LoadedOrganisation): PortalRead[] {
  return [
    ...['', `&WarehouseId=${warehouseIds[0]}`, `&ClientId=${clientIds[0]}`].map(query => ({
      group: 'dashboard',
      targetMs: 100,
      path: (round: number) => `/v1/dashboard?Days=${30 + round}${query}`,
    })),
    ...group('attention', 100, '/v1/attention', ['']),
  ]
}

export function portalReads(organisation: LoadedOrganisation, size: number): PortalRead[] {
  const texts = searched.map(text => one('Q', text))
  return [
    ...listReads(organisation),
    ...farReads(organisation, size),
    ...countReads(organisation),
    ...group('search', 50, '/v1/search', texts),
    ...homeReads(organisation),
  ]
}
