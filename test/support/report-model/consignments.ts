// What reports of consignments must say, by plain loops over the tables.

import type { Row } from '../given-reports.ts'
import { described, figures, type StockModel } from './stock.ts'
import {
  dayOf,
  daysBetween,
  exact,
  type Filters,
  fits,
  grouped,
  isInPeriod,
  sorted,
  sum,
  sumOrNull,
  told,
  utc,
} from './tables.ts'

const [inwards, outwards] = [1, 2]
const [void_, complete, closed, inTransit] = [-2, 0, 6, 7]

const linesOf = (m: StockModel, { id }: Row): Row[] =>
  m.tables.all('consignment_product').filter(line => line.consignment_id === id)
const client = (m: StockModel, c: Row) => m.tables.of('partner', c.client_id)
const carrier = (m: StockModel, c: Row) => m.tables.of('partner', c.carrier_id)
const today = (m: StockModel, c: Row) => dayOf(m.now, m.tables.of('warehouse', c.warehouse_id).timezone_id)

/** The columns that every report of consignments begins with. */
const consignment = (m: StockModel, c: Row): Row => ({
  consignmentId: c.id,
  consignmentNumber: c.consignment_number,
  referenceNumber: c.reference_number,
  consignmentType: c.type,
  status: c.status,
  dateEntered: told(c.date_entered),
  clientCode: client(m, c).code,
  clientName: client(m, c).name,
  carrierCode: carrier(m, c).code ?? null,
  carrierName: carrier(m, c).name ?? null,
  warehouseName: m.tables.of('warehouse', c.warehouse_id).name ?? null,
  _number: c.number,
})

/** The consignments that filters let through, their dates and product aside. */
const consignments = (m: StockModel, filters: Filters): Row[] =>
  m.tables
    .all('consignment')
    .filter(
      c =>
        fits(filters, 'warehouseId', c.warehouse_id) &&
        fits(filters, 'partnerId', c.client_id) &&
        fits(filters, 'carrierId', c.carrier_id) &&
        fits(filters, 'consignmentType', c.type) &&
        (filters.status === undefined
          ? c.status !== void_
          : filters.status === -1
            ? ![void_, closed].includes(c.status)
            : c.status === filters.status),
    )

const entered = (m: StockModel, filters: Filters): Row[] =>
  consignments(m, filters).filter(
    c =>
      isInPeriod(c.date_entered.slice(0, 10), filters) &&
      (filters.partnerProductId === undefined ||
        linesOf(m, c).some(line => line.product_id === filters.partnerProductId)),
  )

const byEntry = (rows: Row[], ...more: ((row: Row) => unknown)[]) =>
  sorted(
    rows,
    row => row.dateEntered,
    row => row._number,
    ...more,
  )

export const consignmentConsumables = (m: StockModel, filters: Filters): Row[] =>
  byEntry(
    entered(m, filters).flatMap(c =>
      m.tables
        .all('consignment_consumable')
        .filter(
          entry =>
            entry.consignment_id === c.id && fits(filters, 'consumableTypeId', entry.consumable_type_id),
        )
        .map(entry => ({
          ...consignment(m, c),
          consumableTypeName: m.tables.of('consumable_type', entry.consumable_type_id).name,
          value: entry.value,
        })),
    ),
  )

export const consignmentTasks = (m: StockModel, filters: Filters): Row[] =>
  byEntry(
    entered(m, filters).flatMap(c =>
      m.tables
        .all('consignment_task')
        .filter(entry => entry.consignment_id === c.id && fits(filters, 'taskTypeId', entry.task_type_id))
        .map(entry => ({
          ...consignment(m, c),
          taskTypeCode: m.tables.of('task_type', entry.task_type_id).code,
          taskTypeName: m.tables.of('task_type', entry.task_type_id).name,
          value: entry.value,
        })),
    ),
  )

/** What of a line is neither there nor promised. */
function shortOf(c: Row, line: Row): number | null {
  if (c.type === inwards) return Math.max(0, line.expected_quantity - line.received_quantity)
  if (c.type !== outwards) return null
  const { allocated_quantity: allocated, picked_quantity: picked, dispatched_quantity: dispatched } = line
  return exact(Math.max(0, line.expected_quantity - allocated - picked - dispatched))
}

const round = (value: number, places: number) => Number(value.toFixed(places))
const share = (of: number | null, part: number | null, line: Row, places: number): number | null =>
  of === null || part === null || line.expected_quantity === 0
    ? null
    : round((of * part) / line.expected_quantity, places)

