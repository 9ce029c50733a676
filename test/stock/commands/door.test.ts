// The door to the stock of a warehouse: who goes together, who goes alone, and who may leave. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, sql, type Tx } from '../../../src/platform/database/db.ts'
import { TemporarilyUnavailable } from '../../../src/platform/database/errors.ts'
import { conflict } from '../../../src/platform/http/refusal.ts'
import type { CommandRequest } from '../../../src/stock/commands/carry-out.ts'
import { type CommandKind, Postponed } from '../../../src/stock/commands/command-kind.ts'
import { passDoor } from '../../../src/stock/commands/door.ts'

interface Request extends CommandRequest {
  name: string
}

/** A database without a server, which notes the transactions: the names of the commands of each. */
function openFake({ poolSize = 10 } = {}) {
  const transactions: string[][] = []
  let openCount = 0
  let mostOpen = 0
  const begin = () =>
    ({ rows: async () => [], row: async () => ({ found: [] }), run: async () => 0 }) as unknown as Tx
  const database = {
    poolSize,
    get original() {
      return database
    },
    async atomically<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      mostOpen = Math.max(mostOpen, ++openCount)
      return work(begin()).finally(() => openCount--)
    },
  } as unknown as Database
  return { database, transactions, mostOpen: () => mostOpen }
}

type Fake = ReturnType<typeof openFake>

/** A kind of command whose transactions last until `finish` is called for each. */
function heldKind({ transactions }: Fake, plan: (request: Request, before: number) => string) {
  const waiting: (() => void)[] = []
  const arrivals: (() => void)[] = []
  const kind: CommandKind<Request, string, readonly Request[], { count: number }, string> = {
    mayShare: ({ name }) => !name.startsWith('alone'),
    weigh: ({ name }) => (name.startsWith('heavy') ? 900 : 1),
    async lockRecords(_, requests) {
      transactions.push(requests.map(({ name }) => name))
      const held = new Promise<void>(resolve => waiting.push(resolve))
      arrivals.shift()?.()
      await held
      return requests
    },
    targets: () => sql`select`,
    read: async () => ({ count: 0 }),
    plan: (found, request) => {
      const planned = plan(request, found.count)
      found.count++
      return planned
    },
    write: async (_tx, _locked, _found, plans) => plans.map(name => `${name} done`),
  }
  return {
    kind,
    /** Waits until another transaction has begun. */
    begun: () => new Promise<void>(resolve => arrivals.push(resolve)),
    finish: () => waiting.shift()?.(),
    /** Lets every transaction that begins go on at once. */
    finishAll() {
      for (const resolve of waiting.splice(0)) resolve()
      waiting.push = resolve => {
        resolve?.()
        return 0
      }
    },
  }
}

const actor = (organisationId = 'one') => ({ organisationId, connectionId: 'c' }) as CommandRequest['actor']

/** Sends commands to a door; each resolves to its answer, or rejects. */
function sender(fake: Fake, kind: CommandKind<Request, string>) {
  return (name: string, { signal = new AbortController().signal, door = 'w', organisation = 'one' } = {}) => {
    const request = { name, actor: actor(organisation), operation: { operationId: null, request: name } }
    const { database } = fake
    return passDoor<Request, string>(door, {
      ...{ database, request, kind, signal },
      alone: async tx => {
        const records = await kind.lockRecords(tx, [request], false)
        const found = await kind.read(tx, Promise.resolve({} as never), records, [request])
        const [answer] = await kind.write(tx, {} as never, found, [kind.plan(found, request)])
        return { answer: `${answer} alone`, isReplayed: false }
      },
    }).then(({ answer }) => answer)
  }
}

const settled = async (all: Promise<string>[]) =>
  (await Promise.allSettled(all)).map(one => (one.status === 'fulfilled' ? one.value : String(one.reason)))
const names = (count: number, prefix = 'p') => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

