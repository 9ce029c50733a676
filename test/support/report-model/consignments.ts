// The expected rows of the consignment reports, computed with plain loops over the tables.

import type { Row } from '../given-reports.ts'
import { batchFields, figures, type StockModel } from './stock.ts'
import {
  dayOf,
  daysBetween,
  type Filters,
  formatLocalTime,
  formatUtc,
  groupBy,
  isInPeriod,
  localOf,
  matchesFilter,
  removeFloatNoise,
  sortBy,
  sum,
  sumOrNull,
} from './tables.ts'

const [inwards, outwards] = [1, 2]
const [void_, complete, closed, inTransit] = [-2, 0, 6, 7]

const linesOf = (m: StockModel, { id }: Row): Row[] =>
  m.tables.all('consignment_product').filter(line => line.consignment_id === id)
const client = (m: StockModel, c: Row) => m.tables.find('partner', c.client_id)
const carrier = (m: StockModel, c: Row) => m.tables.find('partner', c.carrier_id)
export const today = (m: StockModel, c: Row) =>
  dayOf(m.now, m.tables.find('warehouse', c.warehouse_id).timezone_id)

/** The fields with which every report of consignments begins. */
const consignmentFields = (m: StockModel, c: Row): Row => ({
  consignmentId: c.id,
  consignmentNumber: c.consignment_number,
  referenceNumber: c.reference_number,
  consignmentType: c.type,
  status: c.status,
  dateEntered: formatLocalTime(c.date_entered),
  clientCode: client(m, c).code,
  clientName: client(m, c).name,
  carrierCode: carrier(m, c).code ?? null,
  carrierName: carrier(m, c).name ?? null,
  warehouseName: m.tables.find('warehouse', c.warehouse_id).name ?? null,
  _number: c.number,
})

/** Lists the consignments that match the filters other than dates and product. */
const listConsignments = (m: StockModel, filters: Filters): Row[] =>
  m.tables
    .all('consignment')
    .filter(
      c =>
        matchesFilter(filters, 'warehouseId', c.warehouse_id) &&
        matchesFilter(filters, 'partnerId', c.client_id) &&
        matchesFilter(filters, 'carrierId', c.carrier_id) &&
        matchesFilter(filters, 'consignmentType', c.type) &&
        (filters.status === undefined
          ? c.status !== void_
          : filters.status === -1
            ? ![void_, closed].includes(c.status)
            : c.status === filters.status),
    )

const listEntered = (m: StockModel, filters: Filters): Row[] =>
  listConsignments(m, filters).filter(
    c =>
      isInPeriod(c.date_entered.slice(0, 10), filters) &&
      (filters.partnerProductId === undefined ||
        linesOf(m, c).some(line => line.product_id === filters.partnerProductId)),
  )

const sortByEntry = (rows: Row[], ...more: ((row: Row) => unknown)[]) =>
  sortBy(
    rows,
    row => row.dateEntered,
    row => row._number,
    ...more,
  )

export const consignmentConsumables = (m: StockModel, filters: Filters): Row[] =>
  sortByEntry(
    listEntered(m, filters).flatMap(c =>
      m.tables
        .all('consignment_consumable')
        .filter(
          entry =>
            entry.consignment_id === c.id &&
            matchesFilter(filters, 'consumableTypeId', entry.consumable_type_id),
        )
        .map(entry => ({
          ...consignmentFields(m, c),
          consumableTypeName: m.tables.find('consumable_type', entry.consumable_type_id).name,
          value: entry.value,
        })),
    ),
  )

export const consignmentTasks = (m: StockModel, filters: Filters): Row[] =>
  sortByEntry(
    listEntered(m, filters).flatMap(c =>
      m.tables
        .all('consignment_task')
        .filter(
          entry => entry.consignment_id === c.id && matchesFilter(filters, 'taskTypeId', entry.task_type_id),
        )
        .map(entry => ({
          ...consignmentFields(m, c),
          taskTypeCode: m.tables.find('task_type', entry.task_type_id).code,
          taskTypeName: m.tables.find('task_type', entry.task_type_id).name,
          value: entry.value,
        })),
    ),
  )

/** Returns the quantity of a line that is neither received nor allocated. */
function missingQuantityOf(c: Row, line: Row): number | null {
  if (c.type === inwards) return Math.max(0, line.expected_quantity - line.received_quantity)
  if (c.type !== outwards) return null
  const { allocated_quantity: allocated, picked_quantity: picked, dispatched_quantity: dispatched } = line
  return removeFloatNoise(Math.max(0, line.expected_quantity - allocated - picked - dispatched))
}

