// Work is done for consignments besides moving their goods, and things are used up for them: late, by several
// people, and not after all. What can be done is called otherwise, and is put out of use.

import assert from 'node:assert/strict'
import type { Caller } from '../../support/harness.ts'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { type ExtraType, sameType } from '../notebook/extras.ts'
import { type Consignment, Status } from '../notebook/orders.ts'
import { colleagueName } from '../statements/rows.ts'
import { ask, say, type World } from '../world.ts'

const refusals = ['invalid', 'state', 'wrong_status', 'inactive']
const nameOf = ({ kind, id }: ExtraType) => `${kind} ${id}`

interface Doer {
  caller: Caller
  name: string
  isOfClient: boolean
}

/** Who does it: mostly the one who does everything. */
function doerOf({ caller, colleague, clientPerson, notebook }: World, choices: Choices): Doer {
  const self = { caller, name: notebook.person, isOfClient: false }
  const drawn = choices.below(5)
  if (drawn === 4 && clientPerson) return { ...self, caller: clientPerson, isOfClient: true }
  if (drawn === 3 && colleague) return { ...self, caller: colleague, name: colleagueName }
  return self
}

/** How much was done: mostly some whole number, but also nothing, or a part. */
const drawValue = (choices: Choices): number =>
  [1 + choices.below(9), 1 + choices.below(9), choices.below(400) / 4, choices.below(9_999) / 1e4, 0][
    choices.below(5)
  ] as number

/** What there is of each type from now on, in place of all that there was of a kind, or besides it. */
interface Plan {
  method: 'put' | 'post' | 'delete'
  path: string
  body: object | undefined
  values: Map<ExtraType, number | null>
}

function planFor(world: World, { id, extras }: Consignment, choices: Choices): Plan {
  const { extraTypes } = world.notebook
  const kind = choices.of(['task', 'consumable'] as const)
  const path = `/v1/consignments/${id}/${kind}s`
  const there = extras.filter(({ type }) => type.kind === kind).map(({ type }) => type)
  const all = extraTypes.filter(type => type.kind === kind)
  const how = choices.of(['add', 'change', 'remove', 'replace'] as const)
  const value = drawValue(choices)
  if (how === 'replace') {
    const some = choices.some(all, choices.below(4), nameOf)
    const values = new Map(some.map((type, i) => [type, i === 0 ? value : 1 + choices.below(9)]))
    const entries = [...values].map(([type, value]) => ({ [`${kind}TypeId`]: type.id, value }))
    const gone = there.filter(type => !values.has(type)).map((type): [ExtraType, null] => [type, null])
    return { method: 'put', path, body: { [`${kind}s`]: entries }, values: new Map([...gone, ...values]) }
  }
  const old = how === 'add' ? undefined : choices.among(there, nameOf)
  const type = old ?? (choices.among(all, nameOf) as ExtraType)
  const own = `${path}/${type.id}`
  if (old && how === 'remove')
    return { method: 'delete', path: own, body: undefined, values: new Map([[old, null]]) }
  return { method: old ? 'put' : 'post', path: own, body: { value }, values: new Map([[type, value]]) }
}

async function doExtras(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const all = Object.values(Status)
  const consignments = [...notebook.atHand('outwards', all), ...notebook.atHand('inwards', all)]
  const consignment = choices.among(consignments, ({ tag }) => tag)
  if (consignment === undefined) return
  const doer = doerOf(world, choices)
  const { method, path, body, values } = planFor(world, consignment, choices)
  const words = [...values].map(([{ name }, value]) => `${value ?? 'no'} ${name}`)
  say(world, `${doer.isOfClient ? 'the client' : doer.name}: ${words} for ${consignment.number}`)
  const { extras, status } = consignment
  const isRefused =
    status === Status.Closed ||
    (doer.isOfClient && status !== Status.Pending) ||
    [...values].some(([type, value]) => value !== null && !type.isInUse && !extras.some(sameType(type)))
  const mayBe = isRefused ? refusals : []
  const answer = await ask(world, method, path, body, { mayBe, mayBeSo: method === 'put', by: doer.caller })
  assert.equal(answer === null, isRefused, `whether there may be ${words} for ${consignment.number}`)
  if (answer !== null) writeDown(world, consignment, values, doer.name)
}

function writeDown({ notebook }: World, consignment: Consignment, values: Plan['values'], by: string): void {
  const { act } = notebook.floor
  for (const [type, to] of values) {
    const old = consignment.extras.find(sameType(type))
    const from = old?.value ?? null
    if (from === to) continue
    consignment.extraChanges.push({ type, name: type.name, from, to, act, by })
    consignment.extras = consignment.extras.filter(extra => extra !== old)
    if (to !== null) consignment.extras.push({ type, value: to })
  }
}

/** A task or a consumable is called otherwise, or is put out of use or in use; no price must name it then. */
async function changeType(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const type = choices.among(notebook.extraTypes, nameOf) as ExtraType
  const path = `/v1/${type.kind}-types/${type.id}`
  const lists = [...notebook.priceLists, ...notebook.carrierLists]
  const isPriced = lists.some(({ services }) =>
    services.some(({ prices }) => prices.some(({ of }) => of.includes(type.id))),
  )
  if (choices.onceIn(2) && !isPriced) {
    say(world, `put ${type.name} ${type.isInUse ? 'out of use' : 'in use'}`)
    await ask(world, 'put', path, { status: type.isInUse ? 2 : 1 })
    type.isInUse = !type.isInUse
    return
  }
  const name = notebook.newName(type.name.split('-')[0] as string)
  say(world, `call ${type.name} ${name}`)
  await ask(world, 'put', path, { name })
  type.formerNames = [...type.formerNames, type.name]
  type.name = name
}

export const extraKinds: DeedKind[] = [
  { name: 'do extra work', often: 3, perform: doExtras },
  { name: 'change extra work', often: 1, perform: changeType },
]
