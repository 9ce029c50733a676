// What papers and reports of the demo need beside its history: logos, dangerous goods that are ready for a
// ship, and a pickface for each thing that can be wrong with one.

import { readFile } from 'node:fs/promises'
import { LocationType } from '../warehouses/enumerations.ts'
import { daysAfter } from './demo-data.ts'
import type { Call, IdOf } from './load-history.ts'
import { named, productIdOf } from './load-stock.ts'
import { logos, oddPickfaces, paperRows, paperSettings } from './paper-data.ts'
import { dateOf } from './stock-data.ts'

const Status = { ReadyToPick: 2, ReadyToDispatch: 3 }

/** Loads it, into what the demo has been set up with. */
export async function loadPapers(call: Call, idOf: IdOf, now: Date): Promise<void> {
  await call('PUT', '/v1/organisation', paperSettings)
  await loadLogos(call, idOf)
  await loadOddPickfaces(call, idOf, now)
  const receivedDate = dateOf(daysAfter(now, -3))
  await call('POST', '/v1/inventory/opening-balances', {
    warehouseCode: 'AKL',
    rows: paperRows.map(row => ({ ...row, receivedDate })),
  })
  await call('PUT', `${await named(call, 'PO-BANGKOK')}/status`, { status: Status.ReadyToPick })
  const forShip = await named(call, 'PO-DUBAI')
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

/**
 * Makes the pickfaces with what lies in them, and only then says whose they are: nothing may be put into the
 * pickface of another product.
 */
async function loadOddPickfaces(call: Call, idOf: IdOf, now: Date): Promise<void> {
  const path = `/v1/warehouses/${idOf('/v1/warehouses/AKL')}/locations`
  for (const [i, { name, product, found, ...levels }] of oddPickfaces.entries()) {
    const place = { name, type: LocationType.Racking, isPickface: true, walkingOrder: 21 + i }
    const { warehouseLocationId } = (await call('POST', path, place)).body
    const rows = found.map(({ isExpired, ...goods }) => ({
      ...goods,
      locationName: name,
      ...(isExpired ? { expiryDate: dateOf(daysAfter(now, -6)) } : {}),
    }))
    if (rows.length > 0) await call('POST', '/v1/inventory/opening-balances', { warehouseCode: 'AKL', rows })
    if (product !== undefined)
      await call('PUT', `${path}/${warehouseLocationId}`, {
        ...levels,
        partnerProductId: productIdOf(idOf, product.client, product.code),
      })
  }
}
