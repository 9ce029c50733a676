// The sizes of labels by name. Decision 4.

/** A size in millimetres. */
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

/** The name of the A4 sheet with location labels in three columns and eight rows. */
export const sheetName = 'A4-3x8'