const round = (value: number, places: number) => Number(value.toFixed(places))
const shareOf = (total: number | null, part: number | null, line: Row, places: number): number | null =>
  total === null || part === null || line.expected_quantity === 0
    ? null
    : round((total * part) / line.expected_quantity, places)

const expectedFigures = (lines: readonly Row[]): Row => ({
  expectedQuantity: sumOrNull(lines, line => line.expected_quantity),
  expectedWeightKG: sumOrNull(lines, line => line.expected_weight_kg),
  expectedVolumeM3: sumOrNull(lines, line => line.expected_volume_m3),
})

/** Sums the weight or volume allocated to a consignment: the allocated share of each row of stock. */
const sumAllocated = (m: StockModel, c: Row, isPicked: boolean, column: string, places: number): number =>
  sum(
    m.tables
      .all('inventory_allocation')
      .filter(entry => entry.consignment_id === c.id && entry.is_picked === isPicked),
    entry => {
      const row = m.tables.find('warehouse_product', entry.warehouse_product_id)
      return round((row[column] * entry.quantity) / row.on_hand_quantity, places)
    },
  )

/** The ledger lines by which the goods of a consignment came or left; null before they count. */
function movesOf(m: StockModel, c: Row): Row[] | null {
  const isOver =
    c.type === inwards
      ? c.status === 0 || c.status === 6
      : c.type === 2 && c.actual_dispatch_date_time !== null
  const moved = c.type === inwards ? 'received_quantity' : 'dispatched_quantity'
  if (!isOver || !linesOf(m, c).some(line => line[moved] > 0)) return null
  return m.tables
    .all('inventory_transaction')
    .filter(entry => entry.consignment_id === c.id && entry.type === (c.type === inwards ? 3 : 6))
    .map(entry => ({ ...entry, quantity: c.type === inwards ? entry.quantity : -entry.quantity }))
}

/** Counts the values of entries whose quantities add up to something. */
const countMoved = (entries: readonly Row[], keyOf: (entry: Row) => string): number =>
  [...Map.groupBy(entries, keyOf).values()].filter(group => sum(group, entry => entry.quantity) > 0).length

export const consignmentMetrics = (m: StockModel, filters: Filters): Row[] =>
  sortByEntry(
    listEntered(m, filters).map(c => {
      const lines = linesOf(m, c)
      const units = lines.map(
        entry => entry.logistic_unit_sscc_number || entry.logistic_unit_reference_number,
      )
      const moves = movesOf(m, c)
      const unitOf = (entry: Row) =>
        m.tables.find('warehouse_product', entry.warehouse_product_id).logistic_unit_id
      const [due, done] =
        c.type === inwards
          ? [c.expected_arrival_date_time, c.actual_receive_date_time]
          : [c.expected_dispatch_date_time, c.actual_dispatch_date_time]
      return {
        ...consignmentFields(m, c),
        lineCount: lines.length,
        logisticUnitCount:
          moves === null
            ? new Set(units.filter(Boolean)).size
            : countMoved(
                moves.filter(entry => unitOf(entry) !== null),
                unitOf,
              ),
        ...expectedFigures(lines),
        allocatedQuantity: sum(lines, line => line.allocated_quantity),
        allocatedWeightKG: sumAllocated(m, c, false, 'on_hand_weight_kg', 4),
        allocatedVolumeM3: sumAllocated(m, c, false, 'on_hand_volume_m3', 6),
        pickedQuantity: sum(lines, line => line.picked_quantity),
        pickedWeightKG: sumAllocated(m, c, true, 'on_hand_weight_kg', 4),
        pickedVolumeM3: sumAllocated(m, c, true, 'on_hand_volume_m3', 6),
        ...figures('received', lines, 'received_'),
        ...figures('dispatched', lines, 'dispatched_'),
        shortQuantity: sumOrNull(lines, line => missingQuantityOf(c, line)),
        shortWeightKG: sumOrNull(lines, line =>
          shareOf(line.expected_weight_kg, missingQuantityOf(c, line), line, 4),
        ),
        shortVolumeM3: sumOrNull(lines, line =>
          shareOf(line.expected_volume_m3, missingQuantityOf(c, line), line, 6),
        ),
        expectedArrivalDateTime: formatLocalTime(c.expected_arrival_date_time),
        expectedDispatchDateTime: formatLocalTime(c.expected_dispatch_date_time),
        expectedDeliveryDateTime: formatLocalTime(c.expected_delivery_date_time),
        actualReceiveDateTime: formatLocalTime(c.actual_receive_date_time),
        actualDispatchDateTime: formatLocalTime(c.actual_dispatch_date_time),
        isOnTime:
          due === null || done === null
            ? null
            : due.slice(11) === '00:00:00'
              ? done.slice(0, 10) <= due.slice(0, 10)
              : done <= due,
      }
    }),
  )

