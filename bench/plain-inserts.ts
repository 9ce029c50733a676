// The baseline of row 2: inserts the rows that imports create with plain set-based SQL in batches of 100,
// without claiming, looking up or checking anything.

import { v7 as uuidv7 } from 'uuid'
import { type Database, type Sql, sql } from '../src/platform/database/db.ts'

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

/** A consignment to insert. */
interface NewConsignment {
  id: string
  request: Request
}

/** A line to insert, with its consignment. */
interface NewLine {
  id: string
  consignmentId: string
  ordinal: number
  line: Request['products'][number]
}

/** Inserts the rows of these requests. Returns the duration in seconds. */
export async function insertPlainly(database: Database, place: Place, requests: Request[]): Promise<number> {
  const productIds = new Map(place.products.map(({ id, code }) => [code, id]))
  const started = performance.now()
  for (let from = 0; from < requests.length; from += 100) {
    const batch = requests.slice(from, from + 100).map(request => ({ id: uuidv7(), request }))
    const lines = batch.flatMap(({ id, request }) =>
      request.products.map((line, ordinal) => ({ id: uuidv7(), consignmentId: id, ordinal, line })),
    )
    await database.atomically(tx =>
      Promise.all([
        tx.run(insertConsignments(place, batch, from)),
        tx.run(insertLines(place, lines, productIds)),
        tx.run(insertItems(place, lines)),
        tx.run(sql`
          insert into consignment_service_type (organisation_id, consignment_id, service_type_id)
          select ${place.organisationId}, id, ${place.serviceTypeId}
          from unnest(${batch.map(({ id }) => id)}::uuid[]) as r (id)`),
        tx.run(insertEvents(place, batch)),
      ]),
    )
  }
  return (performance.now() - started) / 1000
}

/** Inserts consignments with the numbers from `from` on. */
const insertConsignments = (
  { organisationId, clientId, carrierId, warehouseId }: Place,
  batch: readonly NewConsignment[],
  from: number,
): Sql => sql`
  insert into consignment (organisation_id, id, number, consignment_number,
    type, status, client_id, carrier_id, warehouse_id, reference_number, external_id,
    date_entered, expected_dispatch_date_time, destination_address, delivery_instructions)
  select ${organisationId}, id, ${from}::bigint + n,
    'BEN-' || lpad((${from}::bigint + n)::text, 6, '0') || '-OUT',
    2, 1, ${clientId}, ${carrierId}, ${warehouseId}, reference_number, external_id,
    '2026-11-21T10:00:00', '2026-11-23T09:00:00', destination_address, delivery_instructions
  from unnest(${batch.map(({ id }) => id)}::uuid[],
    ${batch.map(({ request }) => request.referenceNumber)}::text[],
    ${batch.map(({ request }) => request.externalId)}::text[],
    ${batch.map(({ request }) => JSON.stringify(request.destinationAddress))}::jsonb[],
    ${batch.map(({ request }) => request.deliveryInstructions)}::text[])
    with ordinality
    as r (id, reference_number, external_id, destination_address, delivery_instructions, n)`

const quantitiesOf = (lines: readonly NewLine[]) => lines.map(({ line }) => line.items[0]?.quantity)

const insertLines = (
  { organisationId }: Place,
  lines: readonly NewLine[],
  productIds: ReadonlyMap<string, string>,
): Sql => sql`
  insert into consignment_product (organisation_id, id, consignment_id, ordinal, product_id,
    product_code, goods_description, batch, expiry_date,
    expected_quantity, expected_weight_kg, expected_volume_m3)
  select ${organisationId}, id, consignment_id, ordinal, product_id,
    product_code, goods_description, batch, '2027-03-01',
    quantity, quantity * 1.25, quantity * 0.004
  from unnest(
    ${lines.map(({ id }) => id)}::uuid[],
    ${lines.map(({ consignmentId }) => consignmentId)}::uuid[],
    ${lines.map(({ ordinal }) => ordinal)}::integer[],
    ${lines.map(({ line }) => productIds.get(line.productCode))}::uuid[],
    ${lines.map(({ line }) => line.productCode)}::text[],
    ${lines.map(({ line }) => line.goodsDescription)}::text[],
    ${lines.map(({ line }) => line.batch)}::text[],
    ${quantitiesOf(lines)}::numeric[])
    as r (id, consignment_id, ordinal, product_id, product_code, goods_description, batch, quantity)`

const insertItems = ({ organisationId }: Place, lines: readonly NewLine[]): Sql => sql`
  insert into consignment_product_item (organisation_id, consignment_product_id, ordinal, quantity)
  select ${organisationId}, id, 0, quantity
  from unnest(${lines.map(({ id }) => id)}::uuid[], ${quantitiesOf(lines)}::numeric[]) as r (id, quantity)`

const insertEvents = (place: Place, batch: readonly NewConsignment[]): Sql => {
  const { organisationId, clientId, carrierId, connectionId, userId } = place
  const data = batch.map(({ id, request: { referenceNumber } }) =>
    JSON.stringify({
      ...{ organisationId, consignmentId: id, consignmentNumber: 'BEN-000001-OUT', referenceNumber },
      ...{ clientId, carrierId, type: 2, status: 1 },
    }),
  )
  return sql`
    insert into event (organisation_id, id, type, subject_id, data, client_id, carrier_id,
      identity_connection_id, user_id, request_id)
    select ${organisationId}, event_id, 101, id, data, ${clientId}, ${carrierId}, ${connectionId},
      ${userId}, id::text
    from unnest(${batch.map(() => uuidv7())}::uuid[], ${batch.map(({ id }) => id)}::uuid[],
      ${data}::json[]) as r (event_id, id, data)`
}
