// A list as data: its columns, filters, views and query. frame/Listing.tsx shows any list; a file beside this
// one describes each. To add a column, add it there; to add a filter, give it the name of the API's query
// parameter.

import type { Column } from '../../../ui/DataTable.tsx'
import type { Filter } from '../../../ui/FilterBar.tsx'
import type { PathWith, RowOf } from '../api.ts'
import type { Me } from '../me.ts'

/** A view: a named set of filters, which the query of the address names. */
export interface View {
  id: string
  text: string
  query: Readonly<Record<string, string>>
  /** what is so if it shows nothing, but another view does */
  emptyText?: string
}

/** A list of the API. */
export interface List<Path extends PathWith<'get'>, Row = RowOf<Path>> {
  /** where its rows come from; the response has `total` and the rows */
  path: Path
  /** ids in the path */
  ids?: Readonly<Record<string, string>>
  /** the name of the rows in the response */
  rowsName: string
  heading: string
  /** absent: the list cannot be searched */
  searchLabel?: string
  searchPlaceholder?: string
  /** the API's name of the parameter that searches, if it is not SearchText */
  searchName?: string
  /** the columns that the person has: what they may not see is absent */
  columns: (me: Me) => readonly Column<Row>[]
  /** the filters. What they offer may be read once `isAsked`, if it is much or seldom wanted. */
  filters: (me: Me, isAsked: boolean) => readonly Filter[]
  views: readonly View[]
  /** parameters that every request has */
  always?: Readonly<Record<string, string>>
  /** parameters in the address that are no filters, such as the time that a list shows */
  others?: readonly string[]
  /** there are no events of it, so it is read again every 15 seconds while it is shown */
  isPolled?: boolean
  /** the rows of one record of the response, if they are not the records themselves */
  spread?: (record: RowOf<Path>) => readonly Row[]
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  statusOf?: (row: Row) => string
  /** the address of a row's record */
  hrefOf?: (row: Row) => string
  /** what would be here, if nothing is */
  emptyText: string
  /** the filter that says whose rows they are, and what would be here of somebody who has none yet */
  whose?: { filter: string; emptyText: string }
}
