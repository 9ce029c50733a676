// The columns of the webhook subscriptions.

import type { Column } from '../../../ui/DataTable.tsx'
import { UtcTime } from '../../../ui/LocalTime.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import type { RowOf } from '../api.ts'
import { Link } from '../router.tsx'
import { developerWords as words } from '../words/developers.ts'

export const webhookColumns: readonly Column<RowOf<'/v1/webhook-subscriptions'>>[] = [
  {
    id: 'url',
    head: words.headUrl,
    isRowHeader: true,
    isOnPhone: true,
    cell: (row, tabIndex) => (
      <Link to={`/developers/webhooks/${row.id}`} tabIndex={tabIndex}>
        {row.webhookUrl}
      </Link>
    ),
    text: row => row.webhookUrl,
  },
  { id: 'event', head: words.headEvent, width: 210, cell: row => words.event(row.eventType) },
  {
    id: 'status',
    head: words.headStatus,
    width: 200,
    isOnPhone: true,
    cell: row => (
      <Pill
        text={words.subscriptionStatus(row.status, row.heldReason)}
        tone={row.isServed ? 'done' : 'alert'}
      />
    ),
  },
  { id: 'app', head: words.headApp, width: 150, cell: row => row.appName },
  { id: 'by', head: words.headBy, width: 150, cell: row => row.userFullName },
  {
    id: 'lastFailure',
    head: words.headLastFailure,
    width: 140,
    isAtEnd: true,
    cell: row => <UtcTime value={row.lastFailureUtc} />,
  },
]
