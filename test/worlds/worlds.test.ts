// Worlds in which nothing goes as ordered. In each, random deeds are done through the API, and everything that
// the service tells is compared with a notebook that was kept beside it.
//
// `npm run worlds -- --seed N --count M` lives other worlds, or more of them.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { closesItself } from '../support/test-database.ts'
import type { Answer, Told } from './live-worlds.ts'

const first = Number(process.env.WORLDS_SEED ?? 300)
const count = Number(process.env.WORLDS_COUNT ?? 120)
const most = Number(process.env.WORLDS_UNTRUTHS ?? 3)
/** How many processes live worlds, and how many worlds each lives at a time. */
const processes = Math.min(availableParallelism(), Math.ceil(count / 4))
const lanes = 3

test('nothing that the service tells is untrue in a world in which nothing goes as ordered', async t => {
  const begin = performance.now()
  const untruths: string[] = []
  const doneByKind = new Map<string, number>()
  let next = first
  const liveSome = async () => {
    const living = fork(fileURLToPath(new URL('live-worlds.ts', import.meta.url)), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, [closesItself]: 'yes' },
    })
    const stopped = once(living, 'exit')
    let open = 0
    /** Gives the process a world to live, or stops it once there is none left. */
    const giveOne = () => {
      const isOver = next >= first + count || untruths.length >= most
      if (isOver && open > 0) return
      const told: Told = isOver ? 'stop' : next++
      if (!isOver) open++
      living.send(told)
    }
    living.on('message', (answer: Answer) => {
      if ('done' in answer) {
        for (const [name, often] of answer.done) doneByKind.set(name, (doneByKind.get(name) ?? 0) + often)
        return
      }
      open--
      if (answer.untruth !== null) untruths.push(answer.untruth)
      giveOne()
    })
    for (let lane = 0; lane < lanes && lane < count; lane++) giveOne()
    const [code] = await stopped
    assert.equal(code, 0, 'a process that lives worlds ends by itself')
  }
  await Promise.all(Array.from({ length: processes }, liveSome))
  const seconds = ((performance.now() - begin) / 1_000).toFixed(0)
  t.diagnostic(`${next - first} worlds from seed ${first} on in ${seconds} s`)
  for (const [name, often] of doneByKind) t.diagnostic(`${name}: ${often}`)
  if (untruths.length > 0) assert.fail(`\n${untruths.join('\n\n')}\n`)
})
