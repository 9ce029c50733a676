// Random sequences of stock commands over HTTP, compared with an in-memory model: every response, every
// balance and allocation after it, and the check of the ledger at the end.
//
// STOCK_OPERATIONS sets the total number of operations (default 3,000): STOCK_OPERATIONS=100000 npm test --
// <this file>. PROPERTY_SEED sets the first seed; the seeds are printed. STOCK_SHRINK makes the test look for
// the shortest failing walk. A few walks run in parallel, each in its own organisation, because a walk mostly
// waits for responses.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/harness.ts'
import fc from '../support/properties.ts'
import * as counts from '../support/stock-model/counts.ts'
import * as floor from '../support/stock-model/floor.ts'
import * as inwards from '../support/stock-model/inwards.ts'
import { openWalk, type Walk } from '../support/stock-model/model-world.ts'
import * as outwards from '../support/stock-model/outwards.ts'
import { moveOutwards } from '../support/stock-model/outwards-status.ts'
import { type Act, Dice } from '../support/stock-model/step.ts'

const operations = Number(process.env.STOCK_OPERATIONS ?? 3_000)
const parallelWalks = 3
const walkLength = 400
/**
 * The average share of `walkLength` that a walk performs: walks vary in length, and some steps do nothing.
 */
const shareOfSteps = 0.4

/** The possible acts with their relative frequencies. */
const acts: Record<string, [Act, often: number]> = {
  receive: [inwards.receive, 4],
  unreceive: [inwards.unreceive, 2],
  'announce a return': [inwards.announceReturn, 1],
  'move inwards': [inwards.moveInwards, 1],
  transfer: [floor.transfer, 4],
  'transfer a unit': [floor.transferUnit, 2],
  'adjust down': [floor.adjustDown, 2],
  'adjust up': [floor.adjustUp, 1],
  find: [floor.find, 1],
  'edit the batch': [floor.editBatch, 2],
  hold: [floor.hold, 2],
  'release a hold': [floor.releaseHold, 2],
  allocate: [outwards.allocate, 3],
  'choose stock': [outwards.choose, 2],
  release: [outwards.release, 1],
  pick: [outwards.pick, 5],
  unpick: [outwards.unpick, 2],
  stage: [outwards.stage, 1],
  'move outwards': [moveOutwards, 4],
  'make a count': [counts.makeCount, 1],
  count: [counts.count, 3],
  'count what is found': [counts.countFound, 1],
  'count again': [counts.recount, 1],
  'move a count': [counts.moveCount, 2],
  'approve a count': [counts.approve, 3],
}

/** How often each act succeeded and how often it was refused. */
const outcomes = new Map(Object.keys(acts).map(name => [name, { done: 0, refused: 0 }]))

/** A step of a walk. Drawn numbers and the state of the model determine the request. */
class Command implements fc.AsyncCommand<object, { walk: Walk }> {
  readonly #name: string
  readonly #act: Act
  readonly #numbers: number[]
  #description = ''

  constructor(name: string, act: Act, numbers: number[]) {
    this.#name = name
    this.#act = act
    this.#numbers = numbers
  }
  check = () => true
  async run(_: object, { walk }: { walk: Walk }): Promise<void> {
    const step = this.#act(walk.model, walk.names, new Dice(this.#numbers))
    if (step === null) return
    this.#description = `${step.path} ${JSON.stringify(step.body)} → ${step.status}`
    const counted = outcomes.get(this.#name) as { done: number; refused: number }
    counted[step.status === 400 ? 'refused' : 'done']++
    await walk.perform(step)
  }
  toString = () =>
    this.#description === '' ? `${this.#name}: nothing` : `\n${this.#name}: ${this.#description}`
}

const numbers = fc.array(fc.nat(0xffff), { minLength: 14, maxLength: 14, size: 'max' })
const commands = fc.commands(
  Object.entries(acts).flatMap(([name, [act, often]]) =>
    Array.from({ length: often }, () => numbers.map(drawn => new Command(name, act, drawn))),
  ),
  { maxCommands: walkLength, size: 'max' },
)

test('responses and balances match the model for random sequences of stock commands', async t => {
  const { database, stranger } = await openWorld()
  const begin = performance.now()
  const { seed = 0 } = fc.readConfigureGlobal()
  const walk = fc.asyncProperty(commands, async steps => {
    const walk = await openWalk(database, await stranger())
    await fc.asyncModelRun(() => ({ model: {}, real: { walk } }), steps)
    assert.deepEqual(await walk.end(), [])
  })
  const walks = operations / (walkLength * shareOfSteps)
  await Promise.all(
    Array.from({ length: parallelWalks }, (_, lane) =>
      fc.assert(walk, {
        seed: seed + lane,
        numRuns: Math.ceil(walks / parallelWalks),
        endOnFailure: process.env.STOCK_SHRINK === undefined,
      }),
    ),
  )
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
  const sum = (of: 'done' | 'refused') =>
    [...outcomes.values()].reduce((all, outcome) => all + outcome[of], 0)
  t.diagnostic(
    `seeds ${seed} to ${seed + parallelWalks - 1}: ${sum('done')} operations and ${sum('refused')} refused ones in ` +
      `${seconds} s`,
  )
  for (const [name, { done, refused }] of outcomes) {
    t.diagnostic(`${name}: ${done}, ${refused} refused`)
    if (operations >= 3_000) assert.ok(done > 0, `no walk did this: ${name}`)
  }
})
