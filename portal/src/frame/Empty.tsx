// What stands in the place of the rows of a list that has none.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/Button.tsx'
import { words } from '../../../ui/words.ts'
import { get } from '../api.ts'
import type { List, View } from '../lists/list.ts'
import type { useList } from '../lists/use-list.ts'
import styles from './listing.module.css'

interface EmptyProps {
  list: Pick<List<'/v1/consignments'>, 'ids' | 'always' | 'views' | 'emptyText' | 'whose'> & { path: string }
  state: Pick<ReturnType<typeof useList>, 'view' | 'isNarrowed' | 'isOfSomebody' | 'removeFilters'>
}

/**
 * What would be here; of filters that match nothing, that they do, and what removes them; of a view that
 * shows nothing of a list that has something, that it is the view.
 */
export function Empty({ list, state }: EmptyProps) {
  const { view, isNarrowed } = state
  const whole = list.views.find(({ id }) => id === 'all')
  const isPart = !isNarrowed && view !== undefined && view !== whole
  const { data, isPending } = useQuery({ ...firstOf(list.path, list, whole?.query), enabled: isPart })
  const isOfView = isPart && data?.total !== 0
  const ofView = () => view?.emptyText ?? words.nothingInView(view?.text ?? '')
  return (
    <div className={styles.empty}>
      {(!isPart || !isPending) && (
        <p>
          {(state.isOfSomebody && list.whose?.emptyText) ||
            (isNarrowed ? words.nothingMatches : isOfView ? ofView() : list.emptyText)}
        </p>
      )}
      {isNarrowed && <Button onPress={state.removeFilters}>{words.removeFilters}</Button>}
    </div>
  )
}

/** Whether a list has anything at all. */
const firstOf = (path: string, { ids, always }: EmptyProps['list'], query: View['query'] = {}) =>
  queryOptions({
    queryKey: [path, 'first', ids, query],
    queryFn: ({ signal }) =>
      get<{ total: number }>(path, { path: ids, query: { ...always, ...query, PageSize: 1 } }, signal),
  })
