// An import with a code that nobody knows. It waits until somebody says what was meant, or sends another one
// in its place, and is then what was said last.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Choices } from '../choices.ts'
import { ask, type World } from '../world.ts'

/** An import, as far as its lines matter. */
export interface Request {
  products: readonly { productCode: string }[]
  [field: string]: unknown
}

/** Sends an import, which may have to wait first. Returns its id. */
export async function sendImport(world: World, choices: Choices, request: Request): Promise<string> {
  if (!choices.onceIn(4)) return (await ask(world, 'post', '/v1/consignment-imports', request)).consignmentId
  const { notebook, history } = world
  const [first, ...rest] = request.products as [Request['products'][number], ...Request['products']]
  const unknown = notebook.newName('NONE')
  const isReplaced = choices.onceIn(2)
  // What is sent in its place has other goods in every line.
  const products = isReplaced
    ? [{ ...first, productCode: unknown }, ...rest]
    : [{ productCode: unknown, batch: 'WRONG', items: [{ quantity: 77 }] }]
  history[history.length - 1] += `, first as ${unknown}`
  const { consignmentId } = await ask(world, 'post', '/v1/consignment-imports', { ...request, products })
  const path = `/v1/consignment-imports/${consignmentId}`
  await untilItWaits(world, path, unknown)
  if (isReplaced) {
    const replacements = [{ kind: 'product', code: unknown, replacement: first.productCode }]
    await ask(world, 'put', `${path}/reconcile`, { replacements })
  } else await ask(world, 'put', path, { request })
  return consignmentId
}

async function untilItWaits(world: World, path: string, code: string): Promise<void> {
  for (;;) {
    await world.service.work()
    const { body } = await world.caller.get(path)
    const { reasons } = body
    if (reasons.length > 0) {
      assert.ok(JSON.stringify(reasons).includes(code), `${path} waits for something else than ${code}`)
      return
    }
    // Another world's turn may process this import.
    await setTimeout(5)
  }
}
