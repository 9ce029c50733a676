// A list within a record: a region with its views, search, filters and grid. What is selected gets a toolbar.

import type { ReactNode } from 'react'
import { DataTable } from '../../../ui/DataTable.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { Region } from '../../../ui/Region.tsx'
import type { PathWith } from '../api.ts'
import type { List } from '../lists/list.ts'
import { useList } from '../lists/use-list.ts'
import { useMe } from '../me.ts'
import { usePreferences } from '../preferences.ts'
import { Empty } from './Empty.tsx'
import { Filters, Foot, News, Selected, stateOf, useSelection } from './Listing.tsx'
import styles from './listing.module.css'
import { Views } from './Views.tsx'

export interface ListRegionProps<Path extends PathWith<'get'>, Row> {
  list: List<Path, Row>
  acts?: ReactNode
  /** the acts on the selected rows; without it rows cannot be selected */
  selectedActs?: ((selected: readonly Row[], clear: () => void) => ReactNode) | undefined
  /** opens a row that has the focus */
  onOpen: (row: Row) => void
}

/** The region. */
export function ListRegion<Path extends PathWith<'get'>, Row>({
  list,
  acts,
  selectedActs,
  onOpen,
}: ListRegionProps<Path, Row>) {
  const columns = list.columns(useMe())
  const state = useList(list)
  const { selection, setSelection, selected } = useSelection(state.rows, list.idOf)
  const shown = stateOf(state)
  const clear = () => setSelection(new Set())
  return (
    <Region
      heading={list.heading}
      summary={state.total === undefined ? undefined : quantity(state.total)}
      state={shown}
      acts={acts}
    >
      <Views list={list} state={state} preferences={usePreferences(state.total !== undefined)} />
      <Filters list={list} state={state} />
      {selected.length > 0 && <Selected onClear={clear}>{selectedActs?.(selected, clear)}</Selected>}
      <News count={state.newCount} onShow={state.showNew} />
      {shown === 'empty' ? (
        <Empty list={list} state={state} />
      ) : (
        <div className={styles.inRegion}>
          <DataTable<Row>
            label={list.heading}
            columns={columns}
            rows={state.rows}
            idOf={list.idOf}
            nameOf={list.nameOf}
            state={shown}
            onNearEnd={state.readOn}
            onOpen={onOpen}
            {...(selectedActs === undefined ? {} : { selection, onSelect: setSelection })}
          />
        </div>
      )}
      <Foot
        loaded={state.loaded}
        total={state.total ?? 0}
        selected={selectedActs === undefined ? undefined : selected.length}
      />
    </Region>
  )
}
