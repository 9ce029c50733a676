// A client announces goods that come, or orders goods that leave: an import.

import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { type Product, plain, round4, round6 } from '../notebook/goods.ts'
import { type Consignment, type Line, Status } from '../notebook/orders.ts'
import { ask, say, untilConsignment, type World } from '../world.ts'
import { learnAllocations } from './learn-allocations.ts'
import { chooseLook, chooseUnit, lookFields, wordsForLook } from './looks.ts'

type Draft = Omit<Line, 'id' | 'consignment'>

/** A line of an import, as announced or asked for. */
function draftLine(world: World, choices: Choices, ordinal: number, type: Consignment['type']): Draft {
  const { notebook } = world
  // Orders are mostly for what is there.
  const there = [...new Set(notebook.floor.live.map(heap => heap.product))]
  const isThere = type === 'outwards' && there.length > 0 && !choices.onceIn(4)
  const product = choices.of(
    isThere ? notebook.products.filter(other => there.includes(other)) : notebook.products,
  ) as Product
  const expected = 1 + choices.below(12)
  const isPlain = type === 'outwards' ? !choices.onceIn(4) : choices.onceIn(2)
  const look = isPlain ? plain : chooseLook(choices)
  const isWeighed = choices.onceIn(4)
  const known = [...notebook.floor.units.values()]
  const isOnUnit = choices.onceIn(3)
  const unit = !isOnUnit
    ? null
    : type === 'inwards'
      ? chooseUnit(notebook, choices)
      : choices.among(known, ({ name }) => name)
  const isNamed = type === 'inwards' && product.tracking === 'full' && choices.onceIn(2)
  const each = (what: 'weight' | 'volume') => (product[what] === null ? null : product[what] * expected)
  return {
    ...{ ordinal, product, code: product.code, look, expected },
    ...{ unitName: unit?.name ?? null, isSscc: unit?.isSscc ?? false },
    expectedWeight: isWeighed ? round4(expected * 1.125 + 0.5) : roundOr(round4, each('weight')),
    expectedVolume: isWeighed ? round6(expected * 0.011) : roundOr(round6, each('volume')),
    serials: isNamed ? Array.from({ length: expected }, () => notebook.newName('S')) : [],
    ...{ arrivals: [], lateSerials: [], departures: [], origins: [], returnOf: null },
  }
}

const roundOr = (round: (value: number) => number, value: number | null) =>
  value === null ? null : round(value)

function fieldsOf(line: Draft) {
  const { product, look, expected, unitName, isSscc, serials, expectedWeight, expectedVolume } = line
  const isWeighed = expectedWeight !== roundOr(round4, product.weight && product.weight * expected)
  const measures = isWeighed ? { weightKG: expectedWeight, volumeM3: expectedVolume } : {}
  return {
    ...{ productCode: product.code, ...lookFields(look) },
    ...(unitName === null
      ? {}
      : isSscc
        ? { logisticUnitSsccNumber: unitName }
        : { logisticUnitReferenceNumber: unitName }),
    items:
      serials.length > 0
        ? serials.map(serial => ({ serial, quantity: 1 }))
        : [{ quantity: expected, ...measures }],
  }
}

async function announce(world: World, choices: Choices, type: Consignment['type']): Promise<void> {
  const { notebook, caller } = world
  const count = 1 + choices.below(3)
  const lines = Array.from({ length: count }, (_, ordinal) => {
    const line = draftLine(world, choices, ordinal, type)
    if (line.serials.length === 0) return line
    // Items that are named have the weight of their product.
    const { weight, volume } = line.product
    return {
      ...line,
      expectedWeight: weight === null ? null : round4(weight * line.expected),
      expectedVolume: volume === null ? null : round6(volume * line.expected),
    }
  })
  const what = lines.map(
    ({ expected, code, look, unitName }) =>
      `${expected} ${code}${wordsForLook(look)}${unitName === null ? '' : ` on ${unitName}`}`,
  )
  say(world, `${type === 'inwards' ? 'announce' : 'order'} ${what.join(', ')}`)
  const { consignmentId } = await ask(world, 'post', '/v1/consignment-imports', {
    ...{ consignmentType: type === 'inwards' ? 1 : 2, clientCode: 'KAURI', warehouseCode: 'AKL' },
    products: lines.map(fieldsOf),
  })
  const detail = await untilConsignment(world, consignmentId)
  const consignment: Consignment = {
    ...{
      id: consignmentId,
      tag: notebook.tag,
      number: detail.consignmentNumber,
      type,
      status: Status.Pending,
      lines: [],
    },
    ...{ isPickingConfirmed: false, returnOf: null, departures: 0 },
  }
  for (const line of lines)
    consignment.lines.push({ ...line, consignment, id: detail.products[line.ordinal]?.id })
  notebook.consignments.push(consignment)
  world.history[world.history.length - 1] += `: ${consignment.number}`
  const status = type === 'inwards' ? Status.ReadyToReceive : Status.ReadyToPick
  await caller.put(`/v1/consignments/${consignmentId}/status`, { status })
  consignment.status = status
  if (type === 'outwards') await learnAllocations(world, [consignment])
}

export const announceKinds: DeedKind[] = [
  { name: 'announce', often: 4, perform: (world, choices) => announce(world, choices, 'inwards') },
  { name: 'order', often: 4, perform: (world, choices) => announce(world, choices, 'outwards') },
]
