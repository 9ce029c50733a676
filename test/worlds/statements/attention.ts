// What waits for a person, the figures of the day, and how many consignments there are of each kind.

import { CountStatus } from '../notebook/counts.ts'
import { type Consignment, Status } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { billOf } from './charges.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { carrierName, clientName, warehouseName } from './rows.ts'
import { shortLines } from './shortages.ts'

export async function attention(world: World): Promise<void> {
  await compareConcerns(world)
  await compareFigures(world)
  for (const by of Object.keys(fields) as (keyof typeof fields)[]) await compareCounts(world, by)
}

interface Concern {
  kind: string
  waiting: readonly string[]
  words: readonly [one: string, several: string]
  path: string
}

function concernsOf(world: World): Concern[] {
  const { counts, prints } = world.notebook
  return [
    {
      ...{ kind: 'printsInDoubt', path: '/printing' },
      waiting: prints.all.filter(({ isInDoubt }) => isInDoubt).map(({ subject }) => subject),
      words: ['print job may not have been printed', 'print jobs may not have been printed'],
    },
    {
      ...{ kind: 'countsToApprove', path: '/counts' },
      waiting: counts.all
        .filter(({ status }) => status === CountStatus.Counted)
        .map(({ number }) => number)
        .toSorted(),
      words: ['count waits for approval', 'counts wait for approval'],
    },
    {
      ...{ kind: 'linesShort', path: '/shortages' },
      waiting: shortLines(world)
        .map(({ consignment }) => consignment.number)
        .toSorted(),
      words: ['line lacks stock', 'lines lack stock'],
    },
  ]
}

/** A printer is offline once its bridge was silent for a while, which depends on how fast the world is. */
const isByClock = ({ kind }: Row) => kind === 'printersOffline'

async function compareConcerns(world: World): Promise<void> {
  const { items } = await ask(world, 'get', '/v1/attention')
  const told = items.filter((item: Row) => !isByClock(item))
  const known = concernsOf(world).filter(({ waiting }) => waiting.length > 0)
  const facts = known.map(({ kind, waiting: { length: n }, words, path }) => ({
    ...{ key: kind, kind, n, text: `${n} ${words[n === 1 ? 0 : 1]}`, path },
  }))
  sameText(
    told.map(({ sample: _, sinceUtc: __, ...item }: Row) => item),
    facts,
    'what waits for a person',
  )
  for (const [i, { kind, waiting }] of known.entries()) {
    const { sample, sinceUtc } = told[i]
    const what = `what waits for a person, ${kind}`
    const isPrint = kind === 'printsInDoubt'
    // Which printer said last that it does not know is not written down.
    const isSample = isPrint ? waiting.some(subject => sample.includes(subject)) : sample === waiting[0]
    sameText(isSample, true, `${what}, the first of them, ${sample} among ${waiting}`)
    sameText(sinceUtc !== null, isPrint, `${what}, since when`)
  }
}

const dayMs = 86_400_000

async function compareFigures(world: World): Promise<void> {
  const { consignments, dayAt } = world.notebook
  const { figures, series, waves } = await ask(world, 'get', '/v1/dashboard')
  const of = (isMeant: (consignment: Consignment) => boolean) => consignments.filter(isMeant).length
  const complete = consignments.filter(({ status }) => status === Status.Complete)
  let cents = 0
  for (const consignment of complete)
    for (const row of (await billOf(world, consignment)).rows) cents += row.isLeftOut ? 0 : row.cents
  const known = {
    toReceive: of(({ type, status }) => type === 'inwards' && status === Status.ReadyToReceive),
    toPick: of(({ type, status }) => type === 'outwards' && status === Status.ReadyToPick),
    toDispatch: of(({ status }) => status === Status.ReadyToDispatch),
    late: 0,
    linesShort: shortLines(world).length,
    notBilled: complete.length,
  }
  sameText(
    figures,
    Object.entries(known).map(([key, n]) => ({
      ...{ key, n, amountExclTax: key === 'notBilled' ? cents / 100 : null },
    })),
    'the figures of the day',
  )
  // Every wave is ended by who began it.
  sameText(waves, [], 'the waves of the day')
  const today = dayAt(Date.now())
  const days = Array.from({ length: 30 }, (_, i) =>
    new Date(Date.parse(today) - (29 - i) * dayMs).toISOString().slice(0, 10),
  )
  const perDay = (dates: readonly (string | null)[]) =>
    days.map(date => ({ date, value: dates.filter(other => other === date).length }))
  const enteredOn = (type: Consignment['type']) =>
    consignments.filter(one => one.type === type).map(one => one.enteredOn)
  const lines = {
    ...{ inwards: perDay(enteredOn('inwards')), outwards: perDay(enteredOn('outwards')) },
    pointToPoint: perDay([]),
    dispatched: perDay(consignments.map(({ leftOn }) => leftOn)),
  }
  sameText(
    series,
    Object.entries(lines).map(([key, points]) => ({ key, points })),
    'what came and left each day',
  )
}

const typeOf = { inwards: 1, outwards: 2 }
const typeNames = { inwards: 'Inwards', outwards: 'Outwards' }
const statusNames = new Map<number, string>(Object.entries(Status).map(([name, status]) => [status, name]))

/** What consignments are counted by: its value, and what that is called. */
const fields = {
  Status: ({ status }: Consignment) => [status, statusNames.get(status)],
  Type: ({ type }: Consignment) => [typeOf[type], typeNames[type]],
  ClientId: (_: Consignment, { clientId }: World) => [clientId, clientName],
  CarrierId: ({ isCarried }: Consignment, { books }: World) =>
    isCarried ? [books.carrierId, carrierName] : [null, null],
  WarehouseId: (_: Consignment, { warehouseId }: World) => [warehouseId, warehouseName],
}

async function compareCounts(world: World, by: keyof typeof fields): Promise<void> {
  const { consignments } = world.notebook
  const told = await ask(world, 'get', `/v1/consignments/counts?By=${by}`)
  const groups = Map.groupBy(consignments, one => JSON.stringify(fields[by](one, world)))
  const known = [...groups].map(([key, { length: n }]) => {
    const [value, name] = JSON.parse(key)
    return { value, name, n }
  })
  const what = `how many consignments there are by ${by}`
  sameText({ by: told.by, total: told.total }, { by, total: consignments.length }, what)
  sameText(byValue(told.counts), byValue(known), what)
  const sizes = told.counts.map(({ n }: Row) => n)
  sameText(
    sizes,
    sizes.toSorted((a: number, b: number) => b - a),
    `${what}, the most first`,
  )
}

const byValue = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => (String(a.value) < String(b.value) ? -1 : 1))
