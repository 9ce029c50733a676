// Renders documents: a template and data become a PDF or an SVG, in the renderer (typeset.ts).

import { verificationFailed } from '../../platform/http/refusal.ts'
import { renderingTask, TooLargeToRender } from '../../platform/renderer/task.ts'
import type { DocumentContent } from './document-content.ts'
import type { Format, Layout, RenderRequest } from './messages.ts'
import type { TypesetDocument } from './typeset.ts'

/** A rendered document. */
export interface RenderedDocument {
  content: Buffer
  pages: number
}

/** How a document is requested. */
export interface RenderOptions {
  /** default: PDF */
  format?: Format
  /** the requesting organisation: organisations take turns */
  owner?: string | undefined
  /** the number of lines; many take long, so that shorter documents go first */
  lines?: number
  /** fires if nobody wants the document any more */
  signal?: AbortSignal | undefined
}

// A document of fewer lines takes less than a second.
const linesOfLong = 200

// A document of 5,000 lines and 1,000,000 characters takes up to 1,190 MiB.
const maxMb = 1_536

const typeset = renderingTask<RenderRequest, TypesetDocument>(new URL('./typeset.ts', import.meta.url), maxMb)

/**
 * Renders a template (a file in `templates`, named without its extension) with any JSON data. The
 * `printedUtc` of the data, if any, becomes the creation time of a PDF, so that the same data give the same
 * bytes. Characters that no font has are shown as their codes. Refuses (503) a document that takes more than
 * 20 s to render or waits for 30 s, and (400) one that takes too much memory.
 */
export const render = (
  template: string,
  data: unknown,
  options: RenderOptions = {},
): Promise<RenderedDocument> =>
  renderRequest(
    { template, data: JSON.stringify(data), layout: undefined, format: options.format ?? 'pdf' },
    options,
  )

/** Renders a paper as PDF in the same way. The renderer also lays it out, because it may have 5,000 lines. */
export const renderDocument = (
  template: string,
  paper: DocumentContent,
  layout: Layout,
  options: RenderOptions,
): Promise<RenderedDocument> =>
  renderRequest({ template, data: JSON.stringify(paper), layout, format: 'pdf' }, options)

async function renderRequest(
  request: RenderRequest,
  { owner, signal, lines = 0 }: RenderOptions,
): Promise<RenderedDocument> {
  try {
    const { content, pages } = await typeset(request, { owner, signal, isLong: lines >= linesOfLong })
    return { content: Buffer.from(content.buffer, content.byteOffset, content.byteLength), pages }
  } catch (error) {
    if (error instanceof TooLargeToRender)
      throw verificationFailed(
        'The document would take too much memory to be made: ask for less in one document.',
      )
    throw error
  }
}
