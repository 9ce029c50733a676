// Loads additional data for the papers and reports of the demo: logos, dangerous goods that are ready for a
// ship, and a pickface for each possible fault.

import { readFile } from 'node:fs/promises'
import { newId } from '../platform/new-id.ts'
import { LocationType } from '../vocabulary/warehouses.ts'
import { daysAfter } from './demo-data.ts'
import type { Call, IdOf } from './load-history.ts'
import { consignmentPathOf, productIdOf } from './load-stock.ts'
import { faultyPickfaces, logos, paperRows, paperSettings } from './paper-data.ts'
import { dateOf } from './stock-data.ts'

const Status = { ReadyToPick: 2, ReadyToDispatch: 3 }

/** Loads the data. Everything else of the demo must be loaded already, except for the bills. */
export async function loadPapers(call: Call, idOf: IdOf, now: Date): Promise<void> {
  await call('PUT', '/v1/organisation', paperSettings)
  await loadLogos(call, idOf)
  await loadFaultyPickfaces(call, idOf, now)
  const receivedDate = dateOf(daysAfter(now, -3))
  await call('POST', '/v1/inventory/opening-balances', {
    operationId: newId(),
    warehouseCode: 'AKL',
    rows: paperRows.map(row => ({ ...row, receivedDate })),
  })
  await call('PUT', `${await consignmentPathOf(call, 'PO-BANGKOK')}/status`, { status: Status.ReadyToPick })
  const forShip = await consignmentPathOf(call, 'PO-DUBAI')
  for (const status of [Status.ReadyToPick, Status.ReadyToDispatch])
    await call('PUT', `${forShip}/status`, { status })
}

async function loadLogos(call: Call, idOf: IdOf): Promise<void> {
  for (const [owner, fileName] of Object.entries(logos)) {
    const path = owner === '/v1/organisation' ? owner : `/v1/partners/${idOf(owner)}`
    const content = await readFile(new URL(`./logos/${fileName}`, import.meta.url), 'base64')
    await call('PUT', `${path}/logo`, { logo: { fileName, contentType: 'image/png', content } })
  }
}

/** Creates the pickfaces and their stock. Goods of other products get into one by a stock count only. */
async function loadFaultyPickfaces(call: Call, idOf: IdOf, now: Date): Promise<void> {
  const path = `/v1/warehouses/${idOf('/v1/warehouses/AKL')}/locations`
  for (const [i, { name, product, stock, foundGoods, ...levels }] of faultyPickfaces.entries()) {
    const place = {
      ...{ ...levels, name, type: LocationType.Racking, isPickface: true, walkingOrder: 21 + i },
      ...(product ? { partnerProductId: productIdOf(idOf, product.client, product.code) } : {}),
    }
    const { warehouseLocationId } = (await call('POST', path, place)).body
    const rows = stock.map(({ isExpired, ...goods }) => ({
      ...goods,
      locationName: name,
      ...(isExpired ? { expiryDate: dateOf(daysAfter(now, -6)) } : {}),
    }))
    const opening = { operationId: newId(), warehouseCode: 'AKL', rows }
    if (rows.length > 0) await call('POST', '/v1/inventory/opening-balances', opening)
    if (foundGoods === undefined) continue
    const count = { warehouseId: idOf('/v1/warehouses/AKL'), warehouseLocationIds: [warehouseLocationId] }
    const { stockCountId } = (await call('POST', '/v1/stock-counts', count)).body
    const counts = foundGoods.map(({ client, code, quantity }) => ({
      found: { partnerProductId: productIdOf(idOf, client, code), locationName: name },
      countedQuantity: quantity,
    }))
    await call('POST', `/v1/stock-counts/${stockCountId}/lines/count`, { counts })
    await call('POST', `/v1/stock-counts/${stockCountId}/approve`, {})
  }
}