/** The product fields of a line. */
const lineProductFields = (m: StockModel, line: Row): Row => ({
  partnerProductId: line.product_id,
  partnerProductCode: m.tables.find('product', line.product_id).code ?? line.product_code,
  partnerProductName: m.tables.find('product', line.product_id).name ?? null,
})
const lineUnitFields = (m: StockModel, line: Row): Row => ({
  logisticUnitNumber:
    m.tables
      .all('logistic_unit')
      .find(unit => unit.sscc_number !== null && unit.sscc_number === line.logistic_unit_sscc_number)
      ?.logistic_unit_number ?? null,
  logisticUnitReferenceNumber: line.logistic_unit_reference_number,
  logisticUnitSsccNumber: line.logistic_unit_sscc_number,
})

function countSerials(m: StockModel, c: Row, line: Row): number {
  const moves = movesOf(m, c)?.filter(entry => entry.consignment_product_id === line.id)
  if (moves === undefined)
    return m.tables
      .all('consignment_product_item')
      .filter(item => item.consignment_product_id === line.id && item.serial !== null).length
  const items = moves.flatMap(entry =>
    m.tables
      .all('inventory_transaction_item')
      .filter(
        item => item.warehouse_product_id === entry.warehouse_product_id && item.version === entry.version,
      )
      .map(item => ({ ...item, quantity: Math.sign(entry.quantity) })),
  )
  return countMoved(items, item => item.warehouse_product_item_id)
}

export const consignmentProductDetail = (m: StockModel, filters: Filters): Row[] =>
  sortByEntry(
    listConsignments(m, filters)
      .filter(c => isInPeriod(c.date_entered.slice(0, 10), filters))
      .flatMap(c =>
        linesOf(m, c)
          .filter(line => matchesFilter(filters, 'partnerProductId', line.product_id))
          .map(line => ({
            ...consignmentFields(m, c),
            lineNumber: line.ordinal + 1,
            ...lineProductFields(m, line),
            goodsDescription: line.goods_description,
            ...batchFields(line),
            packageTypeCode: m.tables.find('package_type', line.package_type_id).code ?? null,
            ...lineUnitFields(m, line),
            criticalStockStatus: line.critical_stock_status,
            ...expectedFigures([line]),
            allocatedQuantity: line.allocated_quantity,
            pickedQuantity: line.picked_quantity,
            ...figures('received', [line], 'received_'),
            ...figures('dispatched', [line], 'dispatched_'),
            shortQuantity: missingQuantityOf(c, line),
            serialCount: countSerials(m, c, line),
          })),
      ),
    row => row.lineNumber,
  )

/** Lists what was received or dispatched for consignment lines, grouped by batch, unit and hold. */
function listMovedGoods(m: StockModel, filters: Filters, type: number, sign: number): Row[] {
  const { tables } = m
  const consignmentsById = new Map(listConsignments(m, filters).map(c => [c.id, c]))
  const moves = tables
    .all('inventory_transaction')
    .filter(move => move.type === type && consignmentsById.has(move.consignment_id))
    .map(move => {
      const row = tables.find('warehouse_product', move.warehouse_product_id)
      const line = tables.find('consignment_product', move.consignment_product_id)
      const c = consignmentsById.get(move.consignment_id) as Row
      const items = tables
        .all('inventory_transaction_item')
        .filter(
          item => item.warehouse_product_id === move.warehouse_product_id && item.version === move.version,
        )
        .map(item => tables.find('warehouse_product_item', item.warehouse_product_item_id).serial as string)
      const day = dayOf(move.effective_utc, m.warehouse(row).timezone_id)
      return { move, row, line, c, items, day }
    })
    .filter(
      ({ row, day }) =>
        matchesFilter(filters, 'partnerProductId', row.product_id) && isInPeriod(day, filters),
    )
  return groupBy(moves, entry => [
    entry.line.id,
    entry.row.product_id,
    entry.row.logistic_unit_id,
    batchFields(entry.row),
    m.hold(entry.row).kind ?? null,
  ])
    .map((group): Row => {
      const [first] = group
      const serials = new Map<string, number>()
      for (const { items, move } of group)
        for (const serial of items)
          serials.set(serial, (serials.get(serial) ?? 0) + Math.sign(move.quantity) * sign)
      const sumMoved = (column: string) => removeFloatNoise(sign * sum(group, entry => entry.move[column]))
      return {
        ...{ c: first?.c, line: first?.line, row: first?.row },
        movedAt: group
          .filter(({ move }) => move.quantity * sign > 0)
          .map(({ move, row }) => localOf(move.effective_utc, m.warehouse(row).timezone_id))
          .toSorted()
          .at(-1),
        figures: {
          Quantity: sumMoved('quantity'),
          WeightKG: sumMoved('weight_kg'),
          VolumeM3: sumMoved('volume_m3'),
        },
        serials: [...serials]
          .filter(([, count]) => count > 0)
          .map(([serial]) => serial)
          .toSorted(),
      }
    })
    .filter(group => group.figures.Quantity !== 0)
}

