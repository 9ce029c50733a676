// Stock that is not what its row says: another batch, another date, other attributes. It goes to the row that
// is. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { sql } from '../../platform/database/db.ts'
import { collectEntryFaults, isProblem, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { TransactionType } from '../enumerations.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateRows, type StockDescription } from '../ledger/stock-row.ts'
import { type Allocation, moveAllocations } from './allocations.ts'
import { type DescriptionInput, findAttributes, resolveDescription } from './goods-description.ts'
import { newMovementFacts } from './incoming-goods.ts'
import { type EntrySelector, lockEntries } from './lock-entries.ts'
import { numberOf } from './quantities.ts'
import {
  type DescriptionField,
  descriptionFieldNames,
  findProducts,
  missingFaults,
} from './stock-products.ts'
import { identityOf } from './stock-rows.ts'
import { type Part, type TakenPart, type TakeRequest, take } from './take.ts'
import { timeZonesOf } from './time-zones.ts'

/** An entry: a row or a part of it, and what it really is. What is left out is as the row says. */
export interface Redescription extends EntrySelector, Part, DescriptionInput {}

/** What became of an entry. */
export interface RedescriptionResult {
  warehouseProductId: string
  quantity: number
  /** it was like that already */
  isUnchanged: boolean
}

/** Describes stock again. Throws 400 with every fault, told as those of the array that is called so. */
export async function redescribeStock(
  tx: Tx,
  {
    organisationId,
    source,
    occurredUtc,
  }: { organisationId: string; source: MovementSource; occurredUtc: string | null },
  adjustments: readonly Redescription[],
  reason: string,
): Promise<{ movementId: string; effectiveUtc: string; adjustments: RedescriptionResult[] }> {
  const { refuse, throwIfAny } = collectEntryFaults('adjustments')
  const attributeIds = await findAttributes(
    tx,
    organisationId,
    adjustments.map(({ attributes }) => attributes),
  )
  const { locked, rowOf } = await lockEntries(tx, organisationId, adjustments)
  const wanted = adjustments.flatMap((part, n): TakeRequest[] => {
    const row = rowOf(n)
    if (!isProblem(row)) return [{ n, row, part }]
    refuse(n, ...row)
    return []
  })
  const zones = await timeZonesOf(
    tx,
    organisationId,
    wanted.map(({ row }) => row.warehouseId),
  )
  const after = new Map(
    wanted.map(({ n, row }) => {
      const timezoneId = zones.get(row.warehouseId) as string
      const given = adjustments[n] as Redescription
      return [
        n,
        resolveDescription(given, row, { timezoneId, attributeIds }, (...fault) => refuse(n, ...fault)),
      ] as const
    }),
  )
  const afterOf = ({ n }: { n: number }) => after.get(n) as StockDescription
  const differing = wanted.filter(one => !isSameDescription(one.row, afterOf(one)))
  const takings = await take(tx, organisationId, differing, { all: 'everything' }, refuse)
  await refuseDescriptions(tx, organisationId, takings, afterOf, refuse)
  throwIfAny()
  const targets = await findOrCreateRows(
    tx,
    locked,
    takings.map(taking => ({ ...identityOf(taking.row), ...afterOf(taking) })),
  )
  const facts = newMovementFacts(occurredUtc, reason)
  const moves = takings.map(({ row, quantity, items, allocations: promises }, i) => {
    const to = targets[i] as string
    const allocations = moveAllocations(promises)
    return { ...facts, type: TransactionType.Adjustment, from: row.id, to, quantity, items, allocations }
  })
  const [posted] = await post(tx, locked, source, moves)
  return {
    movementId: facts.movementId,
    effectiveUtc: posted?.effectiveUtc ?? occurredUtc ?? new Date().toISOString(),
    adjustments: wanted.map(({ n, row }) => {
      const i = takings.findIndex(taking => taking.n === n)
      if (i < 0) return { warehouseProductId: row.id, quantity: 0, isUnchanged: true }
      const quantity = numberOf((takings[i] as TakenPart).quantity)
      return { warehouseProductId: targets[i] as string, quantity, isUnchanged: false }
    }),
  }
}

/** Whether stock would be described as it is. */
const isSameDescription = (before: StockDescription, after: StockDescription): boolean =>
  descriptionFieldNames.every(field => before[field] === after[field]) &&
  JSON.stringify(before.attributes.map(({ productAttributeId: id, description }) => [id, description])) ===
    JSON.stringify(after.attributes.map(({ productAttributeId: id, description }) => [id, description]))

const nouns: Record<DescriptionField, string> = {
  batch: 'batch',
  bestBeforeDate: 'best before date',
  expiryDate: 'expiry date',
  packagingDate: 'packaging date',
  productionDate: 'production date',
  sellByDate: 'sell by date',
}

/** Refuses what a product must say of its stock, and what lines asked for that would get something else. */
async function refuseDescriptions(
  tx: Tx,
  organisationId: string,
  takings: readonly TakenPart[],
  afterOf: (taking: TakenPart) => StockDescription,
  refuse: ReportEntryFault,
): Promise<void> {
  const products = await findProducts(
    tx,
    organisationId,
    takings.map(({ row }) => row.productId),
  )
  const asked = await readRequestedDescriptions(
    tx,
    organisationId,
    takings.flatMap(({ allocations: promises }) => promises),
  )
  for (const taking of takings) {
    const [{ n, row, allocations: promises }, after] = [taking, afterOf(taking)]
    const product = products.get(row.productId)
    if (product) for (const problem of missingFaults(product, after)) refuse(n, ...problem)
    for (const [field, promise] of findBrokenRequests(promises, asked, row, after))
      refuse(
        n,
        `it is allocated to ${promise.consignmentNumber}, which asks for its ${nouns[field]}`,
        'state',
      )
  }
}

type RequestedDescription = Record<DescriptionField, string | null>

/** What lines ask for by name. */
async function readRequestedDescriptions(
  tx: Tx,
  organisationId: string,
  promises: readonly Allocation[],
): Promise<ReadonlyMap<string, RequestedDescription>> {
  if (promises.length === 0) return new Map()
  const ids = promises.map(({ consignmentProductId }) => consignmentProductId)
  const rows = await tx.rows<RequestedDescription & { id: string }>(sql`
    select id, lower(batch) as batch, best_before_date::date, expiry_date::date, packaging_date::date,
      production_date::date, sell_by_date::date
    from consignment_product where organisation_id = ${organisationId} and id = any(${ids})`)
  return new Map(rows.map(row => [row.id, row]))
}

/** What lines ask for that the stock was before and would not be after, once for each field. */
function findBrokenRequests(
  promises: readonly Allocation[],
  asked: ReadonlyMap<string, RequestedDescription>,
  before: StockDescription,
  after: StockDescription,
): Map<DescriptionField, Allocation> {
  const found = new Map<DescriptionField, Allocation>()
  for (const promise of promises) {
    const line = asked.get(promise.consignmentProductId)
    for (const field of descriptionFieldNames) {
      const wanted = line?.[field]
      const isMet = (stock: StockDescription) => stock[field]?.toLowerCase() === wanted
      if (wanted && isMet(before) && !isMet(after) && !found.has(field)) found.set(field, promise)
    }
  }
  return found
}
