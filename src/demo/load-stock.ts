// The stock of the demo: what its warehouses begin with, and what people meet there today.

import { daysAfter, warehouses } from './demo-data.ts'
import type { Call, IdOf } from './load-history.ts'
import { HoldKind, openingRows, pickfaces } from './stock-data.ts'

const Status = { Complete: 0, ReadyToPick: 2, ReadyToDispatch: 3, ReadyToReceive: 4 }

/** Makes the pickfaces and brings in what lies in each warehouse before the first consignment. */
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
      warehouseCode: code,
      rows: openingRows(code, now),
      occurredUtc: daysAfter(now, -93),
    })
  }
}

const productIdOf = (idOf: IdOf, client: string, code: string) =>
  idOf(`/v1/partners/${idOf(`/v1/partners/${client}`)}/products/${code}`)

/** A line of a consignment, as its detail has it. */
interface Line {
  id: string
  partnerProductId: string
  expectedQuantity: number
  dispatchedQuantity: number
}

/** What is on the floor today: goods on hold, a delivery half unloaded, picked serials, lines that are short. */
export async function loadScenes(call: Call, idOf: IdOf): Promise<void> {
  await loadHold(call, idOf)
  await loadReturn(call, idOf)
  await loadHalfReceived(call)
  await loadPickedSerials(call, idOf)
  const short = await named(call, 'PO-SHORT')
  await call('PUT', `${short}/status`, { status: Status.ReadyToPick })
}

/** The path of the consignment with a reference. */
async function named(call: Call, reference: string): Promise<string> {
  const { consignments } = (await call('GET', `/v1/consignments?SearchText=${reference}`)).body as {
    consignments: { id: string }[]
  }
  return `/v1/consignments/${consignments[0]?.id}`
}

const linesOf = async (call: Call, path: string) => (await call('GET', path)).body.products as Line[]

/** All that is left of a batch of honey waits for the laboratory. */
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

/** The latest delivery that arrived in full comes back in part, and waits on hold for a decision. */
async function loadReturn(call: Call, idOf: IdOf): Promise<void> {
  const query = `Status=${Status.Complete}&Type=2&WarehouseId=${idOf('/v1/warehouses/AKL')}&PageSize=20`
  const { consignments } = (await call('GET', `/v1/consignments?${query}`)).body as {
    consignments: { id: string }[]
  }
  for (const { id } of consignments) {
    const line = (await linesOf(call, `/v1/consignments/${id}`)).find(each => each.dispatchedQuantity >= 4)
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

async function loadHalfReceived(call: Call): Promise<void> {
  const path = await named(call, 'PO-HALF')
  await call('PUT', `${path}/status`, { status: Status.ReadyToReceive })
  const lines = await linesOf(call, path)
  const receipts = lines.map(line => ({ consignmentProductId: line.id, quantity: line.expectedQuantity / 2 }))
  await call('POST', `${path}/receive`, { receipts })
}

/** Monitors leave with the serials that they came with, headsets get theirs as they are picked. */
async function loadPickedSerials(call: Call, idOf: IdOf): Promise<void> {
  const path = await named(call, 'PO-SERIALS')
  await call('PUT', `${path}/status`, { status: Status.ReadyToPick })
  const [monitors, headsets] = (await linesOf(call, path)) as [Line, Line]
  const rowOf = async (code: string) => {
    const query = `PartnerProductId=${productIdOf(idOf, 'HARBOUR', code)}&WarehouseId=${idOf('/v1/warehouses/AKL')}`
    const { inventory } = (await call('GET', `/v1/inventory?${query}`)).body as {
      inventory: { products: { warehouseProductId: string; allocatedQuantity: number }[] }[]
    }
    const row = inventory.flatMap(({ products }) => products).find(each => each.allocatedQuantity > 0)
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
