// The history of the organisation: who changed what, when, from where, and by which request.

import { UtcTime } from '../../../ui/LocalTime.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import type { RowOf } from '../api.ts'
import { Link, type Search, useSearch } from '../router.tsx'
import { historyWords as words } from '../words/history.ts'
import { organisationHistoryWords as changed } from '../words/organisation-history.ts'
import type { List } from './list.ts'

/** An entry of the history. */
export type HistoryRow = RowOf<'/v1/organisation/history'>

const subjects: readonly HistoryRow['subject'][] = [
  'organisation',
  'user',
  'custom-app',
  'printer',
  'printer-bridge',
  'signing-key',
]

/** What was changed, in words. */
export const subjectName = ({ subject, subjectName: name }: HistoryRow): string =>
  name ?? words.subjectOf(subject)

export const historyList: List<'/v1/organisation/history', HistoryRow> = {
  path: '/v1/organisation/history',
  rowsName: 'organisationHistory',
  heading: words.history,
  columns: () => [
    {
      id: 'name',
      head: words.name,
      width: 190,
      isRowHeader: true,
      isOnPhone: true,
      cell: (row, tabIndex) => (
        <Link
          to="."
          search={((before: Search) => ({ ...before, Entry: row.id })) as never}
          tabIndex={tabIndex}
        >
          {subjectName(row)}
        </Link>
      ),
      text: subjectName,
    },
    { id: 'subject', head: words.subject, width: 110, cell: row => words.subjectOf(row.subject) },
    { id: 'changes', head: words.changes, cell: row => changed.changesOf(row.changes) },
    { id: 'by', head: words.by, width: 150, cell: row => row.userFullName ?? words.operator },
    { id: 'app', head: words.app, width: 120, cell: row => row.appName ?? uiWords.nothing },
    {
      ...{ id: 'address', head: words.address, width: 130, isHidden: true },
      cell: row => row.address ?? uiWords.nothing,
    },
    {
      ...{ id: 'request', head: words.requestId, width: 130 },
      cell: (row, tabIndex) =>
        row.requestId === null ? (
          uiWords.nothing
        ) : (
          <Link to="/search" search={{ Q: row.requestId } as never} tabIndex={tabIndex}>
            {row.requestId}
          </Link>
        ),
      text: row => row.requestId ?? '',
    },
    {
      id: 'time',
      head: words.headTime,
      width: 130,
      isAtEnd: true,
      isOnPhone: true,
      cell: row => <UtcTime value={row.atUtc} />,
      text: row => row.atUtc,
    },
  ],
  filters: useFilters,
  views: [],
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf: subjectName,
  emptyText: words.noHistory,
}

function useFilters() {
  const { SubjectId: one } = useSearch()
  return [
    {
      ...{ name: 'Subject', label: words.subject, kind: 'choice' as const },
      options: subjects.map(value => ({ value, text: words.subjectOf(value) })),
    },
    // Records lead here with their id, which nobody would choose from a menu.
    ...(typeof one === 'string'
      ? [
          {
            ...{ name: 'SubjectId', label: words.record, kind: 'choice' as const },
            options: [{ value: one, text: words.thisRecord }],
          },
        ]
      : []),
  ]
}
