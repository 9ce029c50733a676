// The baseline of row 2: inserts the rows that imports create with plain set-based SQL in batches of 100,
// without claiming, looking up or checking anything.

import { v7 as uuidv7 } from 'uuid'
import { type Database, sql } from '../src/platform/database/db.ts'

interface Place {
  organisationId: string
  clientId: string
  carrierId: string
  warehouseId: string
  serviceTypeId: string
  connectionId: string
  userId: string
  products: { id: string; code: string }[]
}

interface Request {
  referenceNumber: string
  externalId: string
  deliveryInstructions: string
  destinationAddress: object
  products: { productCode: string; goodsDescription: string; batch: string; items: { quantity: number }[] }[]
}

/** Inserts the rows of these requests. Returns the duration in seconds. */
export async function insertPlainly(database: Database, place: Place, requests: Request[]): Promise<number> {
  const { organisationId, clientId, carrierId, warehouseId, serviceTypeId, connectionId, userId } = place
  const productIds = new Map(place.products.map(({ id, code }) => [code, id]))
  const started = performance.now()
  for (let from = 0; from < requests.length; from += 100) {
    const batch = requests.slice(from, from + 100).map(request => ({ id: uuidv7(), request }))
    const ids = batch.map(({ id }) => id)
    const lines = batch.flatMap(({ id, request }) =>
      request.products.map((line, ordinal) => ({ id: uuidv7(), consignmentId: id, ordinal, line })),
    )
    const of = <T>(read: (line: (typeof lines)[number]) => T) => lines.map(read)
    const quantities = of(({ line }) => line.items[0]?.quantity)
    const lineIds = of(({ id }) => id)
    await database.atomically(tx =>
      Promise.all([
        tx.run(sql`
          insert into consignment (organisation_id, id, number, consignment_number,
            type, status, client_id, carrier_id, warehouse_id, reference_number, external_id,
            date_entered, expected_dispatch_date_time, destination_address, delivery_instructions)
          select ${organisationId}, id, ${from}::bigint + n,
            'BEN-' || lpad((${from}::bigint + n)::text, 6, '0') || '-OUT',
            2, 1, ${clientId}, ${carrierId}, ${warehouseId}, reference_number, external_id,
            '2026-11-21T10:00:00', '2026-11-23T09:00:00', destination_address, delivery_instructions
          from unnest(${ids}::uuid[], ${batch.map(({ request }) => request.referenceNumber)}::text[],
            ${batch.map(({ request }) => request.externalId)}::text[],
            ${batch.map(({ request }) => JSON.stringify(request.destinationAddress))}::jsonb[],
            ${batch.map(({ request }) => request.deliveryInstructions)}::text[])
            with ordinality
            as r (id, reference_number, external_id, destination_address, delivery_instructions, n)`),
        tx.run(sql`
          insert into consignment_product (organisation_id, id, consignment_id, ordinal, product_id,
            product_code, goods_description, batch, expiry_date,
            expected_quantity, expected_weight_kg, expected_volume_m3)
          select ${organisationId}, id, consignment_id, ordinal, product_id,
            product_code, goods_description, batch, '2027-03-01',
            quantity, quantity * 1.25, quantity * 0.004
          from unnest(
            ${lineIds}::uuid[],
            ${of(({ consignmentId }) => consignmentId)}::uuid[],
            ${of(({ ordinal }) => ordinal)}::integer[],
            ${of(({ line }) => productIds.get(line.productCode))}::uuid[],
            ${of(({ line }) => line.productCode)}::text[],
            ${of(({ line }) => line.goodsDescription)}::text[],
            ${of(({ line }) => line.batch)}::text[],
            ${quantities}::numeric[])
            as r (id, consignment_id, ordinal, product_id, product_code, goods_description, batch, quantity)`),
        tx.run(sql`
          insert into consignment_product_item (organisation_id, consignment_product_id, ordinal, quantity)
          select ${organisationId}, id, 0, quantity
          from unnest(${lineIds}::uuid[], ${quantities}::numeric[]) as r (id, quantity)`),
        tx.run(sql`
          insert into consignment_service_type (organisation_id, consignment_id, service_type_id)
          select ${organisationId}, id, ${serviceTypeId} from unnest(${ids}::uuid[]) as r (id)`),
        tx.run(sql`
          insert into event (organisation_id, id, type, subject_id, data, client_id, carrier_id,
            identity_connection_id, user_id, request_id)
          select ${organisationId}, event_id, 101, id, data, ${clientId}, ${carrierId}, ${connectionId},
            ${userId}, id::text
          from unnest(${ids.map(() => uuidv7())}::uuid[], ${ids}::uuid[], ${batch.map(({ id, request }) =>
            JSON.stringify({
              organisationId,
              consignmentId: id,
              consignmentNumber: 'BEN-000001-OUT',
              referenceNumber: request.referenceNumber,
              clientId,
              carrierId,
              type: 2,
              status: 1,
            }),
          )}::json[]) as r (event_id, id, data)`),
      ]),
    )
  }
  return (performance.now() - started) / 1000
}
