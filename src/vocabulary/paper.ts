// The enumerations of documents and labels. Imports nothing, so that any module may import it.

/** What a file is printed on. Spec 2.1. */
export const PrintType = { Label: 1, Document: 2 } as const

/** The orientation of a page. */
export const Orientation = { Portrait: 1, Landscape: 2 } as const

/** The paper size of a document. */
export const PaperSize = { A4: 1, Letter: 2 } as const

/** The resolution of a label printer in dots per millimetre, named by its dots per inch. */
export const DotsPerMM = { Dpi150: 6, Dpi203: 8, Dpi300: 12, Dpi600: 24 } as const
