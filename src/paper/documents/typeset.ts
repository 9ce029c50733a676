// Typesets documents with Typst, in the renderer. The fonts are read once, and the templates from their
// folder. Data reach a template as one JSON text and are never compiled as source.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerData } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { templateDataOf } from './document-content.ts'
import { readFonts } from './fonts.ts'
import type { RenderRequest } from './messages.ts'
import {
  documentJson,
  parseMissingCharacters,
  replaceAllWithCodes,
  replaceWithCodes,
} from './missing-glyphs.ts'

const { fontsFolder }: { fontsFolder?: string } = workerData
const workspace = fileURLToPath(new URL('./templates', import.meta.url))
const { files, families } = readFonts(fontsFolder)
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: files }] })
const fonts = JSON.stringify(families)
// Replacing a missing character can reveal further missing ones.
const maxAttempts = 4

/** A document as it comes from the compiler. */
export interface TypesetDocument {
  content: Uint8Array
  pages: number
}

/** Typesets a document. Throws if its template or its data are wrong. */
export function make(request: RenderRequest): TypesetDocument {
  const { template, layout } = request
  const parsed = JSON.parse(request.data)
  const templateData = layout === undefined ? parsed : { ...templateDataOf(parsed, layout), ...layout.more }
  const createdAt =
    templateData?.printedUtc === undefined ? 0 : Math.floor(Date.parse(templateData.printedUtc) / 1000)
  let data = documentJson(templateData)
  try {
    for (let attempt = 1; ; attempt++) {
      const outcome = compile(request, data, createdAt)
      if ('content' in outcome) return outcome
      const missing = parseMissingCharacters(outcome.error)
      if (missing.length === 0 || attempt === maxAttempts)
        throw new Error(`Document ${template}: ${outcome.error}`)
      data = attempt === maxAttempts - 1 ? replaceAllWithCodes(data) : replaceWithCodes(data, missing)
    }
  } finally {
    // The next document would not benefit from the cache.
    compiler.evictCache(0)
  }
}

/**
 * Makes one attempt. `createdAt` is the creation time in seconds since 1970. An SVG is exported as PDF too,
 * because only that export reports missing characters.
 */
function compile(
  { template, format }: RenderRequest,
  data: string,
  createdAt: number,
): TypesetDocument | { error: string } {
  const mainFilePath = join(workspace, `${template}.typ`)
  const compiled = compiler.compile({ mainFilePath, inputs: { data, fonts } })
  const document = compiled.result
  if (document === null) {
    const error = compiled.takeError()
    return { error: JSON.stringify(error === null ? null : compiler.fetchDiagnostics(error)) }
  }
  try {
    const pdf = compiler.pdf(document, { pdfStandard: 'ua-1', creationTimestamp: createdAt })
    const content = format === 'pdf' ? pdf : Buffer.from(compiler.plainSvg(document))
    return { content, pages: document.numOfPages }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
