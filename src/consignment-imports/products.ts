// The lines of a consignment: more of them, other goods, fewer. Until the warehouse works on it, they can be
// corrected. Decisions 4, 5, 6.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import {
  type Change,
  consignmentEvent,
  type LockedConsignment,
  lockConsignment,
} from '../consignments/consignment.ts'
import { consignmentStatusName } from '../consignments/consignment-status.ts'
import {
  deleteLine,
  describePlanned,
  insertItems,
  insertLines,
  readLine,
  type StoredLine,
  updateLine,
} from '../consignments/line-rows.ts'
import { readMetrics } from '../consignments/read-metrics.ts'
import { emit } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { changed, done, json } from '../platform/http/endpoint.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { notFound, Refusal, verificationFailed } from '../platform/http/refusal.ts'
import { named, Type, Uuid } from '../platform/http/schema.ts'
import type { ValidationRule } from '../platform/http/validation.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'
import { ImportLine, ImportLines, lineRules, maxItems, maxLines } from './import-request.ts'
import { planProducts } from './plan-products.ts'

const rules =
  'Possible while the consignment is Draft or Pending and nothing of it is received, allocated or picked.'

/** A request to change the lines of a consignment. */
interface Request {
  tx: Tx
  actor: Actor
  params: { consignmentId: string; consignmentProductId?: string }
  requestId: string
}

interface Lines {
  consignment: LockedConsignment
  clientCode: string
  lineCount: number
  itemCount: number
  /** the line that the path names */
  line: StoredLine | undefined
}

/** Throws 400 if the warehouse may work from the lines. */
function refuseUnlessOpen(
  { consignmentNumber, status }: LockedConsignment,
  moved: { ordinal: number; code: string } | null,
): void {
  if (status !== ConsignmentStatus.Draft && status !== ConsignmentStatus.Pending)
    throw verificationFailed(
      `Consignment ${consignmentNumber} is ${consignmentStatusName(status)}; its lines can change only ` +
        'while it is Draft or Pending.',
    )
  if (moved !== null)
    throw verificationFailed(
      `Line ${moved.ordinal + 1} (${moved.code}) of consignment ${consignmentNumber} has goods that are ` +
        'received, allocated, picked or dispatched; its lines can no longer change.',
    )
}

/**
 * Locks the consignment. Throws 404 if it, or the line of the path, is not there, and 400 if it is too late.
 */
async function lockLines({ tx, actor, params }: Request): Promise<Lines> {
  const consignment = await lockConsignment(tx, actor, params.consignmentId)
  const { organisationId, id, clientId } = consignment
  const lineId = params.consignmentProductId
  const line = lineId === undefined ? undefined : await readLine(tx, consignment, lineId)
  if (lineId !== undefined && line === undefined) throw notFound('Line')
  const facts = await tx.row<{
    clientCode: string
    lineCount: number
    itemCount: number
    moved: { ordinal: number; code: string } | null
  }>(sql`
    select (select code from partner where organisation_id = ${organisationId} and id = ${clientId})
        as client_code,
      count(*)::integer as line_count,
      (select count(*)::integer from consignment_product l
        join consignment_product_item i
          on i.organisation_id = l.organisation_id and i.consignment_product_id = l.id
        where l.organisation_id = ${organisationId} and l.consignment_id = ${id}) as item_count,
      (select json_build_object('ordinal', l.ordinal, 'code', l.product_code) from consignment_product l
        where l.organisation_id = ${organisationId} and l.consignment_id = ${id}
          and (l.received_quantity > 0 or l.allocated_quantity > 0 or l.picked_quantity > 0
            or l.dispatched_quantity > 0)
        order by l.ordinal limit 1) as moved
    from consignment_product r where r.organisation_id = ${organisationId} and r.consignment_id = ${id}`)
  refuseUnlessOpen(consignment, facts.moved)
  return { consignment, ...facts, line }
}

/** Throws 400 if a consignment would have more lines or items than an import can have. */
function refuseTooMany(lines: number, items: number): void {
  const fault = (noun: string, most: number) =>
    faultAt(
      'products',
      `would give the consignment more than ${most.toLocaleString('en-GB')} ${noun}`,
      'length',
    )
  const faults = [
    ...(lines > maxLines ? [fault('lines', maxLines)] : []),
    ...(items > maxItems ? [fault('items', maxItems)] : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
}

/** The most items of a line that its history lists. */
const maxListedItems = 100

/** A line for the history, without what it does not say. */
function described({ productId: _, items, ...line }: StoredLine): Record<string, unknown> {
  const listed = items.length <= maxListedItems ? { items } : { itemCount: items.length }
  const isSaid = (value: unknown) => value !== null && value !== false
  return Object.fromEntries(Object.entries({ ...line, ...listed }).filter(([, value]) => isSaid(value)))
}

/** Those fields of a line that differ from another state of it. */
function differing(line: StoredLine, other: StoredLine): Record<string, unknown> {
  const { id, productCode } = line
  const fields = Object.entries(line).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name]) && name !== 'productId',
  )
  const { items, ...rest } = Object.fromEntries(fields) as Partial<StoredLine>
  const areListed = Math.max(line.items.length, other.items.length) <= maxListedItems
  return {
    ...{ id, productCode, ...rest },
    ...(items === undefined ? {} : areListed ? { items } : { itemCount: items.length }),
  }
}

/** Lets `change` alter the lines of a consignment, and stores the events of that. */
async function changeLines(
  request: Request,
  { consignment }: Lines,
  change: () => Promise<Change[]>,
): Promise<void> {
  const { tx, actor, requestId } = request
  const from = await readMetrics(tx, consignment, 'expected')
  const changes = await change()
  const to = await readMetrics(tx, consignment, 'expected')
  const metrics = JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: 'metrics', from, to }]
  await emit(tx, { ...actor, requestId }, [
    consignmentEvent(EventType.ConsignmentProductsUpdated, consignment, { changes }),
    ...(metrics.length === 0
      ? []
      : [consignmentEvent(EventType.ConsignmentMetricsUpdated, consignment, { changes: metrics })]),
  ])
}

