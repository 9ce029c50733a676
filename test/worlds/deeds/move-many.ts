// Many orders move on with one request, each by itself.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { Status } from '../notebook/orders.ts'
import { ask, say, type World } from '../world.ts'
import { planDispatch } from './move-status.ts'

const results = { changed: 1, unchanged: 2, refused: 3 }

async function moveMany(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const candidates = notebook.consignmentsOf('outwards', [
    ...[Status.ReadyToPick, Status.ReadyToDispatch, Status.Void],
  ])
  const chosen = choices.some(candidates, 2 + choices.below(3), ({ tag }) => tag)
  if (chosen.length < 2) return
  const status = choices.of([Status.ReadyToDispatch, Status.InTransit, Status.Complete])
  say(world, `move ${chosen.map(({ number }) => number).join(', ')} to status ${status} at once`)
  const at = Date.now()
  const answer = await ask(world, 'post', '/v1/consignments/bulk', {
    ...{ consignmentIds: chosen.map(({ id }) => id), action: 'status', values: { status } },
  })
  for (const [i, consignment] of chosen.entries()) {
    const isVoid = consignment.status === Status.Void
    const isSame = consignment.status === status
    const plan = isVoid || isSame ? null : planDispatch(world, consignment, status)
    const isRefused = isVoid || plan?.isRefused
    const known = isRefused ? results.refused : isSame ? results.unchanged : results.changed
    const { result, messages } = answer.results[i]
    assert.equal(
      result,
      known,
      `${consignment.number}, moved to ${status} with others: ${messages.join(' ')}`,
    )
    if (result === results.changed) plan?.apply(at)
  }
}

export const manyKinds: DeedKind[] = [{ name: 'move many', often: 2, perform: moveMany }]