const expectedFigures = (lines: readonly Row[]): Row => ({
  expectedQuantity: sumOrNull(lines, line => line.expected_quantity),
  expectedWeightKG: sumOrNull(lines, line => line.expected_weight_kg),
  expectedVolumeM3: sumOrNull(lines, line => line.expected_volume_m3),
})

/** Weight and volume of what is promised to a consignment, as a part of that of its rows of stock. */
const promised = (m: StockModel, c: Row, isPicked: boolean, column: string, places: number): number =>
  sum(
    m.tables
      .all('inventory_allocation')
      .filter(entry => entry.consignment_id === c.id && entry.is_picked === isPicked),
    entry => {
      const row = m.tables.of('warehouse_product', entry.warehouse_product_id)
      return round((row[column] * entry.quantity) / row.on_hand_quantity, places)
    },
  )

export const consignmentMetrics = (m: StockModel, filters: Filters): Row[] =>
  byEntry(
    entered(m, filters).map(c => {
      const lines = linesOf(m, c)
      const units = lines.map(
        entry => entry.logistic_unit_sscc_number || entry.logistic_unit_reference_number,
      )
      const [due, done] =
        c.type === inwards
          ? [c.expected_arrival_date_time, c.actual_receive_date_time]
          : [c.expected_dispatch_date_time, c.actual_dispatch_date_time]
      return {
        ...consignment(m, c),
        lineCount: lines.length,
        logisticUnitCount: new Set(units.filter(Boolean)).size,
        ...expectedFigures(lines),
        allocatedQuantity: sum(lines, line => line.allocated_quantity),
        allocatedWeightKG: promised(m, c, false, 'on_hand_weight_kg', 4),
        allocatedVolumeM3: promised(m, c, false, 'on_hand_volume_m3', 6),
        pickedQuantity: sum(lines, line => line.picked_quantity),
        pickedWeightKG: promised(m, c, true, 'on_hand_weight_kg', 4),
        pickedVolumeM3: promised(m, c, true, 'on_hand_volume_m3', 6),
        ...figures('received', lines, 'received_'),
        ...figures('dispatched', lines, 'dispatched_'),
        shortQuantity: sumOrNull(lines, line => shortOf(c, line)),
        shortWeightKG: sumOrNull(lines, line => share(line.expected_weight_kg, shortOf(c, line), line, 4)),
        shortVolumeM3: sumOrNull(lines, line => share(line.expected_volume_m3, shortOf(c, line), line, 6)),
        expectedArrivalDateTime: told(c.expected_arrival_date_time),
        expectedDispatchDateTime: told(c.expected_dispatch_date_time),
        expectedDeliveryDateTime: told(c.expected_delivery_date_time),
        actualReceiveDateTime: told(c.actual_receive_date_time),
        actualDispatchDateTime: told(c.actual_dispatch_date_time),
        isOnTime: due === null || done === null ? null : done <= due,
      }
    }),
  )

/** The product of a line. */
const lineGoods = (m: StockModel, line: Row): Row => ({
  partnerProductId: line.product_id,
  partnerProductCode: m.tables.of('product', line.product_id).code ?? line.product_code,
  partnerProductName: m.tables.of('product', line.product_id).name ?? null,
})
const lineUnit = (m: StockModel, line: Row): Row => ({
  logisticUnitNumber:
    m.tables
      .all('logistic_unit')
      .find(unit => unit.sscc_number !== null && unit.sscc_number === line.logistic_unit_sscc_number)
      ?.logistic_unit_number ?? null,
  logisticUnitReferenceNumber: line.logistic_unit_reference_number,
  logisticUnitSsccNumber: line.logistic_unit_sscc_number,
})

export const consignmentProductDetail = (m: StockModel, filters: Filters): Row[] =>
  byEntry(
    consignments(m, filters)
      .filter(c => isInPeriod(c.date_entered.slice(0, 10), filters))
      .flatMap(c =>
        linesOf(m, c)
          .filter(line => fits(filters, 'partnerProductId', line.product_id))
          .map(line => ({
            ...consignment(m, c),
            lineNumber: line.ordinal + 1,
            ...lineGoods(m, line),
            goodsDescription: line.goods_description,
            ...described(line),
            packageTypeCode: m.tables.of('package_type', line.package_type_id).code ?? null,
            ...lineUnit(m, line),
            criticalStockStatus: line.critical_stock_status,
            ...expectedFigures([line]),
            allocatedQuantity: line.allocated_quantity,
            pickedQuantity: line.picked_quantity,
            ...figures('received', [line], 'received_'),
            ...figures('dispatched', [line], 'dispatched_'),
            shortQuantity: shortOf(c, line),
            serialCount: m.tables
              .all('consignment_product_item')
              .filter(item => item.consignment_product_id === line.id && item.serial !== null).length,
          })),
      ),
    row => row.lineNumber,
  )

