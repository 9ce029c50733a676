// What the specification calls the kinds of paper. Imports nothing, so that everybody may import it.

/** What a file is printed on. Spec 2.1. */
export const PrintType = { Label: 1, Document: 2 } as const
