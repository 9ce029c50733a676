// An import on its way to a consignment.

import type { DownloadOutcome } from './import-files.ts'
import type { ImportRequest } from './import-request.ts'

/** An import on its way to a consignment. */
export interface ImportToPlan {
  id: string
  request: ImportRequest
  /** the client, once it is known: then its code no longer counts */
  clientId: string | null
  userId: string
  /** a person has looked at it, so that it no longer asks for one */
  isChecked: boolean
  /** what became of the addresses of its files */
  downloads: ReadonlyMap<string, DownloadOutcome>
}