test('commands that arrive while a transaction runs form the next one, in their order, at most 64', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const begun = held.begun()
  const first = send('first')
  await begun
  const others = names(70).map(name => send(name))
  held.finishAll()
  assert.equal(await first, 'first done alone')
  assert.deepEqual(
    await settled(others),
    names(70).map(name => `${name} done`),
  )
  assert.deepEqual(fake.transactions, [['first'], names(64), names(70).slice(64)])
})

test('no more moves share a transaction than its limit, and one that exceeds it goes alone', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  held.finishAll()
  await settled(['heavy1', 'heavy2', 'heavy3', 'light'].map(name => send(name)))
  assert.deepEqual(fake.transactions, [
    ['heavy1', 'heavy2'],
    ['heavy3', 'light'],
  ])
})

test('a command of many moves does not wait for a transaction that runs, but only one does not', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const nextTurn = () => new Promise(resolve => setImmediate(resolve))
  const begun = held.begun()
  const first = send('first')
  await begun
  const light = names(70).map(name => send(name))
  const behind = send('heavy behind')
  await nextTurn()
  assert.deepEqual(fake.transactions, [['first']], 'who is not next waits, and so do those before')
  held.finish()
  await first
  held.finishAll()
  await settled([...light, behind])
  assert.deepEqual(fake.transactions, [['first'], names(64), [...names(70).slice(64), 'heavy behind']])

  const other = openFake()
  const heldOther = heldKind(other, ({ name }) => name)
  const sendOther = sender(other, heldOther.kind)
  const [one, two] = [heldOther.begun(), heldOther.begun()]
  const running = sendOther('running')
  await one
  const heavy = [sendOther('heavy1')]
  await two
  heavy.push(sendOther('heavy2'), sendOther('heavy3'))
  await nextTurn()
  assert.deepEqual(other.transactions, [['running'], ['heavy1']])
  heldOther.finishAll()
  await settled([running, ...heavy])
  assert.deepEqual(other.transactions.slice(2), [['heavy2', 'heavy3']])
  assert.equal(other.mostOpen(), 2)
})

test('a refused command drops out alone, and one that depends on another goes first in the next transaction', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }, before) => {
    if (name === 'bad') throw conflict('no')
    if (name === 'later' && before > 0) throw new Postponed()
    if (name === 'locked' && before > 0) throw new Postponed({ isAlone: true })
    return name
  })
  const send = sender(fake, held.kind)
  held.finishAll()
  const outcomes = await settled(['a', 'bad', 'later', 'b', 'locked'].map(name => send(name)))
  assert.deepEqual(outcomes, [
    'a done',
    'Error: Conflict: no',
    'later done alone',
    'b done',
    'locked done alone',
  ])
  assert.deepEqual(fake.transactions[0], ['a', 'bad', 'later', 'b', 'locked'])
  assert.deepEqual(fake.transactions.slice(1).toSorted(), [['later'], ['locked']])
})

test('if a transaction fails, its commands run singly, so that a bad one never fails its neighbours', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }) => {
    if (name === 'broken') throw new Error('a constraint')
    return name
  })
  const send = sender(fake, held.kind)
  held.finishAll()
  const outcomes = await settled(['a', 'broken', 'b'].map(name => send(name)))
  assert.deepEqual(outcomes, ['a done alone', 'Error: a constraint', 'b done alone'])
  assert.deepEqual(fake.transactions, [['a', 'broken', 'b'], ['a'], ['broken'], ['b']])
})

test('a client that leaves while it waits takes its command along; one that has begun is carried out', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const [early, late] = [new AbortController(), new AbortController()]
  const begun = held.begun()
  const first = send('first', { signal: late.signal })
  await begun
  const [gone, kept] = [send('gone', { signal: early.signal }), send('kept')]
  early.abort()
  late.abort()
  held.finishAll()
  assert.deepEqual(await settled([first, gone, kept]), [
    'first done alone',
    'Error: Validation Failed: The client disconnected.',
    'kept done alone',
  ])
  assert.deepEqual(fake.transactions, [['first'], ['kept']])
  await assert.rejects(send('after', { signal: early.signal }), { status: 400 })
})

