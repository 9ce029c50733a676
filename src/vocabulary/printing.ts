// The enumerations of printers, printer bridges and print jobs. Imports nothing, so that any module may
// import it. Spec 2.16.

/** Whether a printer can print now. */
export const PrinterAvailability = { Online: 1, Offline: 2 } as const

/** The format in which a printer accepts jobs. */
export const PrinterLanguage = { Pdf: 1, Zpl: 2 } as const

export const PrintJobKind = {
  ConsignmentDetail: 1,
  PickingList: 2,
  WavePickingList: 3,
  DgDeclaration: 4,
  DispatchConfirmation: 5,
  ReceiptConfirmation: 6,
  Statement: 7,
  ProductLabel: 8,
  PalletLabel: 9,
  LocationLabel: 10,
  NoteAttachment: 11,
  TestPage: 12,
} as const

export const PrintJobStatus = { Pending: 1, InProgress: 2, Success: 3, Failed: 4, Cancelled: 5 } as const

/** The progress of a job. From Sending on, some of it may have reached the printer. */
export const PrintJobPhase = { Waiting: 1, Claimed: 2, Sending: 3, Sent: 4 } as const

/** The result of an attempt to print. */
export const PrintResult = { Success: 1, Failed: 2 } as const
