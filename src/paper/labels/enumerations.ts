// What labels are made as. Imports nothing, so that everybody may import it.

export const LabelFormat = { Pdf: 1, Zpl: 2, Png: 3 } as const
