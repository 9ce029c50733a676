// The thread in which Typst renders documents; render.ts starts it. It reads the fonts once and the templates
// from their folder. Data reach a template as one JSON text and are never compiled as source.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { readFonts } from './fonts.ts'
import type { RenderRequest, RenderResponse } from './messages.ts'
import { documentJson, missingCharacters, replaceAllWithCodes, replaceWithCodes } from './missing-glyphs.ts'
import { templateDataOf } from './paper.ts'

const { fontsFolder }: { fontsFolder: string | undefined } = workerData
const workspace = fileURLToPath(new URL('./templates', import.meta.url))
const { files, families } = readFonts(fontsFolder)
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: files }] })
const fonts = JSON.stringify(families)

// The native memory of compiled documents is freed only by garbage collection, but V8 does not see its size
// and would collect too late. So it is triggered now and then.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const documentsBetweenCollections = 50
// Replacing a missing character can reveal further missing ones.
const maxAttempts = 4
let rendered = 0

parentPort?.on('message', (request: RenderRequest) => {
  try {
    parentPort?.postMessage(render(request))
  } catch (error) {
    // The thread goes on, so that one faulty document does not affect others.
    parentPort?.postMessage({ id: request.id, error: String(error) } satisfies RenderResponse)
  }
  // The next document would not benefit from the cache.
  compiler.evictCache(0)
  if (++rendered % documentsBetweenCollections === 0) setImmediate(collectGarbage)
})

function render(request: RenderRequest): RenderResponse {
  const { layout } = request
  const parsed = JSON.parse(request.data)
  const laidOut = layout === undefined ? parsed : { ...templateDataOf(parsed, layout), ...layout.more }
  const createdAt = laidOut?.printedUtc === undefined ? 0 : Math.floor(Date.parse(laidOut.printedUtc) / 1000)
  let data = documentJson(laidOut)
  for (let attempt = 1; ; attempt++) {
    const outcome = compile(request, data, createdAt)
    if ('content' in outcome) return { id: request.id, ...outcome }
    const missing = missingCharacters(outcome.error)
    if (missing.length === 0 || attempt === maxAttempts) return { id: request.id, error: outcome.error }
    data = attempt === maxAttempts - 1 ? replaceAllWithCodes(data) : replaceWithCodes(data, missing)
  }
}

type Outcome = { content: Uint8Array; pages: number } | { error: string }

/**
 * Makes one attempt. `createdAt` is the creation time in seconds since 1970. An SVG is exported as PDF too,
 * because only that export reports missing characters.
 */
function compile({ template, format }: RenderRequest, data: string, createdAt: number): Outcome {
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