const withPrefix = (name: string, values: Row): Row =>
  Object.fromEntries(Object.entries(values).map(([end, value]) => [`${name}${end}`, value === 0 ? 0 : value]))

const sortGoods = (rows: Row[], time: string) =>
  sortBy(
    rows,
    row => row[time],
    row => row._number,
    row => row._line,
    row => row.partnerProductCode,
    row => row.batch ?? '',
    row => row.expiryDate,
    row => row.logisticUnitNumber ?? '',
    row => row.holdKind,
  )

export const consignmentProductReceived = (m: StockModel, filters: Filters): Row[] =>
  sortGoods(
    listMovedGoods(m, filters, 3, 1).map(({ c, line, row, movedAt, figures: moved, serials }) => ({
      ...consignmentFields(m, c),
      actualReceiveDateTime: movedAt,
      ...{
        ...m.productFields(row),
        ...batchFields(row),
        ...m.unitFields(row),
        holdKind: m.hold(row).kind ?? null,
      },
      ...withPrefix('received', moved),
      expectedQuantity: line.expected_quantity,
      differenceQuantity: removeFloatNoise(line.received_quantity - line.expected_quantity),
      serials,
      _line: line.ordinal,
    })),
    'actualReceiveDateTime',
  )

const consigneeFields = (c: Row): Row => ({
  consigneeName: c.destination_address?.name ?? null,
  consigneeCity: c.destination_address?.city ?? null,
})
const lastTracking = (m: StockModel, c: Row): Row =>
  sortBy(
    m.tables.all('consignment_tracking').filter(entry => entry.consignment_id === c.id),
    entry => entry.created_utc,
  ).at(-1) ?? {}

export const consignmentProductDispatched = (m: StockModel, filters: Filters): Row[] =>
  sortGoods(
    listMovedGoods(m, filters, 6, -1).map(({ c, line, row, movedAt, figures: moved, serials }) => ({
      ...consignmentFields(m, c),
      actualDispatchDateTime: movedAt,
      ...{ ...consigneeFields(c), trackingNumber: lastTracking(m, c).tracking_number ?? null },
      ...{ ...m.productFields(row), ...batchFields(row), ...m.unitFields(row) },
      ...withPrefix('dispatched', moved),
      expectedQuantity: line.expected_quantity,
      shortQuantity: removeFloatNoise(Math.max(0, line.expected_quantity - line.dispatched_quantity)),
      serials,
      _line: line.ordinal,
    })),
    'actualDispatchDateTime',
  )

const overdueDaysOf = (m: StockModel, c: Row, due: string | null, done: string | null): number | null =>
  due === null ? null : Math.max(0, daysBetween(due.slice(0, 10), done?.slice(0, 10) ?? today(m, c)))

export function consignmentProductDue(m: StockModel, filters: Filters): Row[] {
  const rows = listConsignments(m, { ...filters, consignmentType: filters.consignmentType ?? inwards })
    .filter(c => ![void_, complete, closed, inTransit].includes(c.status))
    .flatMap(c => {
      const due = c.type === inwards ? c.expected_arrival_date_time : c.expected_dispatch_date_time
      if (!isInPeriod(due?.slice(0, 10) ?? null, filters)) return []
      return linesOf(m, c)
        .filter(line => matchesFilter(filters, 'partnerProductId', line.product_id))
        .map(line => {
          const processed =
            c.type === inwards ? line.received_quantity : c.type === outwards ? line.dispatched_quantity : 0
          const left = removeFloatNoise(line.expected_quantity - processed)
          return {
            ...consignmentFields(m, c),
            dueDateTime: formatLocalTime(due),
            overdueDays: overdueDaysOf(m, c, due, null),
            containerNumber: c.container_number,
            ...{
              ...lineProductFields(m, line),
              ...batchFields(line),
              ...lineUnitFields(m, line),
              ...expectedFigures([line]),
            },
            processedQuantity: processed,
            dueQuantity: left,
            dueWeightKG: shareOf(line.expected_weight_kg, left, line, 4),
            dueVolumeM3: shareOf(line.expected_volume_m3, left, line, 6),
            _line: line.ordinal,
          }
        })
        .filter(row => row.dueQuantity > 0)
    })
  return sortBy(
    rows,
    row => row.dueDateTime,
    row => row._number,
    row => row._line,
  )
}

