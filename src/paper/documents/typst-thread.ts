// The thread in which Typst sets documents. It reads the fonts once, and templates from their own folder;
// data comes as one JSON text that templates read, and is never source. Started by render.ts.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { readFonts } from './fonts.ts'
import type { FromThread, ToThread } from './messages.ts'
import { documentJson, missingIn, withCodes, withCodesOnly } from './missing-glyphs.ts'
import { dataOf } from './paper.ts'

const { fontsFolder }: { fontsFolder: string | undefined } = workerData
const workspace = fileURLToPath(new URL('./templates', import.meta.url))
const { files, families } = readFonts(fontsFolder)
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: files }] })
const fonts = JSON.stringify(families)

// What the compiler returns is freed when JavaScript collects it, and looks small to JavaScript.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const documentsBetweenCollections = 50
// What stands in for a character may bring to light that the font of another lacks one.
const maxAttempts = 4
let made = 0

parentPort?.on('message', (asked: ToThread) => {
  try {
    parentPort?.postMessage(answerTo(asked))
  } catch (error) {
    // A defect of one document takes no other with it.
    parentPort?.postMessage({ id: asked.id, error: String(error) } satisfies FromThread)
  }
  // Nothing of one document helps the next.
  compiler.evictCache(0)
  if (++made % documentsBetweenCollections === 0) setImmediate(collect)
})

function answerTo(asked: ToThread): FromThread {
  const { layout } = asked
  const given = JSON.parse(asked.data)
  const laidOut = layout === undefined ? given : { ...dataOf(given, layout), ...layout.more }
  const at = laidOut?.printedUtc === undefined ? 0 : Math.floor(Date.parse(laidOut.printedUtc) / 1000)
  let data = documentJson(laidOut)
  for (let attempt = 1; ; attempt++) {
    const outcome = set(asked, data, at)
    if ('content' in outcome) return { id: asked.id, ...outcome }
    const missing = missingIn(outcome.error)
    if (missing.length === 0 || attempt === maxAttempts) return { id: asked.id, error: outcome.error }
    data = attempt === maxAttempts - 1 ? withCodesOnly(data) : withCodes(data, missing)
  }
}

type Outcome = { content: Uint8Array; pages: number } | { error: string }

/**
 * One attempt, of a document of the instant `at`, in seconds since 1970. An SVG is made as a PDF too, for
 * only that export tells which characters are missing.
 */
function set({ template, format }: ToThread, data: string, at: number): Outcome {
  const mainFilePath = join(workspace, `${template}.typ`)
  const compiled = compiler.compile({ mainFilePath, inputs: { data, fonts } })
  const document = compiled.result
  if (document === null) {
    const error = compiled.takeError()
    return { error: JSON.stringify(error === null ? null : compiler.fetchDiagnostics(error)) }
  }
  try {
    const pdf = compiler.pdf(document, { pdfStandard: 'ua-1', creationTimestamp: at })
    const content = format === 'pdf' ? pdf : Buffer.from(compiler.plainSvg(document))
    return { content, pages: document.numOfPages }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
