// The organisation in which a random walk through the stock commands starts, and reading its stock from the
// database in the terms of the model.

import assert from 'node:assert/strict'
import { createConsignments } from '../../../src/consignments/create-consignment.ts'
import { type Database, sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { findStockDifferences } from '../../../src/stock/ledger/check-stock.ts'
import { ConsignmentType } from '../../../src/vocabulary/consignments.ts'
import type { Caller } from '../harness.ts'
import { Status } from './inwards.ts'
import {
  type Allocation,
  type Consignment,
  keyOf,
  type Line,
  type Location,
  locations,
  type Product,
  products,
  StockModel,
  sumOf,
} from './model.ts'
import type { ServiceIds, Step } from './step.ts'

/** A walk: the model, the ids of its objects, and the service that it is compared with. */
export interface Walk {
  model: StockModel
  names: ServiceIds
  /**
   * Sends a request, and fails if the response or the stock differs from the model. After a refusal, stock is
   * compared with the next successful step.
   */
  perform(step: Step): Promise<void>
  /** Ends the walk: fails if the stock differs from the model, and returns differences from the ledger. */
  end(): Promise<unknown[]>
}

/** What a consignment line orders. */
type OrderedProduct = readonly [product: Product, quantity: number, batch?: string]

const outwards: readonly (readonly OrderedProduct[])[] = [
  [['APPLE', 10]],
  [
    ['APPLE', 5],
    ['PEAR', 4],
  ],
  [
    ['APPLE', 8, 'B1'],
    ['SCALE', 3],
  ],
  [
    ['SCALE', 4],
    ['RADIO', 3],
  ],
  [
    ['PEAR', 6, 'B1'],
    ['APPLE', 12],
    ['APPLE', 3, 'B2'],
  ],
  [['RADIO', 5]],
  [
    ['SCALE', 6],
    ['SCALE', 2],
  ],
  [
    ['PEAR', 9, 'B2'],
    ['PEAR', 9],
  ],
]
const inwards: readonly OrderedProduct[] = [
  ['APPLE', 20],
  ['PEAR', 10],
  ['SCALE', 5],
  ['RADIO', 6],
]

/** Creates the products, locations, units and consignments of a walk. `caller` is the administrator. */
export async function openWalk(database: Database, caller: Caller): Promise<Walk> {
  const { organisationId } = caller.actor
  const made = async (path: string, body: object) => {
    const { status, body: answer } = await caller.post(path, body)
    assert.equal(status, 201, `${path}: ${JSON.stringify(answer)}`)
    return Object.values(answer)[0] as string
  }
  const clientId = await made('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 })
  const warehouse = { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' }
  const warehouseId = await made('/v1/warehouses', warehouse)
  const ids = {} as Record<Product, string>
  for (const [code, { tracking, mustMatchBatch }] of Object.entries(products))
    ids[code as Product] = await made(`/v1/partners/${clientId}/products`, {
      ...{ code, name: code, weightKG: 0.3, volumeM3: 0.0007 },
      serialTrackingMode: { none: 1, full: 2, release: 3 }[tracking],
      ...(mustMatchBatch ? { batchSubstitution: 2 } : {}),
    })
  const places = new Map<string, string>()
  for (const [name, { type, walkingOrder }] of Object.entries(locations))
    places.set(name, await made(`/v1/warehouses/${warehouseId}/locations`, { name, type, walkingOrder }))
  const model = new StockModel()
  const day = new Date().toLocaleDateString('sv', { timeZone: 'Pacific/Auckland' })
  const names: ServiceIds = {
    clientId,
    warehouseId,
    products: ids,
    locationIds: places,
    units: new Map(),
    holds: [],
    day,
  }
  for (const [referenceNumber, place] of [
    ['U-1', 'A-01'],
    ['U-2', 'B-01'],
    ['U-3', 'RECEIVE'],
  ] as const) {
    const unit = { partnerId: clientId, warehouseId, warehouseLocationId: places.get(place) }
    names.units.set(referenceNumber, await made('/v1/logistic-units', { ...unit, referenceNumber }))
    model.units.set(referenceNumber, place)
  }
  for (const ordered of outwards) addConsignment(model, 'outwards', ordered, Status.Pending)
  for (let n = 0; n < 3; n++) addConsignment(model, 'inwards', inwards, Status.ReadyToReceive)
  await store(database, caller, names, model.consignments)
  const compare = async (when: string) => {
    const stored = await readState(database, organisationId)
    adoptIds(model, names, stored)
    assert.deepEqual(stored.state, describeModel(model), when)
  }
  await compare('at the start')
  return {
    model,
    names,
    async perform({ method, path, body, status, effect }) {
      const when = `${method} ${path} ${JSON.stringify(body)}`
      const answer = await caller[method](path, body)
      assert.equal(answer.status, status, `${when}: ${JSON.stringify(answer.body)}`)
      model.clock++
      effect?.(answer.body ?? {})
      if (effect) await compare(when)
    },
    async end() {
      await compare('at the end')
      return findStockDifferences(database.db, organisationId)
    },
  }
}

function addConsignment(
  model: StockModel,
  type: Consignment['type'],
  asked: readonly OrderedProduct[],
  status: number,
): void {
  const consignment: Consignment = {
    ...{ id: newId(), number: model.consignments.length + 1, type, status, lines: [], returnOf: null },
    ...{ wasReceived: false, isPickingConfirmed: false, receivedByRow: new Map(), departed: [] },
  }
  for (const [ordinal, [product, expected, batch = null]] of asked.entries())
    consignment.lines.push({
      ...{ id: newId(), consignment, ordinal, product, batch, expected },
      ...{ received: 0, dispatched: 0, sources: new Map() },
    })
  model.consignments.push(consignment)
}

/** Stores consignments as an import would. */
const store = (
  database: Database,
  { actor }: Caller,
  { clientId, warehouseId, products: ids }: ServiceIds,
  consignments: readonly Consignment[],
) =>
  database.atomically(tx =>
    createConsignments(
      tx,
      actor.organisationId,
      consignments.map(({ id, type, status, lines }) => ({
        consignment: {
          ...{ id, clientId, warehouseId, status: status as 1 | 4, dateEntered: '2026-01-01T08:00:00' },
          type: type === 'inwards' ? ConsignmentType.Inwards : ConsignmentType.Outwards,
          destinationAuthorityToLeave: false,
        },
        lines: lines.map(line => ({
          ...{ id: line.id, consignmentId: id, ordinal: line.ordinal, productId: ids[line.product] },
          ...{ productCode: line.product, batch: line.batch, expectedQuantity: line.expected },
        })),
        ...{ items: [], serviceTypes: [], tasks: [], notes: [], attachments: [] },
        source: { ...actor, requestId: 'test' },
      })),
    ),
  )

/** The state of stock in a form in which the model and the database can be compared. */
interface StockState {
  rows: Record<string, object>
  lines: Record<string, object>
  units: Record<string, string>
  holds: boolean[]
  statuses: number[]
  counts: { status: number; lines: Record<string, object> }[]
}

const lineName = (consignment: number, ordinal: number) => `${consignment}.${ordinal}`
const allocationName = (line: string, serial: string | null, isPicked: boolean) =>
  `${line} ${isPicked ? 'picked' : 'open'} ${serial ?? ''}`.trim()

const nameOf = ({ line, serial, isPicked }: Allocation) =>
  allocationName(lineName(line.consignment.number, line.ordinal), serial, isPicked)

/** Returns the state of stock according to the model. */
function describeModel(model: StockModel): StockState {
  const rows = model.live.map(row => [
    keyOf(row),
    {
      onHand: row.onHand,
      allocated: sumOf(row.allocations),
      serials: [...row.serials].sort(),
      allocations: Object.fromEntries(
        row.allocations.map(allocation => [nameOf(allocation), allocation.quantity]),
      ),
    },
  ])
  const lines = model.lines.map((line: Line) => [
    lineName(line.consignment.number, line.ordinal),
    {
      allocated: model.openOf(line),
      picked: model.pickedOf(line),
      received: line.received,
      dispatched: line.dispatched,
    },
  ])
  return {
    rows: Object.fromEntries(rows),
    lines: Object.fromEntries(lines),
    units: Object.fromEntries(model.units),
    holds: model.holds.map(({ isReleased }) => isReleased),
    statuses: model.consignments.map(({ status }) => status),
    counts: model.counts.map(({ status, lines }) => ({
      status,
      lines: Object.fromEntries(
        lines.map(({ row, isOpen, round, ...line }) => [keyOf(row), { status: line.status, round, isOpen }]),
      ),
    })),
  }
}

interface StoredState {
  state: StockState
  rowIds: Map<string, string>
  lineIds: Map<string, string>
  holdIds: string[]
  /** by the number of the count and the row */
  countLineIds: Map<string, string>
}

/** Copies the ids that the service assigned into the model. */
function adoptIds(
  model: StockModel,
  names: ServiceIds,
  { rowIds, lineIds, holdIds, countLineIds }: StoredState,
): void {
  for (const row of model.rows.values()) row.id = rowIds.get(keyOf(row)) ?? null
  for (const line of model.lines)
    line.id = lineIds.get(lineName(line.consignment.number, line.ordinal)) ?? line.id
  for (const [i, { lines }] of model.counts.entries())
    for (const line of lines) line.id = countLineIds.get(`${i} ${keyOf(line.row)}`) ?? line.id
  names.holds = holdIds
}

type DatabaseState = {
  rows: {
    id: string
    product: Product
    location: Location
    unit: string | null
    hold: string | null
    batch: string | null
    onHand: number
    allocated: number
    serials: string[]
    allocations: { line: string; serial: string | null; isPicked: boolean; quantity: number }[]
  }[]
  lines: { id: string; consignment: string; ordinal: number; figures: object }[]
  units: { unit: string; location: Location }[]
  holds: { id: string; isReleased: boolean }[]
  consignments: { id: string; status: number }[]
  counts: {
    status: number
    lines: { id: string; row: string; status: number; round: number; isOpen: boolean }[]
  }[]
}

/** Reads the state of stock from the database. Of depleted rows only the ids are used. */
async function readState(database: Database, organisationId: string): Promise<StoredState> {
  const { all } = await database.db.row<{ all: DatabaseState }>(stateQuery(organisationId))
  const numbers = new Map(all.consignments.map(({ id }, i) => [id, i + 1]))
  const holds = new Map(all.holds.map(({ id }, i) => [id, i]))
  const lineOf = new Map(
    all.lines.map(({ id, consignment, ordinal }) => [
      id,
      lineName(numbers.get(consignment) as number, ordinal),
    ]),
  )
  const rows = all.rows.map(row => ({
    ...row,
    key: keyOf({ ...row, hold: row.hold === null ? null : (holds.get(row.hold) as number) }),
  }))
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length, 'rows differ in what the model knows')
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  const state: StockState = {
    rows: Object.fromEntries(
      rows
        .filter(({ onHand }) => onHand > 0)
        .map(({ key, onHand, allocated, serials, allocations }) => [
          key,
          {
            ...{ onHand, allocated, serials: serials.sort() },
            allocations: Object.fromEntries(
              allocations.map(({ line, serial, isPicked, quantity }) => [
                allocationName(lineOf.get(line) as string, serial, isPicked),
                quantity,
              ]),
            ),
          },
        ]),
    ),
    lines: Object.fromEntries(all.lines.map(({ id, figures }) => [lineOf.get(id), figures])),
    units: Object.fromEntries(all.units.map(({ unit, location }) => [unit, location])),
    holds: all.holds.map(({ isReleased }) => isReleased),
    statuses: all.consignments.map(({ status }) => status),
    counts: all.counts.map(({ status, lines }) => ({
      status,
      lines: Object.fromEntries(lines.map(({ id: _, row, ...line }) => [keys.get(row), line])),
    })),
  }
  return {
    state,
    rowIds: new Map(rows.map(({ key, id }) => [key, id])),
    lineIds: new Map([...lineOf].map(([id, name]) => [name, id])),
    holdIds: all.holds.map(({ id }) => id),
    countLineIds: new Map(
      all.counts.flatMap(({ lines }, i) => lines.map(({ id, row }) => [`${i} ${keys.get(row)}`, id])),
    ),
  }
}

const stateQuery = (organisationId: string) => sql`
  with mine as (select ${organisationId}::uuid as id)
  select json_build_object(
    'rows', coalesce((
      select json_agg(json_build_object('id', p.id, 'product', d.code, 'location', l.name,
        'unit', u.reference_number, 'hold', p.inventory_hold_id, 'batch', p.batch,
        'onHand', p.on_hand_quantity, 'allocated', p.allocated_quantity, 'serials', array(
          select i.serial from warehouse_product_item i
          where i.organisation_id = p.organisation_id and i.warehouse_product_id = p.id
        ), 'allocations', coalesce((
          select json_agg(json_build_object('line', a.consignment_product_id, 'serial', i.serial,
            'isPicked', a.is_picked, 'quantity', a.quantity))
          from inventory_allocation a left join warehouse_product_item i
            on i.organisation_id = a.organisation_id and i.id = a.warehouse_product_item_id
          where a.organisation_id = p.organisation_id and a.warehouse_product_id = p.id
        ), '[]')))
      from mine, warehouse_product p
      join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
      join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
      where p.organisation_id = mine.id), '[]'),
    'lines', (
      select json_agg(json_build_object('id', c.id, 'consignment', c.consignment_id, 'ordinal', c.ordinal,
        'figures', json_build_object('allocated', c.allocated_quantity, 'picked', c.picked_quantity,
          'received', c.received_quantity, 'dispatched', c.dispatched_quantity)))
      from mine, consignment_product c where c.organisation_id = mine.id),
    'units', (
      select json_agg(json_build_object('unit', u.reference_number, 'location', l.name))
      from mine, logistic_unit u
      join warehouse_location l on l.organisation_id = u.organisation_id and l.id = u.warehouse_location_id
      where u.organisation_id = mine.id),
    'holds', coalesce((
      select json_agg(json_build_object('id', h.id, 'isReleased', h.released_utc is not null) order by h.id)
      from mine, inventory_hold h where h.organisation_id = mine.id), '[]'),
    'consignments', (
      select json_agg(json_build_object('id', c.id, 'status', c.status) order by c.number)
      from mine, consignment c where c.organisation_id = mine.id),
    'counts', coalesce((
      select json_agg(json_build_object('status', c.status, 'lines', coalesce((
        select json_agg(json_build_object('id', l.id, 'row', l.warehouse_product_id, 'status', l.status,
          'round', l.round, 'isOpen', l.is_open))
        from stock_count_line l
        where l.organisation_id = c.organisation_id and l.stock_count_id = c.id), '[]')) order by c.number)
      from mine, stock_count c where c.organisation_id = mine.id), '[]')
  ) as all`
