// Histories: deeds in the order in which they are done, drawn from a seed, and what is said about a world in
// which the service told something else than the notebook.

import assert from 'node:assert/strict'
import fc from '../support/properties.ts'
import { Choices } from './choices.ts'
import type { Deed } from './deed.ts'
import { deedKinds } from './deeds.ts'
import type { Service } from './set-up.ts'
import { shrink } from './shrink.ts'
import { afterEveryDeed, afterSomeDeeds, atTheEnd } from './statements.ts'
import { type Theme, themes } from './themes.ts'
import { openWorld, remember, type Way, type World } from './world.ts'

const numbers = fc.noBias(fc.array(fc.nat(0xffff), { minLength: 40, maxLength: 40, size: 'max' }))

const deedLike = (kinds: fc.Arbitrary<readonly string[]>, chain: string | null = null): fc.Arbitrary<Deed> =>
  fc.record({ kinds, numbers, chain: fc.constant(chain), tag: fc.constant('') })

/** Deeds of which some kinds are more frequent. */
const deedsLike = (oftenOf: (name: string, often: number) => number): fc.Arbitrary<Deed> => {
  const kind = fc.oneof(
    ...deedKinds.map(({ name, often }) => ({ weight: oftenOf(name, often), arbitrary: fc.constant(name) })),
  )
  return deedLike(fc.tuple(kind, kind, kind))
}

const openers = ['announce', 'order', 'receive', 'find goods']
const anyDeed = deedsLike((_, often) => often)

/** The deeds of a theme, between which others happen. */
const chainOf = ({ steps }: Theme, chain: string): fc.Arbitrary<Deed[]> =>
  fc
    .tuple(
      ...steps.map(step =>
        fc.tuple(
          deedLike(fc.constant(step), chain),
          fc.option(anyDeed, { freq: 2 }).map(deed => (deed === null ? [] : [deed])),
        ),
      ),
    )
    .map(parts => parts.flatMap(([deed, others]) => [deed, ...others]))

const chains = fc
  .tuple(...[1, 2, 3].map(n => fc.constantFrom(...themes).chain(theme => chainOf(theme, String(n)))))
  .map(parts => parts.flat())

/** A history begins with goods that come. */
const histories = fc
  .tuple(
    fc.array(
      deedsLike(name => (openers.includes(name) ? 3 : 0)),
      { minLength: 6, maxLength: 9 },
    ),
    fc.array(anyDeed, { maxLength: 6 }),
    chains,
  )
  .map(parts => parts.flat().map((deed, i) => ({ ...deed, tag: String(i + 1).padStart(2, '0') })))

const kinds = new Map(deedKinds.map(kind => [kind.name, kind]))

/** How often deeds of each kind were done. */
export const doneByKind = new Map(deedKinds.map(({ name }) => [name, 0]))

/** Does the deeds in a new world, and compares what the service tells with the notebook. */
export async function live(service: Service, deeds: readonly Deed[]): Promise<World> {
  const world = await openWorld(service)
  await liveIn(world, deeds)
  return world
}

/** Most deeds are told as plain commands. */
const ways: readonly Way[] = ['once', 'once', 'once', 'twice', 'replayed']

/** The numbers from this one on decide how a deed is told and what is compared, not what is done. */
const reserved = 37

/** Does a deed of the first of its kinds that can be done. Returns whether anything was done. */
async function perform(world: World, deed: Deed): Promise<boolean> {
  for (const kind of deed.kinds) {
    const before = world.history.length
    world.notebook.beginDeed(deed.tag, deed.chain)
    world.way = ways[(deed.numbers[39] ?? 0) % ways.length] as Way
    world.isInPairs = (deed.numbers[37] ?? 0) % 4 === 3
    world.told.clear()
    await kinds.get(kind)?.perform(world, new Choices(deed.numbers.slice(0, reserved)))
    if (world.history.length === before) continue
    doneByKind.set(kind, (doneByKind.get(kind) ?? 0) + 1)
    return true
  }
  return false
}

async function liveIn(world: World, deeds: readonly Deed[]): Promise<void> {
  for (const deed of deeds) {
    if (!(await perform(world, deed))) continue
    for (const statement of afterEveryDeed) await statement(world)
    const rest = (deed.numbers[38] ?? 1) % 20
    if (rest === 0) for (const statement of afterSomeDeeds) await statement(world)
    if (rest % 10 === 0) await remember(world)
  }
  for (const statement of [...afterSomeDeeds, ...atTheEnd]) await statement(world)
  const differences = await world.service.findDifferences(world.caller.actor.organisationId)
  assert.deepEqual(differences, [], 'the checks find differences')
}

/** A world in which the service told an untruth. */
export interface Untruth {
  seed: number
  /** the smallest history that shows it, in words */
  history: string[]
  message: string
}

/** Lives the world of a seed. Returns the untruth that the service told in it, after shrinking its history. */
export async function liveWorld(service: Service, seed: number, shrinkSeconds = 60): Promise<Untruth | null> {
  let untruth: Untruth | null = null
  const shows = async (deeds: readonly Deed[]): Promise<boolean> => {
    const world = await openWorld(service)
    try {
      await liveIn(world, deeds)
      return false
    } catch (error) {
      // The latest failure is that of the smallest history so far.
      const message = error instanceof Error ? error.message : String(error)
      untruth = { seed, history: world.history, message }
      return true
    }
  }
  const deeds = deedsOf(seed)
  if (await shows(deeds)) await shrink(deeds, shows, shrinkSeconds)
  return untruth
}

/** The deeds of the world of a seed. */
export const deedsOf = (seed: number): Deed[] => fc.sample(histories, { seed, numRuns: 1 })[0] ?? []

export const report = ({ seed, history, message }: Untruth): string =>
  [
    `The world of seed ${seed} is not as the service tells it:`,
    ...history.map(words => `  ${words}`),
    `  → ${message}`,
    `To see it again: npm run worlds -- --seed ${seed} --count 1`,
  ].join('\n')
