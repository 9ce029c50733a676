// How fast documents are typeset in one process, and whether its memory stays constant: a picking list of ten
// lines in nine scripts, one of a thousand lines, and many in a row.
//
//     npm run bench -- documents

import { readFileSync } from 'node:fs'
import { render } from '../src/paper/documents/render.ts'
import { openRenderer, rendererPids } from '../src/platform/renderer/renderer.ts'
import { pickingList } from '../test/support/given-paper.ts'
import { reportFinding } from './figures.ts'
import { usedWithRenderer } from './processor-time.ts'

const renderer = openRenderer()
const short = pickingList(10)

/** Documents per second of time and of processor time; other work on the machine affects only the first. */
async function rate(count: number, data: object): Promise<{ perSecond: number; perProcessorSecond: number }> {
  await render('paper', data)
  const [began, used] = [performance.now(), await usedWithRenderer()]
  for (let i = 0; i < count; i++) await render('paper', data)
  const ms = (await usedWithRenderer()) - used
  return {
    perSecond: (count * 1000) / (performance.now() - began),
    perProcessorSecond: (count * 1000) / ms,
  }
}

const shortRate = await rate(200, short)
console.log('10 lines in nine scripts:', shortRate)
reportFinding({
  what: 'picking lists of 10 lines in nine scripts, a second of processor time',
  target: 'at least 30',
  figure: shortRate.perProcessorSecond.toFixed(1),
  isMet: shortRate.perProcessorSecond >= 30,
})

const longRate = await rate(3, pickingList(1_000))
const seconds = 1 / longRate.perProcessorSecond
console.log('1,000 lines:', longRate)
reportFinding({
  what: 'a picking list of 1,000 lines, processor time',
  target: 'at most 1.2 s',
  figure: `${seconds.toFixed(2)} s`,
  isMet: seconds <= 1.2,
})

// Fewer than those after which the renderer is replaced.
const documentCount = 4_000
const memory = () => {
  const status = readFileSync(`/proc/${rendererPids()[0]}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
for (let i = 0; i < 500; i++) await render('paper', short)
const after500 = memory()
for (let i = 500; i < documentCount; i++) await render('paper', short)
const after = memory()
console.log(
  `resident memory: ${after500.toFixed(0)} MiB after 500, ${after.toFixed(0)} MiB after ${documentCount}`,
)
reportFinding({
  what: `memory of the renderer after ${documentCount} documents`,
  target: 'at most 400 MiB',
  figure: `${after.toFixed(0)} MiB`,
  isMet: after <= 400,
})
await renderer.close()
