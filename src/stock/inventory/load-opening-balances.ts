// The stock that a warehouse has when it begins to use Waybill. Spec 2.14.

import { Relationship } from '../../partners/enumerations.ts'
import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { collectEntryFaults, type Problem, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { newId } from '../../platform/new-id.ts'
import { LocationType } from '../../warehouses/enumerations.ts'
import type { HoldKind } from '../enumerations.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { lockStock } from '../ledger/stock-lock.ts'
import {
  type DescriptionInput,
  emptyDescription,
  findAttributes,
  localDay,
  resolveDescription,
} from './goods-description.ts'
import { type IncomingGoods, newMovementFacts, planIncoming, prepareIncomingMoves } from './incoming-goods.ts'
import { findLocations, type StockLocation } from './location-reference.ts'
import { numberOf, toItems } from './quantities.ts'
import { findProducts, type StockProduct } from './stock-products.ts'

/** A row of a balance. */
export interface BalanceRow extends DescriptionInput {
  clientCode: string
  productCode: string
  locationName: string
  ssccNumber?: string | null
  referenceNumber?: string | null
  receivedDate?: string | null
  quantity: number
  weightKG?: number | null
  volumeM3?: number | null
  serials?: readonly string[] | null
  holdKind?: HoldKind | null
  holdReason?: string | null
}

/** What is to be brought in. */
export interface OpeningBalanceInput {
  warehouseCode: string
  rows: readonly BalanceRow[]
  dryRun?: boolean | null
  createLocations?: boolean | null
}

/** What came in, or would. */
export interface OpeningBalanceResult {
  isDryRun: boolean
  movementId: string | null
  effectiveUtc: string | null
  rowCount: number
  products: { partnerProductId: string; partnerProductCode: string; quantity: number; serialCount: number }[]
}

/** What the ledger says of it, and a hold that says nothing. */
const reason = 'Opening balance'

/** Who brings it in, and when. */
export interface LoadContext {
  organisationId: string
  source: MovementSource
  occurredUtc: string | null
  /** what a row is called in messages */
  nameOf: string | ((row: number) => string)
}

/**
 * Brings in a balance, or refuses all of it with the first hundred faults. A dry run does the same and undoes
 * it.
 */
export async function loadOpeningBalances(
  tx: Tx,
  { organisationId, source, occurredUtc, nameOf }: LoadContext,
  balance: OpeningBalanceInput,
): Promise<OpeningBalanceResult> {
  const { refuse, throwIfAny } = collectEntryFaults(nameOf)
  const warehouse = await findWarehouse(tx, organisationId, balance.warehouseCode)
  const isDryRun = balance.dryRun === true
  if (isDryRun) await tx.run(sql`savepoint dry_run`)
  const attributeIds = await findAttributes(
    tx,
    organisationId,
    balance.rows.map(({ attributes }) => attributes),
  )
  const products = await findRowProducts(tx, organisationId, balance.rows, refuse)
  const places = products.flatMap(product =>
    product ? [{ warehouseId: warehouse.id, productId: product.id }] : [],
  )
  const locked = await lockStock(tx, organisationId, places)
  if (balance.createLocations) await makeLocations(tx, organisationId, warehouse.id, balance.rows)
  const find = await findLocations(
    tx,
    organisationId,
    balance.rows.map(({ locationName }) => ({ warehouseId: warehouse.id, locationName })),
  )
  const goods = balance.rows.flatMap((row, n): IncomingGoods[] => {
    const location = find({ warehouseId: warehouse.id, locationName: row.locationName })
    if (location === undefined) refuse(n, ...unknownLocation(row))
    const product = products[n]
    const quantity = product && toItems(product, row, (...fault) => refuse(n, ...fault))
    if (location === undefined || product === undefined || quantity === undefined) return []
    return [{ ...goodsOf(row, n, product), quantity, to: whereabouts(row, n, location) }]
  })
  function whereabouts(row: BalanceRow, n: number, location: StockLocation) {
    const { timezoneId } = warehouse
    const isOnUnit = row.ssccNumber || row.referenceNumber
    return {
      ...resolveDescription(row, emptyDescription, { timezoneId, attributeIds }, (...fault) =>
        refuse(n, ...fault),
      ),
      warehouseId: warehouse.id,
      location,
      unit: isOnUnit
        ? { ssccNumber: row.ssccNumber || null, referenceNumber: row.referenceNumber || null }
        : null,
      mayCreateUnit: true,
      hold: row.holdKind ? { kind: row.holdKind, reason: row.holdReason || reason } : null,
      receivedDate: row.receivedDate?.slice(0, 10) ?? localDay(timezoneId, occurredUtc),
    }
  }
  const plan = await planIncoming(tx, locked, goods, refuse)
  throwIfAny()
  const facts = newMovementFacts(occurredUtc, reason)
  const moves = await prepareIncomingMoves(tx, locked, source.userId, plan, facts)
  const [posted] = await post(tx, locked, source, moves)
  if (isDryRun) await tx.run(sql`rollback to savepoint dry_run`)
  return {
    isDryRun,
    movementId: isDryRun ? null : facts.movementId,
    effectiveUtc: isDryRun ? null : (posted?.effectiveUtc as string),
    rowCount: balance.rows.length,
    products: sumsOf(goods),
  }
}

const goodsOf = (row: BalanceRow, n: number, product: StockProduct) => ({
  n,
  product,
  serials: (row.serials ?? []).map(serial => ({ serial })),
  weightKG: row.weightKG ?? null,
  volumeM3: row.volumeM3 ?? null,
})

const unknownLocation = ({ locationName }: BalanceRow): Problem => [
  `the warehouse has no location ${locationName}; createLocations makes it`,
  'unknown_reference',
]

/** The sums by product, in the order in which they come. */
const sumsOf = (goods: readonly IncomingGoods[]): OpeningBalanceResult['products'] =>
  [...Map.groupBy(goods, ({ product }) => product)].map(([product, its]) => ({
    partnerProductId: product.id,
    partnerProductCode: product.code,
    quantity: numberOf(its.reduce((sum, { quantity }) => sum + quantity, 0n)),
    serialCount: its.reduce((sum, { serials }) => sum + serials.length, 0),
  }))

async function findWarehouse(db: Db, organisationId: string, code: string) {
  const warehouse = await db.maybe<{ id: string; timezoneId: string }>(sql`
    select id, timezone_id from warehouse
    where organisation_id = ${organisationId} and lower(code) = lower(${code})`)
  if (warehouse === undefined)
    throw verificationFailed({
      path: 'warehouseCode',
      code: 'unknown_reference',
      message: `warehouseCode ${code} names no warehouse.`,
    })
  return warehouse
}

/** The product of each row; undefined where a code names none. */
async function findRowProducts(
  db: Db,
  organisationId: string,
  rows: readonly BalanceRow[],
  refuse: ReportEntryFault,
): Promise<(StockProduct | undefined)[]> {
  const codes = rows.map(({ clientCode, productCode }, n) => ({ n, clientCode, productCode }))
  const found = await db.rows<{ n: number; clientId: string | null; productId: string | null }>(sql`
    select g.n, c.id as client_id, d.id as product_id
    from json_to_recordset(${JSON.stringify(codes)}) as g (n integer, "clientCode" text, "productCode" text)
    left join partner c on c.organisation_id = ${organisationId} and lower(c.code) = lower(g."clientCode")
      and c.relationship = ${Relationship.Client}
    left join product d on d.organisation_id = ${organisationId} and d.partner_id = c.id
      and lower(d.code) = lower(g."productCode")`)
  const products = await findProducts(
    db,
    organisationId,
    found.flatMap(({ productId }) => productId ?? []),
  )
  const byRow: (StockProduct | undefined)[] = rows.map(() => undefined)
  for (const { n, clientId, productId } of found) {
    const { clientCode, productCode } = rows[n] as BalanceRow
    if (clientId === null) refuse(n, `there is no client with the code ${clientCode}`, 'unknown_reference')
    else if (productId === null)
      refuse(n, `the client ${clientCode} has no product with the code ${productCode}`, 'unknown_reference')
    else byRow[n] = products.get(productId)
  }
  return byRow
}

/** Makes the locations of these names that the warehouse lacks, as racking. */
async function makeLocations(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
  rows: readonly BalanceRow[],
): Promise<void> {
  const names = [
    ...new Map(rows.map(({ locationName }) => [locationName.toLowerCase(), locationName])).values(),
  ]
  await tx.run(sql`
    insert into warehouse_location (organisation_id, id, warehouse_id, name, type)
    select ${organisationId}, id, ${warehouseId}, name, ${LocationType.Racking}
    from unnest(${names.map(() => newId())}::uuid[], ${names}::text[]) as n (id, name)
    order by lower(name)
    on conflict (organisation_id, warehouse_id, lower(name)) do nothing`)
}
