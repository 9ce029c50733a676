// How large labels are. Open-points 4.

/** A size by its name, in millimetres. */
export interface Size {
  readonly width: number
  readonly height: number
}

const inch = 25.4

export const productSizes = {
  '100x50': { width: 100, height: 50 },
  '60x40': { width: 60, height: 40 },
  '50x25': { width: 50, height: 25 },
} as const satisfies Record<string, Size>

export const palletSizes = {
  '100x150': { width: 100, height: 150 },
  '105x148': { width: 105, height: 148 },
  '148x210': { width: 148, height: 210 },
  '4x6in': { width: 4 * inch, height: 6 * inch },
} as const satisfies Record<string, Size>

export const locationSizes = {
  '100x50': { width: 100, height: 50 },
  '100x150': { width: 100, height: 150 },
} as const satisfies Record<string, Size>

/** The name of the sheet of A4 with location labels, three beside and eight below each other. */
export const sheetName = 'A4-3x8'
