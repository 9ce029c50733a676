// The import requests of the benchmarks, and an organisation for them.

import { v7 as uuidv7 } from 'uuid'
import { createCustomApp } from '../src/custom-apps/create-app.ts'
import { createOrganisation } from '../src/organisations/organisation.ts'
import { sql } from '../src/platform/database/db.ts'
import type { Store } from '../src/process/store.ts'

/** A request of five lines, as a web shop sends it. */
export const importBody = (n: number) => ({
  consignmentType: 2,
  clientCode: 'KAURI',
  referenceNumber: `SO-${100_000 + n}`,
  externalId: `shop-${n}`,
  carrierCode: 'SWF',
  warehouseCode: 'AKL',
  expectedDispatchDateTime: '2026-11-23T09:00:00Z',
  destinationAddress: {
    name: 'Hemi Walker',
    streetAddress: `${1 + (n % 200)} Ponsonby Road`,
    suburb: 'Ponsonby',
    city: 'Auckland',
    postCode: '1011',
    country: 'New Zealand',
    phone: '+64 21 555 0100',
  },
  deliveryInstructions: 'Leave at the side door if nobody is home.',
  serviceTypeCodes: ['EXP'],
  products: Array.from({ length: 5 }, (_, i) => ({
    productCode: `P${String(1 + ((n * 5 + i * 7) % 60)).padStart(3, '0')}`,
    goodsDescription: 'Apples, Royal Gala, tray of 24',
    batch: `B-${n % 50}`,
    expiryDate: '2027-03-01T00:00:00Z',
    items: [{ quantity: 1 + ((n + i) % 12) }],
  })),
})

/** Creates an organisation with the records that the requests refer to, and an app that may import. */
export async function prepareOrganisation({ database, openSecrets }: Store, n: number) {
  const secretBox = await openSecrets()
  return database.atomically(async tx => {
    const organisationId = await createOrganisation(tx, {
      name: `Bench ${n}`,
      prefix: 'BEN',
      timezone: 'Pacific/Auckland',
    })
    const [clientId, carrierId, warehouseId, serviceTypeId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
    await tx.run(sql`insert into partner (organisation_id, id, name, code, relationship) values
      (${organisationId}, ${clientId}, 'Kauri Foods', 'KAURI', 1),
      (${organisationId}, ${carrierId}, 'Swift', 'SWF', 2)`)
    await tx.run(sql`insert into warehouse (organisation_id, id, name, code, timezone_id, address_id)
      values (${organisationId}, ${warehouseId}, 'Auckland', 'AKL', 'Pacific/Auckland', ${warehouseId})`)
    await tx.run(
      sql`insert into service_type (organisation_id, id, code, name)
        values (${organisationId}, ${serviceTypeId}, 'EXP', 'Express')`,
    )
    const products = Array.from({ length: 60 }, (_, i) => ({
      id: uuidv7(),
      code: `P${String(i + 1).padStart(3, '0')}`,
    }))
    await tx.run(sql`insert into product (organisation_id, partner_id, id, code, name, weight_kg, volume_m3)
      select ${organisationId}, ${clientId}, p.id, p.code, 'Product ' || p.code, 1.25, 0.004
      from json_to_recordset(${JSON.stringify(products)}) as p (id uuid, code text)`)
    const app = await createCustomApp(tx, secretBox, {
      organisationId,
      name: 'Shop',
      grantType: 2,
      scopes: ['consignment', 'inventory'],
    })
    const actor = await tx.row<{ connectionId: string; userId: string }>(sql`
      select id as connection_id, user_id from identity_connection where organisation_id = ${organisationId}
        and custom_app_id = ${app.customAppId}`)
    return { organisationId, clientId, carrierId, warehouseId, serviceTypeId, products, app, ...actor }
  })
}
