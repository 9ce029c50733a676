// The history of the organisation, `/settings/history`: filters by subject and record, and an entry in full.

import { useIsFetching, useQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Facts, Nothing, Region, Rows, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, get, read } from '../../api.ts'
import { Listing } from '../../frame/Listing.tsx'
import { type HistoryRow, historyList, subjectName } from '../../lists/history.tsx'
import { queries, regionStateOf } from '../../queries.ts'
import { Link, useChangeSearch, useSearch } from '../../router.tsx'
import { historyWords as words } from '../../words/history.ts'
import { organisationHistoryWords as changed } from '../../words/organisation-history.ts'
import styles from './settings.module.css'

const path = '/v1/organisation/history'

export function Screen() {
  const { Entry: id } = useSearch()
  const change = useChangeSearch()
  return (
    <>
      <Listing list={historyList} onOpen={entry => change({ Entry: entry.id })} />
      {typeof id === 'string' && <Entry id={id} onClose={() => change({ Entry: undefined })} />}
    </>
  )
}

/** The entry, from the pages of the list that are loaded: the service has no address for a single one. */
function entryOf(id: string): HistoryRow | undefined {
  const lists = queries.getQueriesData<{ pages?: readonly { organisationHistory: readonly HistoryRow[] }[] }>(
    { queryKey: [historyList.path] },
  )
  const entries = lists.flatMap(([, data]) => data?.pages ?? []).flatMap(page => page.organisationHistory)
  return entries.find(entry => entry.id === id)
}

function Entry({ id, onClose }: { id: string; onClose: () => void }) {
  const isReading = useIsFetching() > 0
  const entry = entryOf(id)
  if (entry === undefined && isReading) return null
  return (
    <Dialog
      title={entry === undefined ? words.history : subjectName(entry)}
      onClose={onClose}
      isWide
      acts={<Button onPress={onClose}>{uiWords.close}</Button>}
    >
      {entry === undefined ? <Nothing text={words.entryGone} /> : <EntryInFull entry={entry} />}
    </Dialog>
  )
}

const EntryInFull = ({ entry }: { entry: HistoryRow }) => (
  <>
    <div className={styles.about}>
      <Facts
        facts={[
          [words.subject, words.subjectOf(entry.subject)],
          [words.headTime, <UtcTime key="time" value={entry.atUtc} />],
          [words.by, entry.userFullName ?? words.operator],
          [words.app, entry.appName],
          [words.address, entry.address],
          [words.requestId, entry.requestId],
        ]}
      />
    </div>
    <SmallTable
      label={words.changes}
      heads={[words.field, words.from, words.to].map(text => ({ text }))}
      rows={entry.changes.map(change => ({
        id: change.field,
        cells: [changed.fieldOf(change.field), changed.fromOf(change), changed.toOf(change)],
      }))}
    />
  </>
)

/** Who has changed a subject of the history last, and when. */
export async function lastChangeOf(id: string) {
  const query = { SubjectId: id, PageSize: 1 }
  const [entry] = (await get<Got<typeof path>>(path, { query })).organisationHistory
  return entry && { name: entry.userFullName ?? entry.appName ?? words.operator, atUtc: entry.atUtc }
}

const shownOnRecord = 5

/** The last changes of a record, with a link to all of them. */
export function RecordHistory({ id }: { id: string }) {
  const query = { SubjectId: id, PageSize: shownOnRecord }
  const { data, isError } = useQuery(read(path, { query }))
  const entries = data?.organisationHistory
  const state = regionStateOf(isError, entries)
  return (
    <Region
      heading={words.recent}
      state={state}
      acts={
        <Link to="/settings/history" search={{ SubjectId: id } as never}>
          {words.allOf}
        </Link>
      }
    >
      {entries === undefined || entries.length === 0 ? (
        <Nothing text={words.noHistory} />
      ) : (
        <Rows>
          {entries.map(entry => (
            <li key={entry.id}>
              <span className={styles.change}>{changed.changesOf(entry.changes)}</span>
              <span className={styles.quiet}>
                {entry.userFullName ?? words.operator}, <UtcTime value={entry.atUtc} />
              </span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
