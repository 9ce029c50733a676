// What the process and the thread that turns PDFs into ZPL tell each other.

/** What the thread is given. */
export interface RasterRequest {
  pdf: Uint8Array
  dotsPerMM: number
  copies: number
  maxPages: number
  /** of a side of a page */
  maxMM: number
}

/** The labels of all pages in one send, or what is wrong with the PDF, behind "the file". */
export type RasterResult = { zpl: Uint8Array; pages: number } | { fault: string }
