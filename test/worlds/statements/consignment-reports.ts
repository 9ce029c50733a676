// Reports of consignments and their lines: what is expected, promised, picked, short, and what came or left.

import { dateFields, round4, round6 } from '../notebook/goods.ts'
import { chargeDay, isActual, movedFor } from '../notebook/money.ts'
import {
  type Consignment,
  cameFor,
  goneOf,
  type Line,
  leftWith,
  promisedTo,
  Status,
  serialsOf,
  shortOf,
} from '../notebook/orders.ts'
import type { World } from '../world.ts'
import type { Row } from './read-stock.ts'
import {
  carrierName,
  clientName,
  datesOf,
  figuresOf,
  productOf,
  run,
  sameRows,
  totalsOf,
  warehouseName,
} from './rows.ts'

/** Times as days. */
const times = ['dateEntered', 'actualReceiveDateTime', 'actualDispatchDateTime']
const withDays = (row: Row): Row => ({
  ...row,
  ...Object.fromEntries(
    times.flatMap(name => (name in row ? [[name, row[name]?.slice(0, 10) ?? null]] : [])),
  ),
})

const factsOf = ({ id, number, type, status, enteredOn, isCarried }: Consignment) => ({
  ...{ consignmentId: id, consignmentNumber: number, referenceNumber: null, dateEntered: enteredOn },
  ...{ consignmentType: type === 'inwards' ? 1 : 2, status, clientCode: 'KAURI', clientName, warehouseName },
  ...{ carrierCode: isCarried ? 'SWF' : null, carrierName: isCarried ? carrierName : null },
})

const expectedOf = (line: Line) => ({
  ...{ quantity: line.expected, weight: line.expectedWeight, volume: line.expectedVolume },
})

type Measures = { quantity: number | null; weight: number | null; volume: number | null }

/** The sums of what is known; null if nothing is. */
function sums(parts: readonly Measures[]): Measures {
  const sum = (of: (part: Measures) => number | null) =>
    parts.every(part => of(part) === null) ? null : parts.reduce((all, part) => all + (of(part) ?? 0), 0)
  return {
    quantity: sum(({ quantity }) => quantity),
    weight: sum(({ weight }) => weight),
    volume: sum(({ volume }) => volume),
  }
}

/** The share of what a line expects for a part of its quantity. */
const shareOf = ({ expected, expectedWeight, expectedVolume }: Line, quantity: number): Measures => ({
  quantity,
  weight: expectedWeight === null ? null : round4((expectedWeight * quantity) / expected),
  volume: expectedVolume === null ? null : round6((expectedVolume * quantity) / expected),
})

/** Whether what came or left counts, and not what was announced or ordered. */
const isMoved = (consignment: Consignment) =>
  isActual(consignment) && consignment.lines.some(line => movedFor(line) > 0)

/** The consignments of reports: what is void is in none of them. */
const listed = ({ notebook }: World) => notebook.consignments.filter(({ status }) => status !== Status.Void)

export async function consignmentReports(world: World): Promise<void> {
  await lines(world)
  await metrics(world)
  await due(world)
  await inward(world)
  await outward(world)
  await extras(world)
}

async function extras(world: World): Promise<void> {
  for (const kind of ['task', 'consumable'] as const) {
    const known = listed(world).flatMap(consignment =>
      consignment.extras
        .filter(({ type }) => type.kind === kind)
        .map(({ type: { code, name }, value }) => ({
          ...{ ...factsOf(consignment), [`${kind}TypeName`]: name, value },
          ...(kind === 'task' ? { taskTypeCode: code } : {}),
        })),
    )
    const told = await run(world, `consignment-${kind}s`)
    const keys = ['consignmentNumber', `${kind}TypeName`]
    sameRows(told.map(withDays), known, { what: `the report of ${kind}s`, keys })
  }
}

