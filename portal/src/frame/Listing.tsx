// Shows a list: its views, search and filters, the columns that the reader has chosen, the grid, and how many
// rows there are and are selected. What is selected gets a toolbar with the acts of the screen.

import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { FilterBar } from '../../../ui/FilterBar.tsx'
import { areKeysOn } from '../../../ui/keys.ts'
import { Menu, type MenuAct } from '../../../ui/Menu.tsx'
import { notify } from '../../../ui/Notices.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { day } from '../../../ui/time.ts'
import { words as uiWords } from '../../../ui/words.ts'
import type { PathWith, RowOf } from '../api.ts'
import type { List } from '../lists/list.ts'
import { maxRows, useList } from '../lists/use-list.ts'
import { useMe } from '../me.ts'
import { usePreferences } from '../preferences.ts'
import { useGo } from '../router.tsx'
import { Empty } from './Empty.tsx'
import { Fault } from './Fault.tsx'
import styles from './listing.module.css'
import { Page } from './Page.tsx'
import { useColumns } from './use-columns.ts'
import { Views } from './Views.tsx'

export interface ListingProps<Path extends PathWith<'get'>, Row> {
  list: List<Path, Row>
  /** the acts of the screen, at the end of the heading's line */
  acts?: ReactNode
  /** the acts on the selected rows; without it rows cannot be selected */
  selectedActs?: (selected: readonly Row[], clear: () => void) => ReactNode
  /** above the grid, such as the counts by status */
  above?: ReactNode
  /** opens a row that has the focus, if its record has no address */
  onOpen?: (row: Row) => void
}

/** A screen with a list. */
export function Listing<Path extends PathWith<'get'>, Row = RowOf<Path>>({
  list,
  acts,
  selectedActs,
  above,
  onOpen,
}: ListingProps<Path, Row>) {
  const me = useMe()
  const go = useGo()
  const state = useList(list)
  const allColumns = useMemo(() => list.columns(me), [list, me])
  const preferences = usePreferences(state.total !== undefined)
  const chosen = useColumns(list.path, allColumns, preferences)
  const { selection, setSelection, selected } = useSelection(state.rows, list.idOf)
  const pageState = stateOf(state)
  if (state.error !== null && state.total === undefined) return <NotRead state={state} />
  return (
    <Page
      heading={list.heading}
      state={pageState}
      beside={
        <span className={styles.total}>{state.total === undefined ? null : quantity(state.total)}</span>
      }
      isFilled
      acts={
        <>
          <ListActs
            columnActs={chosen.acts}
            onExport={() => void exportLater(list.heading, chosen.columns, state.rows)}
          />
          {acts}
        </>
      }
    >
      <Views list={list} state={state} preferences={preferences} />
      <Filters list={list} state={state} />
      {above}
      {selected.length > 0 && (
        <Selected onClear={() => setSelection(new Set())}>
          {selectedActs?.(selected, () => setSelection(new Set()))}
        </Selected>
      )}
      <News count={state.newCount} onShow={state.showNew} />
      {pageState === 'empty' ? (
        <Empty list={list} state={state} />
      ) : (
        <DataTable<Row>
          label={list.heading}
          columns={chosen.columns}
          rows={state.rows}
          idOf={list.idOf}
          nameOf={list.nameOf}
          state={pageState}
          sort={state.sort}
          onSort={state.setSort}
          onNearEnd={state.readOn}
          {...(list.statusOf === undefined ? {} : { statusOf: list.statusOf })}
          {...(list.hrefOf === undefined ? {} : { onOpen: row => go(list.hrefOf?.(row) ?? '') })}
          {...(onOpen === undefined ? {} : { onOpen })}
          {...(selectedActs === undefined ? {} : { selection, onSelect: setSelection })}
        />
      )}
      <Foot loaded={state.loaded} total={state.total ?? 0} selected={selectedActs && selected.length} />
    </Page>
  )
}

/** Few export: what makes the file is not in the first load. */
const exportLater = <Row,>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]) =>
  import('./export-rows.ts').then(
    ({ exportRows }) => exportRows(name, columns, rows),
    () => notify({ text: uiWords.notRead, isAlert: true }),
  )

/** The list could not be read. A link can hold filters that the service refuses; without them it can. */
const NotRead = ({
  state,
}: {
  state: Pick<ReturnType<typeof useList>, 'error' | 'retry' | 'isNarrowed' | 'removeFilters'>
}) => (
  <Fault
    error={state.error}
    onRetry={state.retry}
    onRemoveFilters={state.isNarrowed ? state.removeFilters : undefined}
  />
)

const ListActs = ({ columnActs, onExport }: { columnActs: readonly MenuAct[]; onExport: () => void }) => (
  <>
    <Menu label={uiWords.columns} groups={[{ acts: columnActs }]}>
      <Button kind="quiet">{uiWords.columns}</Button>
    </Menu>
    <Button onPress={onExport}>{uiWords.export}</Button>
  </>
)

interface FiltersProps {
  list: Pick<List<'/v1/consignments'>, 'searchLabel' | 'searchPlaceholder'>
  state: Pick<
    ReturnType<typeof useList>,
    'filters' | 'values' | 'setFilters' | 'searchText' | 'setSearch' | 'ask'
  >
}

export const Filters = ({ list, state }: FiltersProps) => (
  <FilterBar
    filters={state.filters}
    values={state.values}
    onChange={state.setFilters}
    dayInWords={day}
    onAsk={state.ask}
    {...(list.searchLabel === undefined
      ? {}
      : {
          search: {
            label: list.searchLabel,
            placeholder: list.searchPlaceholder ?? '',
            value: state.searchText,
            onChange: state.setSearch,
          },
        })}
  />
)

export const Selected = ({ onClear, children }: { onClear: () => void; children: ReactNode }) => (
  <div role="toolbar" aria-label={uiWords.selected} className={styles.toolbar}>
    {children}
    <Button kind="quiet" onPress={onClear}>
      {uiWords.clearSelection}
    </Button>
  </div>
)

/** The rows that are held back, so that they do not push those that somebody reads. */
export const News = ({ count, onShow }: { count: number; onShow: () => void }) =>
  count > 0 && (
    <div role="status" className={styles.news}>
      <Button kind="quiet" onPress={onShow}>
        {uiWords.newRows(count)}
      </Button>
    </div>
  )

export const stateOf = ({ total, error }: { total: number | undefined; error: unknown }) =>
  error !== null ? 'error' : total === undefined ? 'loading' : total === 0 ? 'empty' : 'ready'

/** What is selected. Rows that are no longer in the list are not. */
export function useSelection<Row>(rows: readonly Row[], idOf: (row: Row) => string) {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(() => rows.filter(row => selection.has(idOf(row))), [rows, selection, idOf])
  return { selection, setSelection, selected }
}

/** How much there is, and the keys. `selected` is undefined if nothing can be. */
export function Foot({
  loaded,
  total,
  selected,
}: {
  loaded: number
  total: number
  selected: number | undefined
}) {
  const keys = uiWords.gridKeys.filter(({ id }) => id !== 'select' || selected !== undefined)
  return (
    <div className={styles.foot}>
      {areKeysOn() && total > 0 && (
        <span aria-hidden className={styles.keys}>
          {keys.map(({ id, letters, text }) => (
            <span key={id}>
              {letters.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}{' '}
              {text}
            </span>
          ))}
        </span>
      )}
      {loaded >= maxRows && <span>{uiWords.narrowDown}</span>}
      <span role="status">{uiWords.shown(loaded, total, selected ?? 0)}</span>
    </div>
  )
}
