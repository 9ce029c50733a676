// Serials as people scan, type or paste them.

/** The serials in a text, with spaces, commas or lines between them. */
export const serialsIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
