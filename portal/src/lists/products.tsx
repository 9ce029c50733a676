// The list of products, across clients.

import { useQuery } from '@tanstack/react-query'
import { ProductStatus } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { quantity } from '../../../ui/numbers.ts'
import type { RowOf } from '../api.ts'
import { readAll } from '../every-page.ts'
import { kindOf, type Me } from '../me.ts'
import { Link } from '../router.tsx'
import { useClientOptions } from '../suggestions.ts'
import { productWords as words } from '../words/products.ts'
import type { List } from './list.ts'

type Row = RowOf<'/v1/products'>

const hrefOf = ({ partnerId, id }: Row) => `/products/${partnerId}/${id}`

const figure = (
  id: string,
  head: string,
  of: (row: Row) => number | null,
  isOnPhone = false,
): Column<Row> => ({
  ...{ id, head, isOnPhone, width: 92, isAtEnd: true },
  cell: row => {
    const value = of(row)
    return value === null ? words.nothing : quantity(value)
  },
  text: row => String(of(row) ?? ''),
})

const columns = (me: Me): readonly Column<Row>[] => [
  {
    id: 'code',
    head: words.code,
    width: 150,
    isRowHeader: true,
    isOnPhone: true,
    cell: (row, tabIndex) => (
      <Link to={hrefOf(row)} tabIndex={tabIndex}>
        <b>{row.code}</b>
      </Link>
    ),
    text: row => row.code,
  },
  { id: 'name', head: words.name, isOnPhone: true, cell: row => row.name },
  ...(kindOf(me) === 'staff'
    ? [{ id: 'client', head: words.client, width: 150, cell: (row: Row) => row.partnerName }]
    : []),
  { id: 'group', head: words.group, width: 120, cell: row => row.productGroupName ?? words.nothing },
  {
    id: 'barcode',
    head: words.barcode,
    width: 150,
    isHidden: true,
    cell: row => row.barcode ?? words.nothing,
  },
  { id: 'gtin', head: words.gtin, width: 150, cell: row => row.gtin ?? words.nothing },
  {
    id: 'dangerous',
    head: words.dangerousFilter,
    width: 96,
    cell: row => (row.isDangerousGood ? (row.dgUnNumber ?? words.yes) : words.nothing),
  },
  figure('weight', words.weight, row => row.weightKG),
  figure('onHand', words.onHand, row => row.onHandQuantity, true),
  figure('available', words.available, row => row.availableQuantity),
]

function useFilters(me: Me) {
  const clients = useClientOptions(me)
  const { data } = useQuery({
    ...readAll('/v1/product-groups'),
    staleTime: 60_000,
  })
  const groups = data?.productGroups.map(({ id, name }) => ({ value: id, text: name })) ?? []
  return [
    { name: 'PartnerId', label: words.client, kind: 'choice' as const, options: clients },
    { name: 'ProductGroupId', label: words.group, kind: 'choice' as const, options: groups },
    {
      name: 'IsDangerousGood',
      label: words.dangerousFilter,
      kind: 'choice' as const,
      options: [
        { value: 'true', text: words.yes },
        { value: 'false', text: words.no },
      ],
    },
  ]
}

export const productList: List<'/v1/products', Row> = {
  path: '/v1/products',
  rowsName: 'products',
  heading: words.products,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns,
  filters: useFilters,
  views: [
    { id: 'active', text: words.active, query: { ProductStatus: String(ProductStatus.Active) } },
    { id: 'inactive', text: words.inactive, query: { ProductStatus: String(ProductStatus.Inactive) } },
    { id: 'all', text: words.all, query: {} },
  ],
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf: ({ code }) => code,
  hrefOf,
  emptyText: words.none,
  whose: { filter: 'PartnerId', emptyText: words.noneOfClient },
}
