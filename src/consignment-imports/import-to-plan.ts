// What an import is while it is planned.

import type { DownloadOutcome } from './import-files.ts'
import type { ImportRequest } from './import-request.ts'

/** An import that is to become a consignment, with everything that planning needs to know about it. */
export interface ImportToPlan {
  id: string
  request: ImportRequest
  /** the client, once it is known; from then on the code of the client in the request is ignored */
  clientId: string | null
  userId: string
  /** a user reconciles it by hand, so lines that ask for manual reconciliation are satisfied */
  isManuallyReconciled: boolean
  /** the outcomes of fetching its files, by address */
  downloads: ReadonlyMap<string, DownloadOutcome>
}