/** Lists consignments of a type for a report mode, with the time that the mode is about. */
function listForMode(
  m: StockModel,
  filters: Filters,
  type: number,
  actual: string,
  expected: string,
  endStatuses: number[],
): Row[] {
  const { modeType = 1, status: _, ...rest } = filters
  return listConsignments(m, { ...rest, consignmentType: type })
    .map(
      (c): Row => ({
        ...c,
        _time: modeType === 1 ? c.date_entered : modeType === 2 ? c[actual] : c[expected],
      }),
    )
    .filter(c => (modeType === 2 ? c[actual] !== null : modeType !== 3 || !endStatuses.includes(c.status)))
    .filter(c => isInPeriod(c._time?.slice(0, 10) ?? null, filters))
}

const sortForMode = (rows: Row[]) =>
  sortBy(
    rows,
    row => row._time,
    row => row._number,
  )

export const inwardConsignmentSummary = (m: StockModel, filters: Filters): Row[] =>
  sortForMode(
    listForMode(m, filters, inwards, 'actual_receive_date_time', 'expected_arrival_date_time', [
      complete,
      closed,
    ]).map(c => {
      const lines = linesOf(m, c)
      const ids = new Set(lines.map(({ id }) => id))
      const holds = m.tables
        .all('inventory_hold')
        .filter(hold => ids.has(hold.consignment_product_id) && hold.released_utc === null)
        .map(({ id }) => id)
      const held = m.tables.all('warehouse_product').filter(row => holds.includes(row.inventory_hold_id))
      return {
        ...consignmentFields(m, c),
        containerNumber: c.container_number,
        containerSize: c.container_size,
        vesselName: c.container_vessel_name,
        expectedArrivalDateTime: formatLocalTime(c.expected_arrival_date_time),
        actualReceiveDateTime: formatLocalTime(c.actual_receive_date_time),
        lineCount: lines.length,
        ...{ ...expectedFigures(lines), ...figures('received', lines, 'received_') },
        differenceQuantity: sumOrNull(lines, line =>
          removeFloatNoise(line.received_quantity - line.expected_quantity),
        ),
        holdQuantity: sum(held, row => row.on_hand_quantity),
        overdueDays: overdueDaysOf(m, c, c.expected_arrival_date_time, c.actual_receive_date_time),
        _time: c._time,
      }
    }),
  )

export const outwardConsignmentSummary = (m: StockModel, filters: Filters): Row[] =>
  sortForMode(
    listForMode(m, filters, outwards, 'actual_dispatch_date_time', 'expected_dispatch_date_time', [
      inTransit,
      complete,
      closed,
    ]).map(c => {
      const lines = linesOf(m, c)
      const pods = m.tables.all('consignment_pod').filter(pod => pod.consignment_id === c.id)
      return {
        ...{
          ...consignmentFields(m, c),
          ...consigneeFields(c),
          consigneeState: c.destination_address?.state ?? null,
        },
        expectedDispatchDateTime: formatLocalTime(c.expected_dispatch_date_time),
        actualDispatchDateTime: formatLocalTime(c.actual_dispatch_date_time),
        expectedDeliveryDateTime: formatLocalTime(c.expected_delivery_date_time),
        deliveredUtc: formatUtc(
          pods
            .map(pod => pod.event_utc)
            .toSorted()
            .at(-1),
        ),
        trackingStatus: lastTracking(m, c).status ?? null,
        trackingNumber: lastTracking(m, c).tracking_number ?? null,
        jobNumber: null,
        lineCount: lines.length,
        ...{ ...expectedFigures(lines), ...figures('dispatched', lines, 'dispatched_') },
        shortQuantity: sum(lines, line => missingQuantityOf(c, line)),
        overdueDays: overdueDaysOf(m, c, c.expected_dispatch_date_time, c.actual_dispatch_date_time),
        _time: c._time,
      }
    }),
  )
