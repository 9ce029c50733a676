// Prices change, and what was done is billed, and is not billed after all.

import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import type { Counted, Price, Service } from '../notebook/money.ts'
import { Status } from '../notebook/orders.ts'
import { agreeOn, priceOf } from '../prices.ts'
import { billOf } from '../statements/charges.ts'
import { ask, say, type World } from '../world.ts'

const counted: readonly [Counted, ...Counted[]] = [
  ...(['items', 'kg', 'm3', 'pallets', 'serials', 'lines', 'consignment'] as const),
]

function drawPrice(choices: Choices, isByProduct: boolean): Price {
  const base = choices.onceIn(3) ? choices.below(500) / 100 : 0
  const least = choices.onceIn(3) ? choices.below(2_000) / 100 : 0
  const only = choices.of([null, null, 'inwards', 'outwards'] as const)
  const drawn = choices.of(counted)
  // A consignment as a whole is of no product.
  const count = isByProduct && drawn === 'consignment' ? 'lines' : drawn
  return priceOf(count, (1 + choices.below(9_999)) / 1_000, { base, least, only })
}

/** Other prices count from now on, or did already for some days. Some work may be charged by none of them. */
async function agree(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const services = Array.from({ length: 1 + choices.below(4) }, (_, i): Service => {
    const isByProduct = i < 3 && choices.onceIn(3)
    const prices = Array.from({ length: 1 + choices.below(3) }, () => drawPrice(choices, isByProduct))
    return { name: `Service ${notebook.tag}.${i}`, isFreight: i === 3, isByProduct, prices }
  })
  const daysAgo = choices.onceIn(3) ? choices.below(6) : 0
  const from = notebook.dayAt(Date.now() - daysAgo * 86_400_000)
  const isRaised = choices.onceIn(2)
  const words = services.map(({ prices, isByProduct, isFreight }) =>
    [
      ...prices.map(({ counted, each, only }) => `${counted}${only === null ? '' : ` ${only}`} at ${each}`),
      ...(isByProduct ? ['by product'] : []),
      ...(isFreight ? ['as freight'] : []),
    ].join(', '),
  )
  say(world, `agree on prices from ${from} on: ${words.join('; ')}`)
  await agreeOn(world, services, { from, isRaised })
}

const allDone = ({ notebook }: World) => [
  ...notebook.atHand('outwards', [Status.Complete]),
  ...notebook.atHand('inwards', [Status.Complete]),
]

/** What is over is billed: one consignment, or all that there are. */
async function bill(world: World, choices: Choices): Promise<void> {
  const one = choices.among(allDone(world), ({ tag }) => tag)
  if (one === undefined) return
  const chosen = choices.onceIn(3) ? allDone(world) : [one]
  say(world, `close ${chosen.map(({ number }) => number).join(', ')}`)
  const bills = await Promise.all(chosen.map(consignment => billOf(world, consignment)))
  if (chosen.length === 1)
    await ask(world, 'put', `/v1/consignments/${one.id}/status`, { status: Status.Closed })
  else await ask(world, 'post', '/v1/consignments/close', { consignmentIds: chosen.map(({ id }) => id) })
  for (const [i, consignment] of chosen.entries()) {
    consignment.status = Status.Closed
    consignment.bill = bills[i] ?? null
  }
}

/** A bill was none: what was charged is open again. */
async function reopen(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const closed = [
    ...notebook.atHand('outwards', [Status.Closed]),
    ...notebook.atHand('inwards', [Status.Closed]),
  ]
  const consignment = choices.among(closed, ({ tag }) => tag)
  if (consignment === undefined) return
  say(world, `reopen ${consignment.number}`)
  await ask(world, 'put', `/v1/consignments/${consignment.id}/reopen`)
  Object.assign(consignment, { status: Status.Complete, bill: null })
}

export const moneyKinds: DeedKind[] = [
  { name: 'agree on prices', often: 2, perform: agree },
  { name: 'bill', often: 4, perform: bill },
  { name: 'reopen a bill', often: 2, perform: reopen },
]
