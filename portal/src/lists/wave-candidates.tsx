// The columns of the orders that can go into a new wave.

import type { Column } from '../../../ui/DataTable.tsx'
import { LocalTime } from '../../../ui/LocalTime.tsx'
import { quantity } from '../../../ui/numbers.ts'
import type { Order } from '../new-wave.ts'
import { Link } from '../router.tsx'
import { jobWords as words } from '../words/jobs.ts'

export const waveCandidateColumns: readonly Column<Order>[] = [
  {
    id: 'number',
    head: words.headNumber,
    width: 150,
    isRowHeader: true,
    isOnPhone: true,
    cell: ({ id, consignmentNumber }, tabIndex) => (
      <Link to={`/consignments/${id}`} tabIndex={tabIndex}>
        {consignmentNumber}
      </Link>
    ),
  },
  { id: 'client', head: words.headClient, isOnPhone: true, cell: ({ clientName }) => clientName },
  {
    id: 'reference',
    head: words.headReference,
    cell: ({ referenceNumber }) => referenceNumber ?? words.nothing,
  },
  { id: 'lines', head: words.lines, width: 70, isAtEnd: true, cell: ({ lineCount }) => lineCount },
  {
    id: 'weight',
    head: words.weight,
    width: 80,
    isAtEnd: true,
    cell: ({ weightKG }) => (weightKG === null ? words.nothing : quantity(weightKG)),
  },
  {
    id: 'due',
    head: words.due,
    width: 130,
    isAtEnd: true,
    cell: ({ dueDateTime }) => <LocalTime value={dueDateTime} />,
  },
]