/** The paths of faults in the body of one line: without the list that it would be the only one of. */
const inOneLine = ({ path, message, ...fault }: Fault): Fault => ({
  ...fault,
  path: path?.replace('products[0].', '') ?? null,
  message: message.replace('products[0].', ''),
})

async function planOneLine<T>(plan: Promise<T>): Promise<T> {
  try {
    return await plan
  } catch (error) {
    throw error instanceof Refusal ? verificationFailed(...error.faults.map(inOneLine)) : error
  }
}

const ruleOfOneLine: ValidationRule = body =>
  lineRules([body]).map(fault => ({ ...fault, path: fault.path.replace('[0].', '/') }))

/** What a line is named by once goods came in or left for it, even if that was undone. */
const isInLedger = (lineId: string, { organisationId, id }: LockedConsignment, tx: Tx) =>
  tx.maybe(sql`
    select from inventory_transaction t
    where t.organisation_id = ${organisationId} and t.consignment_id = ${id}
      and t.consignment_product_id = ${lineId} limit 1`)

const usedBefore = (problem: string) => () =>
  verificationFailed(
    `Goods were received, allocated or dispatched for this line before, and the ledger names it; ${problem}.`,
  )

async function removeLine(tx: Tx, organisationId: string, lineId: string): Promise<void> {
  const refuse = usedBefore('it cannot be removed')
  await refuseViolations(deleteLine(tx, organisationId, lineId), {
    inventory_hold_line_fkey: refuse,
    warehouse_product_item_line_fkey: refuse,
    inventory_transaction_line_fkey: refuse,
    inventory_allocation_line_fkey: refuse,
    consignment_product_return_fkey: refuse,
  })
}

export const consignmentProducts = [
  endpoint({
    post: '/v1/consignments/:consignmentId/products',
    name: 'addConsignmentProducts',
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    canBeRehearsed: true,
    summary: 'Add lines to a consignment',
    description: `The lines are as in an import, and follow the ones that are there. ${rules}`,
    body: named('ConsignmentProductsAddition', Type.Object({ products: ImportLines })),
    response: json(named('ConsignmentProductIds', Type.Object({ consignmentProductIds: Type.Array(Uuid) }))),
    async handle(request) {
      const { tx, actor, body } = request
      const before = await lockLines(request)
      const { consignment, clientCode, lineCount } = before
      const itemCount = body.products.reduce((sum, { items }) => sum + items.length, before.itemCount)
      refuseTooMany(lineCount + body.products.length, itemCount)
      const planned = await planProducts(tx, actor, consignment, clientCode, body.products)
      const lines = planned.lines.map(line => ({ ...line, ordinal: lineCount + line.ordinal }))
      await changeLines(request, before, async () => {
        await tx.run(insertLines(actor.organisationId, lines))
        await tx.run(insertItems(actor.organisationId, planned.items))
        const added = await describePlanned(tx, lines, planned.items)
        return added.map(line => ({ field: 'products', from: null, to: described(line) }))
      })
      return { consignmentProductIds: lines.map(({ id }) => id) }
    },
  }),
  endpoint({
    put: '/v1/consignments/:consignmentId/products/:consignmentProductId',
    name: 'updateConsignmentProduct',
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    canBeRehearsed: true,
    summary: 'Change a line of a consignment',
    description: `Replaces all that the line says, as in an import; the line keeps its id. ${rules}`,
    body: named('ConsignmentProductChange', Type.Object(ImportLine.properties, { rule: ruleOfOneLine })),
    response: changed,
    async handle(request) {
      const { tx, actor, params, body } = request
      const before = await lockLines(request)
      const { consignment, clientCode } = before
      const stored = before.line as StoredLine
      refuseTooMany(before.lineCount, before.itemCount - stored.items.length + body.items.length)
      const id = params.consignmentProductId
      const planned = await planOneLine(planProducts(tx, actor, consignment, clientCode, [body], id))
      const [line] = planned.lines.map(line => ({ ...line, id })) as [(typeof planned.lines)[number]]
      const items = planned.items.map(item => ({ ...item, consignmentProductId: id }))
      const [after] = (await describePlanned(tx, [line], items)) as [StoredLine]
      const [from, to] = [differing(stored, after), differing(after, stored)]
      if (JSON.stringify(from) === JSON.stringify(to) && stored.productId === after.productId) return false
      if (stored.productId !== after.productId && (await isInLedger(id, consignment, tx)) !== undefined)
        throw usedBefore('it cannot become another product')()
      await changeLines(request, before, async () => {
        await updateLine(tx, actor.organisationId, line, items)
        return [{ field: 'products', from, to }]
      })
      return true
    },
  }),
  endpoint({
    delete: '/v1/consignments/:consignmentId/products/:consignmentProductId',
    name: 'removeConsignmentProduct',
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    canBeRehearsed: true,
    summary: 'Remove a line from a consignment',
    description: `The lines after it move up. ${rules} A consignment keeps at least one line.`,
    response: done,
    async handle(request) {
      const { tx, actor } = request
      const before = await lockLines(request)
      if (before.lineCount === 1)
        throw verificationFailed(
          'It is the only line of the consignment: add another one first, or make the consignment void.',
        )
      const line = before.line as StoredLine
      await changeLines(request, before, async () => {
        await removeLine(tx, actor.organisationId, line.id)
        return [{ field: 'products', from: described(line), to: null }]
      })
    },
  }),
]
