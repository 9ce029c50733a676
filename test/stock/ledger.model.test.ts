// Random walks through the commands of stock over HTTP, each held against a model in maps: every answer,
// every balance and promise after it, and the proof of the ledger at the end.
//
// STOCK_OPERATIONS says how many operations there are in all (10,000): STOCK_OPERATIONS=100000 npm test --
// <this file>. PROPERTY_SEED begins elsewhere; the seeds are printed. STOCK_SHRINK looks for the shortest walk
// that fails. A few walks go on at once, each in an organisation of its own, for most of a walk is waiting.

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

const operations = Number(process.env.STOCK_OPERATIONS ?? 10_000)
const lanes = 3
const walkLength = 400
/** Walks are of any length up to that, and some steps find nothing to do. */
const usualShare = 0.4

/** What may happen, and how often beside the others. */
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

/** How often each was done and how often refused. */
const told = new Map(Object.keys(acts).map(name => [name, { done: 0, refused: 0 }]))

/** A step of a walk; what it is depends on the walk so far, by numbers that are drawn. */
class Command implements fc.AsyncCommand<object, { walk: Walk }> {
  readonly #name: string
  readonly #act: Act
  readonly #numbers: number[]
  #told = ''

  constructor(name: string, act: Act, numbers: number[]) {
    this.#name = name
    this.#act = act
    this.#numbers = numbers
  }
  check = () => true
  async run(_: object, { walk }: { walk: Walk }): Promise<void> {
    const step = this.#act(walk.model, walk.names, new Dice(this.#numbers))
    if (step === null) return
    this.#told = `${step.path} ${JSON.stringify(step.body)} → ${step.status}`
    const counted = told.get(this.#name) as { done: number; refused: number }
    counted[step.status === 400 ? 'refused' : 'done']++
    await walk.take(step)
  }
  toString = () => (this.#told === '' ? `${this.#name}: nothing` : `\n${this.#name}: ${this.#told}`)
}

const numbers = fc.array(fc.nat(0xffff), { minLength: 14, maxLength: 14, size: 'max' })
const commands = fc.commands(
  Object.entries(acts).flatMap(([name, [act, often]]) =>
    Array.from({ length: often }, () => numbers.map(drawn => new Command(name, act, drawn))),
  ),
  { maxCommands: walkLength, size: 'max' },
)

test('whatever happens to stock, answers and balances are those of the model', async t => {
  const { database, stranger } = await openWorld()
  const begin = performance.now()
  const { seed = 0 } = fc.readConfigureGlobal()
  const walk = fc.asyncProperty(commands, async steps => {
    const walk = await openWalk(database, await stranger())
    await fc.asyncModelRun(() => ({ model: {}, real: { walk } }), steps)
    assert.deepEqual(await walk.end(), [])
  })
  const walks = operations / (walkLength * usualShare)
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      fc.assert(walk, {
        seed: seed + lane,
        numRuns: Math.ceil(walks / lanes),
        endOnFailure: process.env.STOCK_SHRINK === undefined,
      }),
    ),
  )
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
  const sum = (of: 'done' | 'refused') => [...told.values()].reduce((all, one) => all + one[of], 0)
  t.diagnostic(
    `seeds ${seed} to ${seed + lanes - 1}: ${sum('done')} operations and ${sum('refused')} refused ones in ` +
      `${seconds} s`,
  )
  for (const [name, { done, refused }] of told) {
    t.diagnostic(`${name}: ${done}, ${refused} refused`)
    if (operations >= 3_000) assert.ok(done > 0, `nobody came to ${name}`)
  }
})
