// The enumerations of imports, with the names of the specification. Spec 3; open-points 2.
// This file imports nothing, so that clients can share it.

export const ImportStatus = { Pending: 1, PendingReconciliation: 2, Reconciled: 3, Discarded: 4 } as const

export const DownloadStatus = { None: 0, ToFetch: 1, Fetched: 2 } as const
