// Loads opening balances: the stock that a warehouse has when it begins to use Waybill. Spec 2.14.

import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import {
  collectEntryFaults,
  type FieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { newId } from '../../platform/new-id.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { type HoldKind, MovementCause } from '../../vocabulary/stock.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import { noteGrownStock } from '../ledger/analyze-stock.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { lockStock } from '../ledger/stock-lock.ts'
import {
  type DescriptionInput,
  emptyDescription,
  findOrCreateAttributes,
  receivedDay,
  resolveDescription,
} from './goods-description.ts'
import {
  type IncomingGoods,
  planIncomingGoods,
  prepareIncomingMoves,
  startMovement,
} from './incoming-goods.ts'
import { findLocations, type StockLocation } from './location-reference.ts'
import { numberOf, toItems } from './quantities.ts'
import { findProducts, type StockProduct } from './stock-products.ts'

/** A row of an opening balance, with the goods of one product in one location. */
export interface OpeningBalanceInputRow extends DescriptionInput {
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

/** An opening balance as a client sends it. */
export interface OpeningBalanceInput {
  warehouseCode: string
  rows: readonly OpeningBalanceInputRow[]
  dryRun?: boolean | null
  createLocations?: boolean | null
}

/** What was loaded or, in a dry run, would be. */
export interface OpeningBalanceResult {
  isDryRun: boolean
  movementId: string | null
  effectiveUtc: string | null
  rowCount: number
  products: { partnerProductId: string; partnerProductCode: string; quantity: number; serialCount: number }[]
}

/** The reason in the ledger, and of a hold for which the row gives none. */
const reason = 'Opening balance'

/** Who loads an opening balance, and when. */
export interface OpeningBalanceContext {
  organisationId: string
  source: MovementSource
  occurredUtc: string | null
  /** how messages name a row: by the name of an array, or by a function of the row's index */
  nameOf: string | ((row: number) => string)
}

/**
 * Loads an opening balance, or refuses all of it with the first hundred faults. A dry run does the same and
 * then rolls it back.
 */
export async function loadOpeningBalances(
  tx: Tx,
  { organisationId, source, occurredUtc, nameOf }: OpeningBalanceContext,
  balance: OpeningBalanceInput,
): Promise<OpeningBalanceResult> {
  const { refuse, throwIfAny } = collectEntryFaults(nameOf)
  const warehouse = await findWarehouse(tx, organisationId, balance.warehouseCode)
  const isDryRun = balance.dryRun === true
  if (isDryRun) await tx.run(sql`savepoint dry_run`)
  const attributeIds = await findOrCreateAttributes(
    tx,
    organisationId,
    balance.rows.map(({ attributes }) => attributes),
  )
  const products = await findRowProducts(tx, organisationId, balance.rows, refuse)
  const lockTargets = products.flatMap(product =>
    product ? [{ warehouseId: warehouse.id, productId: product.id }] : [],
  )
  const locked = await lockStock(tx, organisationId, lockTargets)
  if (balance.createLocations) await createLocations(tx, organisationId, warehouse.id, balance.rows)
  const locationOf = await findLocations(
    tx,
    organisationId,
    balance.rows.map(({ locationName }) => ({ warehouseId: warehouse.id, locationName })),
  )
  const goods = balance.rows.flatMap((row, n): IncomingGoods[] => {
    const location = locationOf({ warehouseId: warehouse.id, locationName: row.locationName })
    if (location === undefined) refuse(n, ...unknownLocation(row))
    const product = products[n]
    const quantity = product && toItems(product, row, (...fault) => refuse(n, ...fault))
    if (location === undefined || product === undefined || quantity === undefined) return []
    return [{ ...goodsOf(row, n, product), quantity, to: placementOf(row, n, location) }]
  })
  function placementOf(row: OpeningBalanceInputRow, n: number, location: StockLocation) {
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
      receivedDate: receivedDay(row.receivedDate, timezoneId, occurredUtc, (...fault) => refuse(n, ...fault)),
    }
  }
  const plan = await planIncomingGoods(tx, locked, goods, refuse)
  throwIfAny()
  const movement = startMovement(occurredUtc, MovementCause.OpeningBalance, reason)
  const moves = await prepareIncomingMoves(tx, locked, source.userId, plan, movement)
  const [posted] = await post(tx, locked, source, moves)
  await (isDryRun ? tx.run(sql`rollback to savepoint dry_run`) : tx.afterCommit(noteGrownStock))
  return {
    isDryRun,
    movementId: isDryRun ? null : movement.movementId,
    effectiveUtc: isDryRun ? null : (posted?.effectiveUtc as string),
    rowCount: balance.rows.length,
    products: sumsOf(goods),
  }
}

const goodsOf = (row: OpeningBalanceInputRow, n: number, product: StockProduct) => ({
  n,
  product,
  serials: (row.serials ?? []).map(serial => ({ serial })),
  weightKG: row.weightKG ?? null,
  volumeM3: row.volumeM3 ?? null,
})

const unknownLocation = ({ locationName }: OpeningBalanceInputRow): FieldFault => [
  `the warehouse has no location ${locationName}; createLocations makes it`,
  'unknown_reference',
]

/** The sums by product, in the order of the products' first rows. */
const sumsOf = (goods: readonly IncomingGoods[]): OpeningBalanceResult['products'] =>
  [...Map.groupBy(goods, ({ product }) => product)].map(([product, goodsOfProduct]) => ({
    partnerProductId: product.id,
    partnerProductCode: product.code,
    quantity: numberOf(goodsOfProduct.reduce((sum, { quantity }) => sum + quantity, 0n)),
    serialCount: goodsOfProduct.reduce((sum, { serials }) => sum + serials.length, 0),
  }))

async function findWarehouse(db: Db, organisationId: string, code: string) {
  const warehouse = await db.maybe<{ id: string; timezoneId: string }>(sql`
    select id, timezone_id from warehouse
    where organisation_id = ${organisationId} and lower(code) = lower(${code})`)
  if (warehouse === undefined)
    throw verificationFailed({
      path: 'warehouseCode',
      code: 'unknown_reference',
      message: `warehouseCode ${code} does not refer to a warehouse.`,
    })
  return warehouse
}

/** Finds the product of each row; undefined, and reported to `refuse`, if a code is unknown. */
async function findRowProducts(
  db: Db,
  organisationId: string,
  rows: readonly OpeningBalanceInputRow[],
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
    const { clientCode, productCode } = rows[n] as OpeningBalanceInputRow
    if (clientId === null) refuse(n, `there is no client with the code ${clientCode}`, 'unknown_reference')
    else if (productId === null)
      refuse(n, `the client ${clientCode} has no product with the code ${productCode}`, 'unknown_reference')
    else byRow[n] = products.get(productId)
  }
  return byRow
}

/** Creates the locations that rows name and the warehouse lacks, as racking. */
async function createLocations(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
  rows: readonly OpeningBalanceInputRow[],
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
