// What the service and the renderer tell each other about a document.

/** The format of a rendered document: PDF for printers and people, SVG to make pictures from. */
export type Format = 'pdf' | 'svg'

/** The page layout of a paper. */
export interface Layout {
  readonly isLandscape: boolean
  /** default: the paper size in the paper's header */
  readonly paperSize: number | undefined
  /** additional data for the template */
  readonly more?: object | undefined
}

/** A document to be typeset. */
export interface RenderRequest {
  /** the name of a file in `templates`, without its extension */
  readonly template: string
  /** JSON: the data of the template, or a `DocumentContent` if there is a layout */
  readonly data: string
  readonly layout: Layout | undefined
  readonly format: Format
}
