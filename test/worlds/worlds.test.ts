// Worlds in which nothing goes as ordered. In each, random deeds are done through the API, and everything that
// the service tells is compared with a notebook that was kept beside it.
//
// `npm run worlds -- --seed N --count M` lives other worlds, or more of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doneByKind, liveWorld, report } from './history.ts'
import { openService } from './service.ts'

const first = Number(process.env.WORLDS_SEED ?? 300)
const count = Number(process.env.WORLDS_COUNT ?? 30)
const most = Number(process.env.WORLDS_UNTRUTHS ?? 3)
const lanes = 4

test('nothing that the service tells is untrue in a world in which nothing goes as ordered', async t => {
  const service = await openService()
  const begin = performance.now()
  const untruths: string[] = []
  let next = first
  const liveSome = async () => {
    while (next < first + count && untruths.length < most) {
      const untruth = await liveWorld(service, next++)
      if (untruth) untruths.push(report(untruth))
    }
  }
  await Promise.all(Array.from({ length: lanes }, liveSome))
  const seconds = ((performance.now() - begin) / 1_000).toFixed(0)
  t.diagnostic(`${next - first} worlds from seed ${first} on in ${seconds} s`)
  for (const [name, often] of doneByKind) t.diagnostic(`${name}: ${often}`)
  if (untruths.length > 0) assert.fail(`\n${untruths.join('\n\n')}\n`)
})