/** What came in or went out for lines, by what the goods are. */
function movedGoods(m: StockModel, filters: Filters, type: number, sign: number): Row[] {
  const { tables } = m
  const known = new Map(consignments(m, filters).map(c => [c.id, c]))
  const moves = tables
    .all('inventory_transaction')
    .filter(move => move.type === type && known.has(move.consignment_id))
    .map(move => {
      const row = tables.of('warehouse_product', move.warehouse_product_id)
      const line = tables.of('consignment_product', move.consignment_product_id)
      const c = known.get(move.consignment_id) as Row
      const items = tables
        .all('inventory_transaction_item')
        .filter(
          item => item.warehouse_product_id === move.warehouse_product_id && item.version === move.version,
        )
        .map(item => tables.of('warehouse_product_item', item.warehouse_product_item_id).serial as string)
      const day = dayOf(move.effective_utc, m.warehouse(row).timezone_id)
      return { move, row, line, c, items, day }
    })
    .filter(({ line, day }) => fits(filters, 'partnerProductId', line.product_id) && isInPeriod(day, filters))
  return grouped(moves, entry => [
    entry.line.id,
    entry.row.logistic_unit_id,
    described(entry.row),
    m.hold(entry.row).kind ?? null,
  ])
    .map((group): Row => {
      const [first] = group
      const serials = new Map<string, number>()
      for (const { items, move } of group)
        for (const serial of items)
          serials.set(serial, (serials.get(serial) ?? 0) + Math.sign(move.quantity) * sign)
      const of = (column: string) => exact(sign * sum(group, entry => entry.move[column]))
      return {
        ...{ c: first?.c, line: first?.line, row: first?.row },
        figures: { Quantity: of('quantity'), WeightKG: of('weight_kg'), VolumeM3: of('volume_m3') },
        serials: [...serials]
          .filter(([, count]) => count > 0)
          .map(([serial]) => serial)
          .toSorted(),
      }
    })
    .filter(group => group.figures.Quantity !== 0)
}

const named = (name: string, values: Row): Row =>
  Object.fromEntries(Object.entries(values).map(([end, value]) => [`${name}${end}`, value === 0 ? 0 : value]))

const inGoodsOrder = (rows: Row[], time: string) =>
  sorted(
    rows,
    row => row[time],
    row => row._number,
    row => row._line,
    row => row.batch ?? '',
    row => row.expiryDate,
    row => row.logisticUnitNumber ?? '',
    row => row.holdKind,
  )

export const consignmentProductReceived = (m: StockModel, filters: Filters): Row[] =>
  inGoodsOrder(
    movedGoods(m, filters, 3, 1).map(({ c, line, row, figures: moved, serials }) => ({
      ...consignment(m, c),
      actualReceiveDateTime: told(c.actual_receive_date_time),
      ...{ ...lineGoods(m, line), ...described(row), ...m.on(row), holdKind: m.hold(row).kind ?? null },
      ...named('received', moved),
      expectedQuantity: line.expected_quantity,
      differenceQuantity: exact(line.received_quantity - line.expected_quantity),
      serials,
      _line: line.ordinal,
    })),
    'actualReceiveDateTime',
  )

const consignee = (c: Row): Row => ({
  consigneeName: c.destination_address?.name ?? null,
  consigneeCity: c.destination_address?.city ?? null,
})
const lastTracking = (m: StockModel, c: Row): Row =>
  sorted(
    m.tables.all('consignment_tracking').filter(entry => entry.consignment_id === c.id),
    entry => entry.created_utc,
  ).at(-1) ?? {}

export const consignmentProductDispatched = (m: StockModel, filters: Filters): Row[] =>
  inGoodsOrder(
    movedGoods(m, filters, 6, -1).map(({ c, line, row, figures: moved, serials }) => ({
      ...consignment(m, c),
      actualDispatchDateTime: told(c.actual_dispatch_date_time),
      ...{ ...consignee(c), trackingNumber: lastTracking(m, c).tracking_number ?? null },
      ...{ ...lineGoods(m, line), ...described(row), ...m.on(row) },
      ...named('dispatched', moved),
      expectedQuantity: line.expected_quantity,
      shortQuantity: exact(Math.max(0, line.expected_quantity - line.dispatched_quantity)),
      serials,
      _line: line.ordinal,
    })),
    'actualDispatchDateTime',
  )

