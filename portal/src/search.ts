// What a search finds: screens by name, and records of several lists. Kinds that the person cannot read are
// left out.

import { useQuery } from '@tanstack/react-query'
import { read } from './api.ts'
import { menuOf } from './frame/menu.ts'
import { hasScope, kindOf, useMe } from './me.ts'
import { consignmentWords } from './words/consignments.ts'
import { searchWords as words } from './words/search.ts'
import { stockWords } from './words/stock.ts'

/** Something that a search has found. */
export interface Found {
  id: string
  title: string
  subtitle: string
  /** the address of its screen */
  to: string
}

/** What was found of a kind. */
export interface FoundKind {
  kind: string
  found: readonly Found[]
}

const maxOfKind = 5
const minLength = 2

/** Finds what has this text. Shorter texts than two characters find only screens. */
export function useSearchResults(text: string): { kinds: readonly FoundKind[]; isSearching: boolean } {
  const screens = useScreens(text)
  const records = useRecords(text)
  return {
    kinds: [screens, ...records.kinds].filter(({ found }) => found.length > 0),
    isSearching: records.isSearching,
  }
}

function useScreens(text: string): FoundKind {
  const wanted = text.trim().toLowerCase()
  const entries = menuOf(useMe()).flatMap(group => group.entries)
  const found = entries.filter(entry => entry.text.toLowerCase().includes(wanted)).slice(0, 8)
  return {
    kind: words.screens,
    found: found.map(({ path, text: title }) => ({ id: path, title, subtitle: '', to: path })),
  }
}

function useRecords(text: string) {
  const me = useMe()
  const SearchText = text.trim()
  const isLong = SearchText.length >= minLength
  const query = { SearchText, PageSize: maxOfKind }
  const seesOrders = isLong && hasScope(me, 'consignment.read')
  const seesStock = isLong && hasScope(me, 'inventory.read') && kindOf(me) !== 'carrier'
  const options = { staleTime: 10_000 }
  const orders = useQuery({ ...read('/v1/consignments', { query }), enabled: seesOrders, ...options })
  const imports = useQuery({
    ...read('/v1/consignment-imports', { query }),
    enabled: seesOrders && kindOf(me) !== 'carrier',
    ...options,
  })
  const units = useQuery({ ...read('/v1/logistic-units', { query }), enabled: seesStock, ...options })
  const stock = useQuery({ ...read('/v1/inventory', { query }), enabled: seesStock, ...options })
  const kinds: readonly FoundKind[] = [
    { kind: words.consignments, found: (orders.data?.consignments ?? []).map(foundConsignment) },
    { kind: words.imports, found: (imports.data?.consignmentImports ?? []).map(foundImport) },
    { kind: words.stock, found: (stock.data?.inventory ?? []).flatMap(foundStock).slice(0, maxOfKind) },
    { kind: words.units, found: (units.data?.logisticUnits ?? []).map(foundUnit) },
  ]
  return { kinds, isSearching: [orders, imports, units, stock].some(({ isLoading }) => isLoading) }
}

const joined = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

const foundConsignment = (row: {
  id: string
  consignmentNumber: string
  status: number
  clientName: string
  referenceNumber: string | null
}): Found => ({
  id: row.id,
  title: row.consignmentNumber,
  subtitle: joined(consignmentWords.status(row.status), row.clientName, row.referenceNumber),
  to: `/consignments/${row.id}`,
})

const foundImport = (row: { id: string; referenceNumber: string | null; clientCode: string }): Found => ({
  id: row.id,
  title: row.referenceNumber ?? row.id,
  subtitle: row.clientCode,
  to: `/imports/${row.id}`,
})

const foundUnit = (row: {
  id: string
  logisticUnitNumber: string
  warehouseLocationName: string
  ssccNumber: string | null
}): Found => ({
  id: row.id,
  title: row.logisticUnitNumber,
  subtitle: joined(row.warehouseLocationName, row.ssccNumber),
  to: `/units/${row.id}`,
})

const foundStock = ({
  products,
}: {
  products: readonly {
    warehouseProductId: string
    partnerProductCode: string
    partnerProductName: string
    warehouseLocationName: string
  }[]
}): Found[] =>
  products.map(row => ({
    id: row.warehouseProductId,
    title: stockWords.nameOf(row.partnerProductCode, row.warehouseLocationName),
    subtitle: row.partnerProductName,
    to: `/inventory/${row.warehouseProductId}`,
  }))
