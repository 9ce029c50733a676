// Corrects the description of stock: another batch, another date or other attributes. The stock moves to the
// row with the correct description. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import {
  collectEntryFaults,
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { moveAllocations, readAllocations } from '../inventory/allocations.ts'
import { type MovementSource, noSharedSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import {
  descriptionFieldNames,
  findOrCreateStockRows,
  type StockDescription,
} from '../ledger/stock-identity.ts'
import type { LockedStock, LockTarget } from '../ledger/stock-lock.ts'
import type { CommandRequest } from './carry-out.ts'
import { type CommandKind, Postponed } from './command-kind.ts'
import {
  type AttributeIds,
  type DescriptionInput,
  findAttributes,
  findOrCreateAttributes,
  lackAttributes,
  resolveDescription,
} from './goods-description.ts'
import { startMovement } from './incoming-goods.ts'
import {
  readTakeState,
  type StockPart,
  type TakenPart,
  type TakeRequest,
  type TakeState,
} from './plan-take.ts'
import { numberOf } from './quantities.ts'
import { identityOf, type StockRow } from './read-stock-rows.ts'
import {
  findBrokenRequests,
  type RequestedDescription,
  readRequestedDescriptions,
} from './requested-descriptions.ts'
import { findProducts, missingFieldFaults } from './stock-products.ts'
import { matchStock, readSelectedStock, type StockSelector } from './stock-selector.ts'
import { timeZonesOf } from './time-zones.ts'
import { TouchedStock } from './touched-stock.ts'

/** An entry: a row or a part of one, and its correct description. Omitted fields stay as the row has them. */
export interface DescriptionCorrection extends StockSelector, StockPart, DescriptionInput {
  /** the serial item that the entry was made for, in the row where it was found */
  itemId?: string
}

interface CorrectionRequest extends CommandRequest {
  body: { reason: string }
  source: MovementSource
  occurredUtc: string | null
}

interface CorrectionResult {
  movementId: string
  effectiveUtc: string
  adjustments: {
    warehouseProductId: string
    quantity: number
    /** the stock had this description already */
    isUnchanged: boolean
  }[]
}

/** How corrections of one kind are made of requests, and answered. */
interface CorrectionFacts<Request, Answer> {
  /** Finds the entries of each request, or why it is refused. */
  findEntries(
    tx: Tx,
    organisationId: string,
    requests: readonly Request[],
  ): Promise<ReadonlyMap<Request, readonly DescriptionCorrection[] | Refusal>>
  toAnswer(result: CorrectionResult): Answer
}

interface CorrectionRecords<Request> {
  organisationId: string
  entries: ReadonlyMap<Request, readonly DescriptionCorrection[] | Refusal>
  attributeIds: AttributeIds
  isShared: boolean
  targets: readonly LockTarget[]
}

/** What requests are planned from. Those that are planned already have changed it. */
interface FoundForCorrecting<Request> {
  records: CorrectionRecords<Request>
  rows: ReadonlyMap<DescriptionCorrection, StockRow | FieldFault>
  zones: Awaited<ReturnType<typeof timeZonesOf>>
  products: Awaited<ReturnType<typeof findProducts>>
  takes: TakeState
  requested: ReadonlyMap<string, RequestedDescription>
  touched: TouchedStock
  /** the serial items that have moved to another row */
  movedItems: Set<string>
}

/** The goods of an entry, and their correct description. */
interface CorrectedPart extends TakenPart {
  description: StockDescription
}

interface PlannedCorrection<Request> {
  request: Request
  /** the row of each entry */
  rows: readonly StockRow[]
  /** what changes */
  parts: readonly CorrectedPart[]
}

/** A kind of command that moves stock to rows with the given descriptions. */
export const correctionKind = <Request extends CorrectionRequest, Answer>({
  findEntries,
  toAnswer,
}: CorrectionFacts<Request, Answer>): Omit<
  CommandKind<
    Request,
    Answer,
    CorrectionRecords<Request>,
    FoundForCorrecting<Request>,
    PlannedCorrection<Request>
  >,
  'mayShare' | 'weigh'
> => ({
  async lockRecords(tx, requests, isShared) {
    const { organisationId } = (requests[0] as Request).actor
    const entries = await findEntries(tx, organisationId, requests)
    const corrections = entriesOf(entries, requests)
    // Attributes of a refused request must not stay, so new ones are left to transactions of their own.
    const attributeIds = await (isShared ? findAttributes : findOrCreateAttributes)(
      tx,
      organisationId,
      corrections.map(({ attributes }) => attributes),
    )
    const targets = (await matchStock(tx, organisationId, corrections)).flat()
    return { organisationId, entries, attributeIds, isShared, targets }
  },
  targets: ({ targets }) => sql`select "warehouseId" as warehouse_id, "productId" as product_id
    from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, targets)}`,
  async read(tx, locking, records, requests) {
    const { organisationId } = records
    const entries = entriesOf(records.entries, requests)
    const selected = await readSelectedStock(tx, organisationId, locking, entries)
    const rows = new Map(entries.map((entry, n) => [entry, selected[n] as StockRow | FieldFault]))
    const taken = entries.flatMap(part => {
      const row = rows.get(part) as StockRow | FieldFault
      return isFieldFault(row) ? [] : [{ row, part }]
    })
    const rowIds = [...new Set(taken.map(({ row }) => row.id))]
    const allocationsOf = await readAllocations(tx, organisationId, rowIds)
    const [takes, zones, products, requested] = await Promise.all([
      readTakeState(tx, organisationId, taken, allocationsOf),
      timeZonesOf(
        tx,
        organisationId,
        taken.map(({ row }) => row.warehouseId),
      ),
      findProducts(
        tx,
        organisationId,
        taken.map(({ row }) => row.productId),
      ),
      readRequestedDescriptions(tx, organisationId, rowIds.flatMap(allocationsOf)),
    ])
    const [touched, movedItems] = [new TouchedStock(), new Set<string>()]
    return { records, rows, zones, products, takes, requested, touched, movedItems }
  },
  plan: planCorrection,
  write: async (tx, locked, _, plans) => (await writeCorrections(tx, locked, plans)).map(toAnswer),
})

const entriesOf = <Request>(
  entries: CorrectionRecords<Request>['entries'],
  requests: readonly Request[],
): DescriptionCorrection[] =>
  requests.flatMap(request => {
    const own = entries.get(request)
    return own === undefined || own instanceof Refusal ? [] : own
  })

/** Plans one request. Throws 400 with every fault of every entry. */
function planCorrection<Request extends CorrectionRequest>(
  found: FoundForCorrecting<Request>,
  request: Request,
): PlannedCorrection<Request> {
  const { records, rows, zones, takes, touched, movedItems } = found
  const entries = records.entries.get(request) as readonly DescriptionCorrection[] | Refusal
  if (entries instanceof Refusal) throw entries
  postponeDependents(found, entries, request)
  const { refuse, throwIfAny } = collectEntryFaults('adjustments')
  const selected = entries.map((entry, n): TakeRequest | undefined => {
    const row = rows.get(entry) as StockRow | FieldFault
    if (!isFieldFault(row)) return { n, row, part: entry }
    refuse(n, ...row)
    return undefined
  })
  const descriptions = selected.map((one, n) => {
    if (one === undefined) return undefined
    const timezoneId = zones.get(one.row.warehouseId) as string
    const { attributeIds } = records
    return resolveDescription(
      entries[n] as DescriptionCorrection,
      one.row,
      { timezoneId, attributeIds },
      (...fault) => refuse(n, ...fault),
    )
  })
  const descriptionOf = ({ n }: { n: number }) => descriptions[n] as StockDescription
  const requests = selected.filter(one => one !== undefined)
  const changes = requests.filter(one => !isSameDescription(one.row, descriptionOf(one)))
  const taken = takes.plan(changes, 'everything', refuse)
  const parts = taken.parts.map(part => ({ ...part, description: descriptionOf(part) }))
  refuseDescriptions(found, parts, refuse)
  throwIfAny()
  taken.keep()
  for (const { row, description, items } of parts) {
    touched.take(row)
    touched.fill({ ...identityOf(row), ...description })
    for (const id of items) movedItems.add(id)
  }
  return { request, rows: requests.map(({ row }) => row), parts }
}

/**
 * Throws `Postponed` if entries depend on what earlier requests do, or create attributes while others share
 * the transaction.
 */
function postponeDependents<Request>(
  { records, rows, touched, movedItems }: FoundForCorrecting<Request>,
  entries: readonly DescriptionCorrection[],
  { occurredUtc }: CorrectionRequest,
): void {
  const attributes = entries.map(entry => entry.attributes)
  if (records.isShared && lackAttributes(attributes, records.attributeIds))
    throw new Postponed({ isAlone: true })
  const isOutdated = entries.some(entry => {
    const row = rows.get(entry) as StockRow | FieldFault
    const isMoved = entry.itemId !== undefined && movedItems.has(entry.itemId)
    return isMoved || (!isFieldFault(row) && touched.isOutdated(row, occurredUtc !== null))
  })
  if (isOutdated || touched.mayMatchAnew(entries)) throw new Postponed()
}

/** Writes planned requests. Returns their results in the same order. */
async function writeCorrections<Request extends CorrectionRequest>(
  tx: Tx,
  locked: LockedStock,
  plans: readonly PlannedCorrection<Request>[],
): Promise<CorrectionResult[]> {
  const movements = plans.map(({ request: { body, source, occurredUtc }, parts }) => ({
    parts,
    facts: { ...startMovement(occurredUtc, MovementCause.Redescribed, body.reason), source },
  }))
  const goods = movements.flatMap(({ facts, parts }) => parts.map(part => ({ facts, part })))
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    goods.map(({ part: { row, description } }) => ({ ...identityOf(row), ...description })),
  )
  const type = TransactionType.Adjustment
  const moves = goods.map(({ facts, part: { row, quantity, items, allocations } }, i) => {
    const to = targets[i] as string
    return { ...facts, type, from: row.id, to, quantity, items, allocations: moveAllocations(allocations) }
  })
  const posted = await post(tx, locked, noSharedSource, moves)
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  const remaining = targets.values()
  return plans.map(({ request: { occurredUtc }, rows, parts }, i) => {
    const { movementId } = (movements[i] as (typeof movements)[number]).facts
    const results = new Map(
      parts.map(({ n, quantity }) => [
        n,
        {
          warehouseProductId: remaining.next().value as string,
          ...{ quantity: numberOf(quantity), isUnchanged: false },
        },
      ]),
    )
    return {
      movementId,
      effectiveUtc: times.get(movementId) ?? occurredUtc ?? new Date().toISOString(),
      adjustments: rows.map(
        ({ id }, n) => results.get(n) ?? { warehouseProductId: id, quantity: 0, isUnchanged: true },
      ),
    }
  })
}

/** Whether two descriptions are equal. */
const isSameDescription = (before: StockDescription, after: StockDescription): boolean =>
  descriptionFieldNames.every(field => before[field] === after[field]) &&
  JSON.stringify(before.attributes.map(({ productAttributeId: id, description }) => [id, description])) ===
    JSON.stringify(after.attributes.map(({ productAttributeId: id, description }) => [id, description]))

/**
 * Refuses descriptions that lack a field that the product requires, and those that would give a consignment
 * line something other than it requests.
 */
function refuseDescriptions(
  { products, requested }: Pick<FoundForCorrecting<unknown>, 'products' | 'requested'>,
  parts: readonly CorrectedPart[],
  refuse: ReportEntryFault,
): void {
  for (const { n, row, allocations, description } of parts) {
    const product = products.get(row.productId)
    if (product) for (const problem of missingFieldFaults(product, description)) refuse(n, ...problem)
    for (const [noun, allocation] of findBrokenRequests(allocations, requested, row, description))
      refuse(n, `it is allocated to ${allocation.consignmentNumber}, which asks for its ${noun}`, 'allocated')
  }
}
