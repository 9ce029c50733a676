// The messages between the process and the thread that turns PDFs into ZPL.

/** The input of the thread. */
export interface RasterRequest {
  pdf: Uint8Array
  dotsPerMM: number
  copies: number
  maxPages: number
  /** limit for each side of a page, in millimetres */
  maxMM: number
}

/** The labels of all pages as one ZPL text, or a fault that completes "The file …". */
export type RasterResult = { zpl: Uint8Array; pages: number } | { fault: string }