async function lines(world: World): Promise<void> {
  const { floor } = world.notebook
  const known = listed(world)
    .flatMap(({ lines }) => lines)
    .map(line => ({
      ...{ ...factsOf(line.consignment), lineNumber: line.ordinal + 1, ...productOf(line.product) },
      ...{ goodsDescription: null, ...datesOf(line.look), packageTypeCode: null, criticalStockStatus: null },
      ...announcedUnit(world, line),
      ...figuresOf('expected', expectedOf(line)),
      allocatedQuantity: promisedTo(floor, line, false),
      pickedQuantity: promisedTo(floor, line, true),
      ...figuresOf('received', cameFor(line)),
      ...figuresOf('dispatched', leftWith(line)),
      shortQuantity: shortOf(floor, line),
      serialCount: serialCountOf(line),
    }))
  const told = await run(world, 'consignment-product-detail')
  sameRows(told.map(withDays), known, {
    ...{ what: 'the report of lines', keys: ['consignmentNumber', 'lineNumber'] },
  })
}

const announcedUnit = ({ notebook }: World, { unitName, isSscc }: Line) => ({
  logisticUnitNumber: isSscc ? (notebook.floor.units.get(unitName ?? '')?.number ?? null) : null,
  logisticUnitReferenceNumber: isSscc ? null : unitName,
  logisticUnitSsccNumber: isSscc ? unitName : null,
})

function serialCountOf(line: Line): number {
  if (!isMoved(line.consignment)) return line.serials.length
  return line.consignment.type === 'inwards'
    ? serialsOf(line).size
    : new Set(goneOf(line).flatMap(({ serials }) => serials)).size
}

/** On how many pallets goods came or left, or else were announced or are asked from. */
function unitCountOf(consignment: Consignment): number {
  if (!isMoved(consignment)) return new Set(consignment.lines.flatMap(({ unitName }) => unitName ?? [])).size
  const names = consignment.lines.flatMap(line => {
    const loads = consignment.type === 'inwards' ? line.arrivals : goneOf(line)
    const byUnit = [...Map.groupBy(loads, ({ identity }) => identity.unit?.name ?? null)]
    return byUnit.flatMap(([name, own]) => (name !== null && totalsOf(own).quantity > 0 ? [name] : []))
  })
  return new Set(names).size
}

/** What stock of a consignment weighs and fills: each heap's share of what is promised in it. */
function promisedFigures({ notebook }: World, consignment: Consignment, isPicked: boolean): Measures {
  const parts = notebook.floor.live.flatMap(heap =>
    heap.promises
      .filter(promise => promise.line.consignment === consignment && promise.isPicked === isPicked)
      .map(({ quantity }) => ({
        quantity,
        weight: (heap.weight * quantity) / heap.quantity,
        volume: (heap.volume * quantity) / heap.quantity,
      })),
  )
  return totalsOf(parts)
}

/** The day on which the first goods came that were not taken back. */
export const cameOn = (consignment: Consignment) =>
  consignment.type === 'inwards' ? chargeDay(consignment, '') || null : null

async function metrics(world: World): Promise<void> {
  const { floor } = world.notebook
  const known = listed(world).map(consignment => {
    const own = consignment.lines
    return {
      ...{ ...factsOf(consignment), lineCount: own.length, logisticUnitCount: unitCountOf(consignment) },
      ...figuresOf('expected', sums(own.map(expectedOf))),
      ...figuresOf('allocated', promisedFigures(world, consignment, false)),
      ...figuresOf('picked', promisedFigures(world, consignment, true)),
      ...figuresOf('received', totalsOf(own.map(cameFor))),
      ...figuresOf('dispatched', totalsOf(own.map(leftWith))),
      ...figuresOf('short', sums(own.map(line => shareOf(line, shortOf(floor, line))))),
      ...{ expectedArrivalDateTime: null, expectedDispatchDateTime: null, expectedDeliveryDateTime: null },
      ...{ actualReceiveDateTime: cameOn(consignment), actualDispatchDateTime: consignment.leftOn },
      isOnTime: null,
    }
  })
  const told = await run(world, 'consignment-metrics')
  sameRows(told.map(withDays), known, {
    ...{ what: 'the metrics of consignments', keys: ['consignmentNumber'] },
  })
}

