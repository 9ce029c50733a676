// What the process and the thread that sets documents tell each other.

/** What a document can be made into: PDF for printers and people, SVG for pictures of it. */
export type Format = 'pdf' | 'svg'

/** To the thread: make this. */
export interface ToThread {
  readonly id: number
  /** the name of a file in `templates`, without its ending */
  readonly template: string
  /** JSON, which the template reads */
  readonly data: string
  readonly format: Format
  /** the instant that the document is said to be of, in seconds since 1970 */
  readonly at: number
}

/** From the thread: the document, or why there is none. */
export type FromThread =
  | { readonly id: number; readonly content: Uint8Array; readonly pages: number }
  | { readonly id: number; readonly error: string }
