// The formats of labels. Imports nothing, so that any module may import it.

export const LabelFormat = { Pdf: 1, Zpl: 2, Png: 3 } as const