async function due(world: World): Promise<void> {
  const { notebook } = world
  const over: readonly number[] = [Status.Void, Status.Complete, Status.Closed, Status.InTransit]
  for (const [consignmentType, type] of [
    [1, 'inwards'],
    [2, 'outwards'],
  ] as const) {
    const open = notebook.consignments.filter(one => one.type === type && !over.includes(one.status))
    const known = open
      .flatMap(({ lines }) => lines)
      .filter(line => line.expected - movedFor(line) > 0)
      .map(line => ({
        ...{ ...factsOf(line.consignment), dueDateTime: null, overdueDays: null, containerNumber: null },
        ...{ ...productOf(line.product), ...datesOf(line.look), ...announcedUnit(world, line) },
        ...figuresOf('expected', expectedOf(line)),
        processedQuantity: movedFor(line),
        ...figuresOf('due', shareOf(line, round4(line.expected - movedFor(line)))),
      }))
    const told = await run(world, 'consignment-product-due', { consignmentType })
    const keys = [
      ...['consignmentNumber', 'partnerProductId', 'batch', ...dateFields],
      ...['logisticUnitReferenceNumber', 'logisticUnitSsccNumber'],
    ]
    sameRows(told.map(withDays), known, { what: `the report of what is due, ${type}`, keys })
  }
}

async function inward(world: World): Promise<void> {
  const { floor } = world.notebook
  const known = listed(world)
    .filter(({ type }) => type === 'inwards')
    .map(consignment => {
      const own = consignment.lines
      const came = totalsOf(own.map(cameFor))
      const held = floor.live.filter(({ hold }) => own.includes(hold?.line as Line))
      return {
        ...{ ...factsOf(consignment), containerNumber: null, containerSize: null, vesselName: null },
        ...{ expectedArrivalDateTime: null, actualReceiveDateTime: cameOn(consignment) },
        ...{ lineCount: own.length, ...figuresOf('expected', sums(own.map(expectedOf))) },
        ...figuresOf('received', came),
        differenceQuantity: round4(came.quantity - own.reduce((all, { expected }) => all + expected, 0)),
        ...{ holdQuantity: totalsOf(held).quantity, overdueDays: null },
      }
    })
  const told = await run(world, 'inward-consignment-summary')
  sameRows(told.map(withDays), known, {
    ...{ what: 'the report of inward consignments', keys: ['consignmentNumber'] },
  })
}

/** How a delivery stands: by the last parcel that was sent, and the last proof of it. */
function deliveryOf({ notebook }: World, consignment: Consignment) {
  const parcel = notebook.tracking.recordsOf(consignment).at(-1)
  const proved = notebook.tracking.proofsOf(consignment).map(({ at }) => at)
  return {
    deliveredUtc: proved.length === 0 ? null : new Date(Math.max(...proved)).toISOString(),
    ...{ trackingStatus: parcel?.status ?? null, trackingNumber: parcel?.number ?? null },
  }
}

async function outward(world: World): Promise<void> {
  const { floor } = world.notebook
  const known = listed(world)
    .filter(({ type }) => type === 'outwards')
    .map(consignment => {
      const own = consignment.lines
      return {
        ...{ ...factsOf(consignment), consigneeName: null, consigneeCity: null, consigneeState: null },
        ...{ expectedDispatchDateTime: null, actualDispatchDateTime: consignment.leftOn },
        ...{ expectedDeliveryDateTime: null, ...deliveryOf(world, consignment) },
        ...{
          jobNumber: consignment.job,
          lineCount: own.length,
          ...figuresOf('expected', sums(own.map(expectedOf))),
        },
        ...figuresOf('dispatched', totalsOf(own.map(leftWith))),
        shortQuantity: round4(own.reduce((all, line) => all + shortOf(floor, line), 0)),
        overdueDays: null,
      }
    })
  const told = await run(world, 'outward-consignment-summary')
  sameRows(told.map(withDays), known, {
    ...{ what: 'the report of outward consignments', keys: ['consignmentNumber'] },
  })
}
