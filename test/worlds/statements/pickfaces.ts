// Pickfaces: how full they are, what could fill them and what is wrong with them; and the jobs that fill them.

import { availableOf, type Heap } from '../notebook/floor.ts'
import { round4 } from '../notebook/goods.ts'
import { type Fill, FillLineStatus, openOf, type Pickface } from '../notebook/pickfaces.ts'
import { trackingModes } from '../set-up.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import {
  clientName,
  clientOf,
  datesOf,
  placeOf,
  productOf,
  run,
  sameRows,
  warehouseName,
  warehouseOf,
} from './rows.ts'

export async function pickfaces(world: World): Promise<void> {
  const { all, fills } = world.notebook.pickfaces
  await compareJobs(world, fills)
  for (const fill of fills) await compareFill(world, fill)
  if (all.length === 0) return
  await replenishment(world)
  await exceptions(world)
}

const factsOf = ({ clientId, warehouseId }: World, { id, number, status }: Fill) => ({
  ...{ jobId: id, jobNumber: number, warehouseId, clientId, type: 2, status, priority: 2 },
  ...{ dueDateTime: null, reference: null, description: null },
})

async function compareJobs(world: World, fills: readonly Fill[]): Promise<void> {
  const { jobs } = await ask(world, 'get', '/v1/jobs?Type=2&PageSize=500')
  const known = fills.toReversed().map(fill => ({
    ...{ ...factsOf(world, fill), wavePickStyle: null, warehouseCode: 'AKL', warehouseName },
    ...{ clientCode: 'KAURI', clientName, consignmentCount: 0 },
  }))
  sameText(jobs, known, 'the jobs that fill pickfaces')
}

async function compareFill(world: World, fill: Fill): Promise<void> {
  const path = `/v1/jobs/${fill.id}/replenishment`
  const open = fill.lines.filter(({ status }) => status === FillLineStatus.Open)
  const head = { ...factsOf(world, fill), lineCount: fill.lines.length, openLineCount: open.length }
  sameText(await ask(world, 'get', path), head, fill.number)
  const { lines } = await ask(world, 'get', `${path}/lines?PageSize=500`)
  const known = fill.lines.map(line => {
    const { heap, to } = line
    const { warehouseLocationId, warehouseLocationName } = placeOf(heap.place)
    return {
      ...{
        replenishmentLineId: line.id,
        status: line.status,
        ...productOf(heap.product),
        ...datesOf(heap.look),
      },
      ...{ serialTrackingMode: trackingModes[heap.product.tracking], warehouseProductId: heap.id },
      ...{ warehouseLocationId, warehouseLocationName, logisticUnitNumber: heap.unit?.number ?? null },
      ...{ ssccNumber: heap.unit?.isSscc ? heap.unit.name : null, toWarehouseLocationId: to.id },
      ...{ toWarehouseLocationName: to.name, quantity: line.quantity, movedQuantity: line.moved },
      ...{ openQuantity: openOf(line), availableQuantity: availableOf(heap) },
    }
  })
  const told = lines.map(({ walkingOrder: _, ...line }: Row) => line)
  sameRows(told, known, { what: `the lines of ${fill.number}`, keys: ['replenishmentLineId'] })
}

const sum = (heaps: readonly Heap[], of = (heap: Heap) => heap.quantity) =>
  round4(heaps.reduce((all, heap) => all + of(heap), 0))

const inFace = ({ notebook }: World, face: Pickface) =>
  notebook.floor.live.filter(({ place }) => place === face)

async function replenishment(world: World): Promise<void> {
  const { notebook } = world
  const faces = notebook.pickfaces
  const day = notebook.dayAt(Date.now())
  const lackOf = (face: Pickface) =>
    Math.max(0, round4((face.target ?? face.least) - faces.availableIn(face, day)))
  const known = faces.all.map(face => {
    const { product, least, target } = face
    const available = faces.availableIn(face, day)
    const isLow = available < least
    return {
      ...{ clientPartnerName: clientName, partnerProductCode: product.code },
      ...{ partnerProductDescription: product.name, locationName: face.name },
      ...{ minQuantity: least, targetQuantity: target, isReplenishmentRequired: isLow },
      onHandQuantity: sum(inFace(world, face).filter(heap => heap.product === product)),
      availableQuantity: available,
      replenishmentStatus: isLow ? 3 : target !== null && available < target ? 2 : 1,
    }
  })
  const told = await run(world, 'pickface-replenishment')
  const plain = told.map(({ replenSuggestions: _, ...row }) => row)
  sameRows(plain, known, { what: 'the report of pickfaces', keys: ['locationName'] })
  for (const product of new Set(faces.all.map(face => face.product))) {
    const own = faces.all.filter(face => face.product === product)
    const suggested = told
      .filter(row => own.some(({ name }) => name === row.locationName))
      .flatMap(row => row.replenSuggestions)
    const what = `what could fill the pickfaces of ${product.code}`
    const sources = faces.sourcesFor(product, day)
    const lack = round4(own.reduce((all, face) => all + lackOf(face), 0))
    const all = round4(suggested.reduce((total: number, { quantity }: Row) => total + quantity, 0))
    sameFigure(all, Math.min(lack, sum(sources, availableOf)), what)
    for (const [place, rows] of Map.groupBy(suggested, ({ locationName }: Row) => locationName)) {
      const there = sum(
        sources.filter(heap => heap.place.name === place),
        availableOf,
      )
      const part = round4(rows.reduce((total: number, { quantity }: Row) => total + quantity, 0))
      sameText(part <= there, true, `${what}, ${part} in ${place}, where ${there} are`)
    }
  }
}

async function exceptions(world: World): Promise<void> {
  const { notebook } = world
  const faces = notebook.pickfaces
  const day = notebook.dayAt(Date.now())
  const known = faces.all.flatMap(face => {
    const here = inFace(world, face)
    const own = here.filter(({ product }) => product === face.product)
    const available = faces.availableIn(face, day)
    const usable = here.filter(
      ({ hold, look }) => hold === null && (look.expiryDate === null || look.expiryDate >= day),
    )
    const faults: [number, boolean][] = [
      [2, here.length === 0],
      [3, here.length > 0 && available < face.least],
      [6, here.length > 0 && usable.length === 0],
      [7, face.target === null],
    ]
    const elsewhere = notebook.floor.live.filter(heap => heap.product === face.product && heap.place !== face)
    const row = {
      ...{ ...warehouseOf(world), ...placeOf(face), ...clientOf(world), ...productOf(face.product) },
      ...{ foundProductCode: null, minQuantity: face.least, targetQuantity: face.target },
      ...{ onHandQuantity: sum(own), availableQuantity: available },
      elsewhereQuantity: sum(elsewhere, availableOf),
    }
    return faults.flatMap(([exceptionType, isThere]) => (isThere ? [{ ...row, exceptionType }] : []))
  })
  const told = await run(world, 'pickface-exception')
  const keys = ['warehouseLocationId', 'exceptionType']
  sameRows(told, known, { what: 'the faults of pickfaces', keys })
}
