// Corrects the description of stock: another batch, another date or other attributes. The stock moves to the
// row with the correct description. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { sql } from '../../platform/database/db.ts'
import { collectEntryFaults, isFieldFault, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { type Allocation, moveAllocations } from '../inventory/allocations.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import {
  type DescriptionField,
  descriptionFieldNames,
  findOrCreateStockRows,
  type StockDescription,
} from '../ledger/stock-identity.ts'
import { type DescriptionInput, findOrCreateAttributes, resolveDescription } from './goods-description.ts'
import { startMovement } from './incoming-goods.ts'
import { lockSelectedStock, type StockOrUnitSelector } from './lock-selected-stock.ts'
import { planTake, type StockPart, type TakenPart, type TakeRequest } from './plan-take.ts'
import { numberOf } from './quantities.ts'
import { identityOf } from './read-stock-rows.ts'
import { type AttributeCriterion, hasAttribute, requestedAttributes } from './requested-attributes.ts'
import { findProducts, missingFieldFaults } from './stock-products.ts'
import { timeZonesOf } from './time-zones.ts'

/** An entry: a row or a part of one, and its correct description. Omitted fields stay as the row has them. */
export interface DescriptionCorrection extends StockOrUnitSelector, StockPart, DescriptionInput {}

export interface CorrectionResult {
  warehouseProductId: string
  quantity: number
  /** the stock had this description already */
  isUnchanged: boolean
}

/** Moves stock to rows with the given descriptions. Throws 400 with every fault of every entry. */
export async function correctDescription(
  tx: Tx,
  {
    organisationId,
    source,
    occurredUtc,
  }: { organisationId: string; source: MovementSource; occurredUtc: string | null },
  adjustments: readonly DescriptionCorrection[],
  reason: string,
): Promise<{ movementId: string; effectiveUtc: string; adjustments: CorrectionResult[] }> {
  const { refuse, throwIfAny } = collectEntryFaults('adjustments')
  const attributeIds = await findOrCreateAttributes(
    tx,
    organisationId,
    adjustments.map(({ attributes }) => attributes),
  )
  const { locked, rowOf } = await lockSelectedStock(tx, organisationId, adjustments)
  const requests = adjustments.flatMap((part, n): TakeRequest[] => {
    const row = rowOf(n)
    if (!isFieldFault(row)) return [{ n, row, part }]
    refuse(n, ...row)
    return []
  })
  const zones = await timeZonesOf(
    tx,
    organisationId,
    requests.map(({ row }) => row.warehouseId),
  )
  const newDescriptions = new Map(
    requests.map(({ n, row }) => {
      const timezoneId = zones.get(row.warehouseId) as string
      const input = adjustments[n] as DescriptionCorrection
      return [
        n,
        resolveDescription(input, row, { timezoneId, attributeIds }, (...fault) => refuse(n, ...fault)),
      ] as const
    }),
  )
  const descriptionOf = ({ n }: { n: number }) => newDescriptions.get(n) as StockDescription
  const changes = requests.filter(request => !isSameDescription(request.row, descriptionOf(request)))
  const parts = await planTake(tx, organisationId, changes, { all: 'everything' }, refuse)
  await refuseDescriptions(tx, organisationId, parts, descriptionOf, refuse)
  throwIfAny()
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    parts.map(part => ({ ...identityOf(part.row), ...descriptionOf(part) })),
  )
  const movement = startMovement(occurredUtc, MovementCause.Redescribed, reason)
  const type = TransactionType.Adjustment
  const moves = parts.map(({ row, quantity, items, allocations }, i) => {
    const to = targets[i] as string
    const changes = moveAllocations(allocations)
    return { ...movement, type, from: row.id, to, quantity, items, allocations: changes }
  })
  const [posted] = await post(tx, locked, source, moves)
  return {
    movementId: movement.movementId,
    effectiveUtc: posted?.effectiveUtc ?? occurredUtc ?? new Date().toISOString(),
    adjustments: requests.map(({ n, row }) => {
      const i = parts.findIndex(part => part.n === n)
      if (i < 0) return { warehouseProductId: row.id, quantity: 0, isUnchanged: true }
      const quantity = numberOf((parts[i] as TakenPart).quantity)
      return { warehouseProductId: targets[i] as string, quantity, isUnchanged: false }
    }),
  }
}