test('a command that is left to a later transaction leaves with its client, too', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }, before) => {
    if (before > 0) throw new Postponed()
    return name
  })
  const send = sender(fake, held.kind)
  const [one, two] = [held.begun(), held.begun()]
  const leaving = new AbortController()
  const first = send('first')
  await one
  const [second, third] = [send('second'), send('third', { signal: leaving.signal })]
  const fourth = send('fourth')
  held.finish()
  await two
  leaving.abort()
  held.finishAll()
  assert.deepEqual(await settled([first, second, third, fourth]), [
    'first done alone',
    'second done',
    'Error: Validation Failed: The client disconnected.',
    'fourth done alone',
  ])
  assert.deepEqual(fake.transactions, [['first'], ['second', 'third', 'fourth'], ['fourth']])
})

test('if no connection is free for ten seconds, those are told that the stock is busy who waited for it', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const fake = openFake({ poolSize: 3 })
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const begun = held.begun()
  const holder = send('holder', { door: 'other' })
  await begun
  const late = send('late')
  await new Promise(resolve => setImmediate(resolve))
  t.mock.timers.tick(9_000)
  const young = send('young')
  t.mock.timers.tick(1_000)
  await assert.rejects(late, TemporarilyUnavailable)
  held.finishAll()
  assert.deepEqual(await settled([holder, young]), ['holder done alone', 'young done alone'])
})

test('when a thousand wait, the next is told that the stock is busy, with a second to wait', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const begun = held.begun()
  const first = send('first')
  await begun
  const waiting = names(1_000).map(name => send(name))
  await assert.rejects(send('one more'), (error: Error) => {
    assert.ok(error instanceof TemporarilyUnavailable)
    assert.equal(error.retryAfterSeconds, 1)
    return /busy/.test(error.message)
  })
  const elsewhere = held.begun()
  const other = send('other', { door: 'another warehouse' })
  await elsewhere
  held.finishAll()
  assert.equal(await other, 'other done alone')
  assert.equal(new Set(await settled([first, ...waiting])).size, 1_001)
})

test('commands of different kinds take turns, those of one kind together', async () => {
  const fake = openFake()
  const [one, other] = [heldKind(fake, ({ name }) => name), heldKind(fake, ({ name }) => name)]
  const [sendOne, sendOther] = [sender(fake, one.kind), sender(fake, other.kind)]
  one.finishAll()
  other.finishAll()
  await settled([sendOne('a'), sendOther('x'), sendOne('b'), sendOther('y'), sendOne('c')])
  assert.deepEqual(fake.transactions, [
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

test('no more than three commands of a warehouse run beside each other', async () => {
  const fake = openFake()
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const three = [held.begun(), held.begun(), held.begun()]
  const all = names(8, 'alone ').map(name => send(name))
  await Promise.all(three)
  held.finishAll()
  await settled(all)
  assert.equal(fake.mostOpen(), 3)
})

test('commands that cannot share run beside, and the doors of all warehouses leave two connections', async () => {
  const fake = openFake({ poolSize: 5 })
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const three = [held.begun(), held.begun(), held.begun()]
  const doors = ['w1', 'w2', 'w3', 'w4']
  const all = doors.flatMap(door => names(4, `alone ${door} `).map(name => send(name, { door })))
  await Promise.all(three)
  assert.equal(fake.mostOpen(), 3)
  held.finishAll()
  await settled(all)
  assert.equal(fake.mostOpen(), 3)
  assert.equal(fake.transactions.length, 16)
})

test('an organisation with many warehouses does not keep the others from their turn', async () => {
  const fake = openFake({ poolSize: 3 })
  const held = heldKind(fake, ({ name }) => name)
  const send = sender(fake, held.kind)
  const begun = held.begun()
  const many = names(20, 'many').map((name, n) => send(name, { door: `w${n}` }))
  await begun
  const other = send('other', { organisation: 'two' })
  await new Promise(resolve => setImmediate(resolve))
  held.finishAll()
  await settled([...many, other])
  const turn = fake.transactions.findIndex(([name]) => name === 'other')
  assert.ok(turn <= 2, `it came as number ${turn}`)
})
