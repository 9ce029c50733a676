// Loads the stock of the demo: the opening balances of its warehouses, and today's work in progress.

import { newId } from '../platform/new-id.ts'
import { JobStatus } from '../vocabulary/jobs.ts'
import { HoldKind, StockCountStatus } from '../vocabulary/stock.ts'
import { daysAfter, warehouses } from './demo-data.ts'
import type { Call, IdOf } from './load-history.ts'
import { openingDaysAgo, openingRows, pickfaces } from './stock-data.ts'

const Status = { Complete: 0, ReadyToPick: 2, ReadyToDispatch: 3, ReadyToReceive: 4 }

/** Creates the pickfaces and loads the opening balance of each warehouse. */
export async function loadOpeningBalances(call: Call, idOf: IdOf, now: Date): Promise<void> {
  for (const { code } of warehouses) {
    const path = `/v1/warehouses/${idOf(`/v1/warehouses/${code}`)}/locations`
    for (const [nth, { client, productCode, ...pickface }] of pickfaces.entries())
      await call('POST', path, {
        ...pickface,
        type: 1,
        isPickface: true,
        walkingOrder: nth + 1,
        partnerProductId: productIdOf(idOf, client, productCode),
      })
    await call('POST', '/v1/inventory/opening-balances', {
      operationId: newId(),
      warehouseCode: code,
      rows: openingRows(code, now),
      occurredUtc: daysAfter(now, -openingDaysAgo),
    })
  }
}

/** The id of a product that was set up. */
export const productIdOf = (idOf: IdOf, client: string, code: string) =>
  idOf(`/v1/partners/${idOf(`/v1/partners/${client}`)}/products/${code}`)

/** A line of a consignment, as the API returns it. */
interface Line {
  id: string
  partnerProductId: string
  expectedQuantity: number
  dispatchedQuantity: number
}

/** Loads today's work: goods on hold, a delivery that is half unloaded, picked serials, and short lines. */
export async function loadScenarios(call: Call, idOf: IdOf, now: Date): Promise<void> {
  await loadHold(call, idOf)
  await loadReturn(call, idOf)
  await loadPartialReceipt(call)
  await loadReplenishment(call, idOf)
  await loadPickedSerials(call, idOf)
  await loadWavePick(call, now)
  await loadCount(call, idOf)
  const short = await consignmentPathOf(call, 'PO-SHORT')
  await call('PUT', `${short}/status`, { status: Status.ReadyToPick })
}

/** The path of the consignment with a reference. */
export async function consignmentPathOf(call: Call, reference: string): Promise<string> {
  const { consignments } = (await call('GET', `/v1/consignments?SearchText=${reference}`)).body as {
    consignments: { id: string }[]
  }
  return `/v1/consignments/${consignments[0]?.id}`
}

const linesOf = async (call: Call, path: string) => (await call('GET', path)).body.products as Line[]

/** Puts the rest of a batch of honey on hold until the laboratory has tested it. */
async function loadHold(call: Call, idOf: IdOf): Promise<void> {
  await call('POST', '/v1/inventory/holds', {
    kind: HoldKind.Quality,
    reason: 'Laboratory result outstanding',
    where: {
      warehouseId: idOf('/v1/warehouses/AKL'),
      partnerProductId: productIdOf(idOf, 'KAURI', 'KAU-004'),
      batch: 'B2',
    },
  })
}

/** Returns a part of the latest Complete delivery, which waits on hold for a decision. */
async function loadReturn(call: Call, idOf: IdOf): Promise<void> {
  const query = `Status=${Status.Complete}&Type=2&WarehouseId=${idOf('/v1/warehouses/AKL')}&PageSize=20`
  const { consignments } = (await call('GET', `/v1/consignments?${query}`)).body as {
    consignments: { id: string }[]
  }
  for (const { id } of consignments) {
    const line = (await linesOf(call, `/v1/consignments/${id}`)).find(line => line.dispatchedQuantity >= 4)
    if (line === undefined) continue
    const { consignmentId } = (
      await call('POST', `/v1/consignments/${id}/returns`, {
        lines: [{ consignmentProductId: line.id, quantity: 4 }],
        reason: 'Cartons crushed on the way',
      })
    ).body
    await call('PUT', `/v1/consignments/${consignmentId}/status`, { status: Status.ReadyToReceive })
    await call('POST', `/v1/consignments/${consignmentId}/receive`, { all: true })
    return
  }
}

/** Receives half of a delivery, and puts the first goods away. */
async function loadPartialReceipt(call: Call): Promise<void> {
  const path = await consignmentPathOf(call, 'PO-HALF')
  await call('PUT', `${path}/status`, { status: Status.ReadyToReceive })
  const lines = await linesOf(call, path)
  const receipts = lines.map(line => ({ consignmentProductId: line.id, quantity: line.expectedQuantity / 2 }))
  const { consignmentProducts } = (await call('POST', `${path}/receive`, { receipts })).body as {
    consignmentProducts: { warehouseProductIds: string[] }[]
  }
  const warehouseProductId = consignmentProducts[0]?.warehouseProductIds[0]
  const { locations } = (await call('GET', `/v1/inventory/${warehouseProductId}/put-away`)).body as {
    locations: { warehouseLocationId: string }[]
  }
  const toWarehouseLocationId = locations[0]?.warehouseLocationId
  await call('POST', '/v1/inventory/transfer', {
    transfers: [{ warehouseProductId, toWarehouseLocationId }],
  })
}