/** Whether two descriptions are equal. */
const isSameDescription = (before: StockDescription, after: StockDescription): boolean =>
  descriptionFieldNames.every(field => before[field] === after[field]) &&
  JSON.stringify(before.attributes.map(({ productAttributeId: id, description }) => [id, description])) ===
    JSON.stringify(after.attributes.map(({ productAttributeId: id, description }) => [id, description]))

const fieldNouns: Record<DescriptionField, string> = {
  batch: 'batch',
  bestBeforeDate: 'best before date',
  expiryDate: 'expiry date',
  packagingDate: 'packaging date',
  productionDate: 'production date',
  sellByDate: 'sell by date',
}

/**
 * Refuses descriptions that lack a field that the product requires, and those that would give a consignment
 * line something other than it requests.
 */
async function refuseDescriptions(
  tx: Tx,
  organisationId: string,
  parts: readonly TakenPart[],
  descriptionOf: (part: TakenPart) => StockDescription,
  refuse: ReportEntryFault,
): Promise<void> {
  const products = await findProducts(
    tx,
    organisationId,
    parts.map(({ row }) => row.productId),
  )
  const requested = await readRequestedDescriptions(
    tx,
    organisationId,
    parts.flatMap(({ allocations }) => allocations),
  )
  for (const part of parts) {
    const [{ n, row, allocations }, after] = [part, descriptionOf(part)]
    const product = products.get(row.productId)
    if (product) for (const problem of missingFieldFaults(product, after)) refuse(n, ...problem)
    for (const [noun, allocation] of findBrokenRequests(allocations, requested, row, after))
      refuse(n, `it is allocated to ${allocation.consignmentNumber}, which asks for its ${noun}`, 'allocated')
  }
}

type RequestedDescription = Record<DescriptionField, string | null> & {
  attributes: AttributeCriterion[]
}

/** Reads the batch, dates and attributes that the lines of allocations request, by line id. */
async function readRequestedDescriptions(
  tx: Tx,
  organisationId: string,
  allocations: readonly Allocation[],
): Promise<ReadonlyMap<string, RequestedDescription>> {
  if (allocations.length === 0) return new Map()
  const ids = allocations.map(({ consignmentProductId }) => consignmentProductId)
  const rows = await tx.rows<RequestedDescription & { id: string }>(sql`
    select l.id, lower(l.batch) as batch, l.best_before_date::date, l.expiry_date::date,
      l.packaging_date::date, l.production_date::date, l.sell_by_date::date,
      ${requestedAttributes} as attributes
    from consignment_product l where l.organisation_id = ${organisationId} and l.id = any(${ids})`)
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * The requests of lines that the stock met before and would not meet afterwards: one for each field and
 * attribute, by its name.
 */
function findBrokenRequests(
  allocations: readonly Allocation[],
  requested: ReadonlyMap<string, RequestedDescription>,
  before: StockDescription,
  after: StockDescription,
): Map<string, Allocation> {
  const broken = new Map<string, Allocation>()
  for (const allocation of allocations) {
    const line = requested.get(allocation.consignmentProductId)
    for (const field of descriptionFieldNames) {
      const value = line?.[field]
      const isMet = (stock: StockDescription) => stock[field]?.toLowerCase() === value
      const noun = fieldNouns[field]
      if (value && isMet(before) && !isMet(after) && !broken.has(noun)) broken.set(noun, allocation)
    }
    for (const attribute of line?.attributes ?? [])
      if (hasAttribute(before, attribute) && !hasAttribute(after, attribute))
        broken.set(`attribute ${attribute.name}`, allocation)
  }
  return broken
}
