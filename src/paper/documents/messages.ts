// The messages between the process and the thread that renders documents.

/** The format of a rendered document: PDF for printers and people, SVG to make pictures from. */
export type Format = 'pdf' | 'svg'

/** The page layout of a paper. */
export interface Layout {
  readonly isLandscape: boolean
  /** default: the paper size in the paper's head */
  readonly paperSize: number | undefined
  /** additional data for the template */
  readonly more?: object | undefined
}

/** A request to the thread. */
export interface RenderRequest {
  readonly id: number
  /** the name of a file in `templates`, without its extension */
  readonly template: string
  /** JSON: the data of the template, or a `Paper` if there is a layout */
  readonly data: string
  readonly layout: Layout | undefined
  readonly format: Format
}

/** A response of the thread: the document, or an error message. */
export type RenderResponse =
  | { readonly id: number; readonly content: Uint8Array; readonly pages: number }
  | { readonly id: number; readonly error: string }
