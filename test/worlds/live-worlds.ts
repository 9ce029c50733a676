// A process that lives worlds: told a seed, it answers with the smallest history of its world in which the
// service tells an untruth, or null. Told to stop, it answers with how often deeds of each kind were done.

import process from 'node:process'
import { closeAll } from '../support/test-database.ts'
import { doneByKind, liveWorld, report } from './history.ts'
import { openService } from './service.ts'

/** What the process is told: the seed of a world, or to stop. */
export type Told = number | 'stop'
/** What it answers: for a world, the untruth that was told in it; at last, how often deeds were done. */
export type Answer = { seed: number; untruth: string | null } | { done: [kind: string, often: number][] }

const answer = (message: Answer) => process.send?.(message)
const opening = openService()

process.on('message', async (seed: Told) => {
  const service = await opening
  if (seed !== 'stop') {
    const untruth = await liveWorld(service, seed)
    answer({ seed, untruth: untruth && report(untruth) })
    return
  }
  answer({ done: [...doneByKind] })
  await closeAll()
  process.disconnect()
})
