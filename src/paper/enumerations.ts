// What the specification calls the kinds of paper. Imports nothing, so that everybody may import it.

/** What a file is printed on. Spec 2.1. */
export const PrintType = { Label: 1, Document: 2 } as const

/** Which way a page is held. */
export const Orientation = { Portrait: 1, Landscape: 2 } as const

/** What paper a document is set for. */
export const PaperSize = { A4: 1, Letter: 2 } as const

/** How fine a label printer prints: dots in a millimetre, by what they are in an inch. */
export const DotsPerMM = { Dpi150: 6, Dpi203: 8, Dpi300: 12, Dpi600: 24 } as const
