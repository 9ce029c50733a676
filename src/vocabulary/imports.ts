// The enumerations of imports, with the names of the specification. Spec 3; decision 2.
// This file imports nothing, so that clients can share it.

export const ImportStatus = { Pending: 1, PendingReconciliation: 2, Reconciled: 3, Discarded: 4 } as const

export const DownloadStatus = { None: 0, ToFetch: 1, Fetched: 2 } as const

export const ReconcileResult = { Reconciled: 1, StillWaiting: 2, Refused: 3 } as const

export const ImportUploadResult = { Accepted: 1, Known: 2, Faulty: 3 } as const

/** What these enumerations stand for, and those values whose name does not say it all. */
export const importDescriptions = {
  ImportStatus: {
    values: ImportStatus,
    description: 'The status of an import.',
    meanings: {
      Pending: 'Accepted; it will be processed within moments.',
      PendingReconciliation: 'Waits for a decision; its reasons say what about.',
      Reconciled: 'It has become the consignment with the same id.',
      Discarded: 'Discarded by a user.',
    },
  },
  ReconcileResult: {
    values: ReconcileResult,
    description: 'What became of an import when one of its reasons was corrected.',
    meanings: {
      Reconciled: 'It has become a consignment.',
      StillWaiting: 'It waits for something else too; it keeps the replacement.',
      Refused: 'The replacement is not permitted, or the import waits no more; nothing was changed.',
    },
  },
  ImportUploadResult: {
    values: ImportUploadResult,
    description: 'What became of an order in a file.',
    meanings: {
      Accepted: 'It is an import now, or would be if it were no dry run.',
      Known: 'It was uploaded before, as it is; consignmentImportId names the import.',
      Faulty: 'Its messages say why; no import was made of it.',
    },
  },
} as const
