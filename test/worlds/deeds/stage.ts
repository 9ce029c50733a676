// Picked goods go to another dock.

import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import type { Place } from '../notebook/goods.ts'
import { Status } from '../notebook/orders.ts'
import { pickedFor, stage } from '../notebook/outwards.ts'
import { ask, say, type World } from '../world.ts'

async function moveToDock(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignments = notebook
    .atHand('outwards', [Status.ReadyToPick, Status.ReadyToDispatch])
    .filter(consignment => pickedFor(notebook, consignment).length > 0)
  const consignment = choices.among(consignments, ({ tag }) => tag)
  if (consignment === undefined) return
  const to = choices.of(notebook.places.filter(({ kind }) => kind !== 'quarantine')) as Place
  const isLoose = choices.onceIn(3)
  const parts = pickedFor(notebook, consignment)
  say(world, `bring what is picked for ${consignment.number} to ${to.name}${isLoose ? ', loose' : ''}`)
  const answer = await ask(world, 'post', `/v1/consignments/${consignment.id}/stage`, {
    toLocationName: to.name,
    ...(isLoose ? { toLogisticUnit: null } : {}),
  })
  stage(notebook, parts, to, isLoose, Date.parse(answer.effectiveUtc))
}

export const stageKinds: DeedKind[] = [{ name: 'stage', often: 2, perform: moveToDock }]
