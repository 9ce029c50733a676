// What the process and the thread that sets documents tell each other.

/** What a document can be made into: PDF for printers and people, SVG for pictures of it. */
export type Format = 'pdf' | 'svg'

/** How a paper is laid out. */
export interface Layout {
  readonly isLandscape: boolean
  /** that of the paper's head where it is not said */
  readonly paperSize: number | undefined
  /** what its template needs beside what all papers have */
  readonly more?: object | undefined
}

/** To the thread: make this. */
export interface ToThread {
  readonly id: number
  /** the name of a file in `templates`, without its ending */
  readonly template: string
  /** JSON: what the template reads, or a `Paper` where there is a layout */
  readonly data: string
  readonly layout: Layout | undefined
  readonly format: Format
}

/** From the thread: the document, or why there is none. */
export type FromThread =
  | { readonly id: number; readonly content: Uint8Array; readonly pages: number }
  | { readonly id: number; readonly error: string }
