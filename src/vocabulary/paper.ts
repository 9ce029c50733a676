// The enumerations of documents, labels, printers, printer bridges and print jobs. Imports nothing, so
// that any module may import it. Spec 2.1, 2.16.

export const PrintType = { Label: 1, Document: 2 } as const

export const Orientation = { Portrait: 1, Landscape: 2 } as const

export const PaperSize = { A4: 1, Letter: 2 } as const

/** The resolution of a label printer in dots per millimetre, named by its dots per inch. */
export const DotsPerMM = { Dpi150: 6, Dpi203: 8, Dpi300: 12, Dpi600: 24 } as const

export const LabelFormat = { Pdf: 1, Zpl: 2, Png: 3 } as const

export const PrinterAvailability = { Online: 1, Offline: 2 } as const

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

export const PrintJobPhase = { Waiting: 1, Claimed: 2, Sending: 3, Sent: 4 } as const

export const PrintResult = { Success: 1, Failed: 2 } as const

/** What these enumerations stand for, and those values whose name does not say it all. */
export const paperDescriptions = {
  PrintType: {
    values: PrintType,
    description: 'What is printed, or what a printer prints.',
  },
  LabelFormat: {
    values: LabelFormat,
    description: 'The file format of a label.',
  },
  DotsPerMM: {
    values: DotsPerMM,
    description: 'The resolution of a label printer in dots per millimetre.',
  },
  Orientation: {
    values: Orientation,
    description: 'The orientation of a page.',
  },
  PaperSize: {
    values: PaperSize,
    description: 'The paper size of a document.',
  },
  PrinterAvailability: {
    values: PrinterAvailability,
    description: 'Whether a printer is available now.',
  },
  PrinterLanguage: {
    values: PrinterLanguage,
    description: 'The format that a printer accepts.',
    meanings: {
      Zpl: 'The language of label printers; PDFs are converted to it.',
    },
  },
  PrintJobKind: {
    values: PrintJobKind,
    description: 'What a print job prints.',
  },
  PrintJobStatus: {
    values: PrintJobStatus,
    description: 'The status of a print job.',
    meanings: {
      Pending: 'It is waiting for its printer.',
      InProgress: 'A printer bridge is working on it.',
    },
  },
  PrintJobPhase: {
    values: PrintJobPhase,
    description: 'How far a printer bridge has got with a print job.',
    meanings: {
      Sending: 'From now on, part of it may be on paper.',
      Sent: 'The printer has received all of it.',
    },
  },
  PrintResult: {
    values: PrintResult,
    description: 'The result of an attempt to print.',
  },
} as const