const overdue = (m: StockModel, c: Row, due: string | null, done: string | null): number | null =>
  due === null ? null : Math.max(0, daysBetween(due.slice(0, 10), done?.slice(0, 10) ?? today(m, c)))

export function consignmentProductDue(m: StockModel, filters: Filters): Row[] {
  const rows = consignments(m, { ...filters, consignmentType: filters.consignmentType ?? inwards })
    .filter(c => ![complete, closed, inTransit].includes(c.status))
    .flatMap(c => {
      const due = c.type === inwards ? c.expected_arrival_date_time : c.expected_dispatch_date_time
      if (!isInPeriod(due?.slice(0, 10) ?? null, filters)) return []
      return linesOf(m, c)
        .filter(line => fits(filters, 'partnerProductId', line.product_id))
        .map(line => {
          const processed =
            c.type === inwards ? line.received_quantity : c.type === outwards ? line.dispatched_quantity : 0
          const left = exact(line.expected_quantity - processed)
          return {
            ...consignment(m, c),
            dueDateTime: told(due),
            overdueDays: overdue(m, c, due, null),
            containerNumber: c.container_number,
            ...{
              ...lineGoods(m, line),
              ...described(line),
              ...lineUnit(m, line),
              ...expectedFigures([line]),
            },
            processedQuantity: processed,
            dueQuantity: left,
            dueWeightKG: share(line.expected_weight_kg, left, line, 4),
            dueVolumeM3: share(line.expected_volume_m3, left, line, 6),
            _line: line.ordinal,
          }
        })
        .filter(row => row.dueQuantity > 0)
    })
  return sorted(
    rows,
    row => row.dueDateTime,
    row => row._number,
    row => row._line,
  )
}

/** Consignments of a type in a mode, with the time that it is about. */
function ofMode(
  m: StockModel,
  filters: Filters,
  type: number,
  actual: string,
  expected: string,
  over: number[],
): Row[] {
  const { modeType = 1, status: _, ...rest } = filters
  return consignments(m, { ...rest, consignmentType: type })
    .map(
      (c): Row => ({
        ...c,
        _time: modeType === 1 ? c.date_entered : modeType === 2 ? c[actual] : c[expected],
      }),
    )
    .filter(c => (modeType === 2 ? c[actual] !== null : modeType !== 3 || !over.includes(c.status)))
    .filter(c => isInPeriod(c._time?.slice(0, 10) ?? null, filters))
}

const inModeOrder = (rows: Row[]) =>
  sorted(
    rows,
    row => row._time,
    row => row._number,
  )

export const inwardConsignmentSummary = (m: StockModel, filters: Filters): Row[] =>
  inModeOrder(
    ofMode(m, filters, inwards, 'actual_receive_date_time', 'expected_arrival_date_time', [
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
        ...consignment(m, c),
        containerNumber: c.container_number,
        containerSize: c.container_size,
        vesselName: c.container_vessel_name,
        expectedArrivalDateTime: told(c.expected_arrival_date_time),
        actualReceiveDateTime: told(c.actual_receive_date_time),
        lineCount: lines.length,
        ...{ ...expectedFigures(lines), ...figures('received', lines, 'received_') },
        differenceQuantity: sumOrNull(lines, line => exact(line.received_quantity - line.expected_quantity)),
        holdQuantity: sum(held, row => row.on_hand_quantity),
        overdueDays: overdue(m, c, c.expected_arrival_date_time, c.actual_receive_date_time),
        _time: c._time,
      }
    }),
  )

export const outwardConsignmentSummary = (m: StockModel, filters: Filters): Row[] =>
  inModeOrder(
    ofMode(m, filters, outwards, 'actual_dispatch_date_time', 'expected_dispatch_date_time', [
      inTransit,
      complete,
      closed,
    ]).map(c => {
      const lines = linesOf(m, c)
      const pods = m.tables.all('consignment_pod').filter(pod => pod.consignment_id === c.id)
      return {
        ...{ ...consignment(m, c), ...consignee(c), consigneeState: c.destination_address?.state ?? null },
        expectedDispatchDateTime: told(c.expected_dispatch_date_time),
        actualDispatchDateTime: told(c.actual_dispatch_date_time),
        expectedDeliveryDateTime: told(c.expected_delivery_date_time),
        deliveredUtc: utc(
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
        shortQuantity: sum(lines, line => shortOf(c, line)),
        overdueDays: overdue(m, c, c.expected_dispatch_date_time, c.actual_dispatch_date_time),
        _time: c._time,
      }
    }),
  )