/** Adds a job to replenish pickfaces from the racking, which nobody has started. */
async function loadReplenishment(call: Call, idOf: IdOf): Promise<void> {
  const job = {
    warehouseId: idOf('/v1/warehouses/AKL'),
    clientId: idOf('/v1/partners/KAURI'),
    reference: 'Pickfaces before noon',
  }
  const { jobId } = (await call('POST', '/v1/jobs/replenishment', job)).body
  await call('PUT', `/v1/jobs/${jobId}/replenishment/status`, { status: JobStatus.ReadyToStart })
}

/**
 * Picks monitors by the serials with which they were received, and headsets, whose serials are scanned now.
 */
async function loadPickedSerials(call: Call, idOf: IdOf): Promise<void> {
  const path = await consignmentPathOf(call, 'PO-SERIALS')
  await call('PUT', `${path}/status`, { status: Status.ReadyToPick })
  const [monitors, headsets] = (await linesOf(call, path)) as [Line, Line]
  const rowOf = async (code: string) => {
    const product = productIdOf(idOf, 'HARBOUR', code)
    const query = `PartnerProductId=${product}&WarehouseId=${idOf('/v1/warehouses/AKL')}`
    const { inventory } = (await call('GET', `/v1/inventory?${query}`)).body as {
      inventory: { products: { warehouseProductId: string; allocatedQuantity: number }[] }[]
    }
    const row = inventory.flatMap(({ products }) => products).find(line => line.allocatedQuantity > 0)
    return row?.warehouseProductId
  }
  const monitorRow = await rowOf('HAR-013')
  const { items } = (await call('GET', `/v1/inventory/${monitorRow}/items?PageSize=3`)).body as {
    items: { serial: string }[]
  }
  const picks = [
    {
      consignmentProductId: monitors.id,
      warehouseProductId: monitorRow,
      quantity: 3,
      serials: items.map(({ serial }) => serial),
    },
    {
      consignmentProductId: headsets.id,
      warehouseProductId: await rowOf('HAR-017'),
      quantity: 4,
      serials: [1, 2, 3, 4].map(n => `HS-77410${n}`),
    },
  ]
  await call('POST', `${path}/pick`, { picks })
  await call('PUT', `${path}/status`, { status: Status.ReadyToDispatch })
}

/**
 * Adds a wave pick for the client and warehouse with the most consignments to pick, and confirms half of its
 * picks. One pick is short by two pieces, which are picked elsewhere.
 */
async function loadWavePick(call: Call, now: Date): Promise<void> {
  const { consignments } = (await call('GET', `/v1/consignments?Status=${Status.ReadyToPick}&PageSize=500`))
    .body as {
    consignments: { id: string; clientId: string; warehouseId: string }[]
  }
  const groups = Map.groupBy(consignments, ({ clientId, warehouseId }) => `${clientId} ${warehouseId}`)
  const [largest = []] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  const [first] = largest
  if (first === undefined) return
  const { clientId, warehouseId } = first
  const wave = {
    clientId,
    warehouseId,
    reference: 'Morning wave',
    priority: 3,
    dueDateTime: daysAfter(now, 1),
  }
  const { jobId } = (await call('POST', '/v1/jobs/wave-pick', wave)).body
  await call('POST', `/v1/jobs/${jobId}/wave-pick/consignments/add`, {
    consignmentIds: largest.map(({ id }) => id),
  })
  await call('PUT', `/v1/jobs/${jobId}/wave-pick/status`, { status: 2 })
  const { picks } = (await call('GET', `/v1/jobs/${jobId}/wave-pick/picks?PageSize=500`)).body as {
    picks: { inventoryAllocationId: string; quantity: number }[]
  }
  const found = picks
    .slice(0, Math.ceil(picks.length / 2))
    .map(({ inventoryAllocationId, quantity }, nth) => ({
      inventoryAllocationId,
      quantity: nth === 0 ? quantity - 2 : quantity,
      ...(nth === 0 ? { isShort: true, reason: 'Two cartons are wet' } : {}),
    }))
  await call('POST', `/v1/jobs/${jobId}/wave-pick/picks/confirm`, { picks: found })
}

/** Counts the gas canisters: two are missing in one location, and another has one too many. */
async function loadCount(call: Call, idOf: IdOf): Promise<void> {
  const warehouseId = idOf('/v1/warehouses/AKL')
  const { locations } = (await call('GET', `/v1/warehouses/${warehouseId}/locations?SearchText=GAS`))
    .body as {
    locations: { id: string }[]
  }
  const count = {
    warehouseId,
    warehouseLocationIds: locations.map(({ id }) => id),
    reference: 'Dangerous goods, monthly',
  }
  const path = `/v1/stock-counts/${(await call('POST', '/v1/stock-counts', count)).body.stockCountId}`
  const { stockCountLines } = (await call('GET', `${path}/lines?PageSize=500`)).body as {
    stockCountLines: { stockCountLineId: string; warehouseProductId: string }[]
  }
  const counts: { stockCountLineId: string; countedQuantity: number }[] = []
  for (const [nth, { stockCountLineId, warehouseProductId }] of stockCountLines.entries()) {
    const row = (await call('GET', `/v1/inventory/${warehouseProductId}`)).body as { onHandQuantity: number }
    const variance = [-2, 1][nth] ?? 0
    counts.push({ stockCountLineId, countedQuantity: Math.max(row.onHandQuantity + variance, 0) })
  }
  await call('POST', `${path}/lines/count`, { counts })
  await call('PUT', `${path}/status`, { status: StockCountStatus.Counted })
}
