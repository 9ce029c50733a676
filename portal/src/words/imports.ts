// The texts of imports.

import { ImportStatus } from '../../../client/src/waybill.ts'
import { plural } from '../../../ui/plural.ts'
import { nameIn } from './consignments.ts'

const statuses: Readonly<Record<number, string>> = {
  [ImportStatus.Pending]: 'Pending',
  [ImportStatus.PendingReconciliation]: 'Waiting',
  [ImportStatus.Reconciled]: 'Consignment',
  [ImportStatus.Discarded]: 'Discarded',
}

export const importWords = {
  statusName: (status: number) => nameIn(ImportStatus, status),
  status: (status: number) => statuses[status] ?? String(status),

  imports: 'Imports',
  search: 'Search imports',
  searchPlaceholder: 'Reference, external id, client',
  none: 'No imports yet. Integrations, uploads and the form New consignment make them.',
  noneWaiting: 'No import waits. Each became a consignment.',
  waiting: 'Waiting',
  today: 'Today',
  all: 'All',
  headReference: 'Reference',
  headStatus: 'Status',
  headClient: 'Client',
  headReason: 'Reason',
  headReceived: 'Received',
  headExternalId: 'External id',
  moreReasons: (n: number) => `and ${n} more`,

  causes: 'Causes',
  cause: (message: string) => message.replace(/\.$/, ''),
  nImports: (n: number) => plural(n, 'import'),
  since: 'since',
  replaceWith: (code: string) => `Replace with ${code}`,
  replace: 'Replace',
  createProduct: 'Create product',
  replacement: 'Replacement',
  replacementHelp: (code: string) => `Takes the place of ${code} in every import that waits for it.`,
  remember: 'Remember for this client',
  rememberHelp: 'Later imports with this code are understood at once.',
  tryAgain: 'Try again',
  settled: (reconciled: number, waiting: number, refused: number, left: number) =>
    [
      reconciled > 0 && `${plural(reconciled, 'import is a consignment', 'imports are consignments')} now`,
      waiting > 0 && `${plural(waiting, 'still waits', 'still wait')}`,
      refused > 0 && `${plural(refused, 'was refused', 'were refused')}`,
      left > 0 && `${plural(left, 'is', 'are')} left`,
    ]
      .filter(Boolean)
      .join(', ') || 'No import waited for this any more',

  discard: 'Discard',
  discardText: (n: number) =>
    n === 1
      ? 'It never becomes a consignment. What was sent is kept and can be read here.'
      : `${n} imports never become consignments. What was sent is kept and can be read here.`,
  discarded: (n: number) => `${plural(n, 'import is', 'imports are')} discarded`,
  discardedBy: (who: string) => `Discarded by ${who}`,
  becameConsignment: 'It is a consignment now:',
  openConsignment: 'Open consignment',
  becomes: 'It is being read. This page shows the result in a moment.',

  sent: 'What was sent',
  notKept: 'It is kept for 90 days after the import became a consignment.',
  reasons: 'Reasons',
  noReasons: 'It waits for nothing.',
  edit: 'Edit',
  saveAndTryAgain: 'Save and try again',
  saved: 'Saved and tried again',
  unchanged: 'Nothing had changed',
  showJson: 'Show JSON',
  hideJson: 'Hide JSON',
  asJson: 'Edit as JSON',
  asFields: 'Edit as fields',
  json: 'Request as JSON',
  notJson: 'This is not JSON. Check commas, quotes and brackets.',
  ignored: 'Ignored fields',
  replaced: 'Replaced',
  replacedBy: (code: string, replacement: string | null) =>
    replacement === null ? `${code} left out` : `${code} by ${replacement}`,
  id: 'Id',
  group: (group: string, inWords: string) => {
    const line = /^products\[(\d+)\]$/.exec(group)?.[1]
    return line === undefined ? inWords || 'Consignment' : `Line ${Number(line) + 1}`
  },
  type: 'Type',
  nothing: '–',
} as const
