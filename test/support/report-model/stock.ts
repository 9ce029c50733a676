// The expected rows of the stock reports, computed with plain loops over the tables.

import type { Row } from '../given-reports.ts'
import {
  dayOf,
  daysBetween,
  type Filters,
  formatUtc,
  groupBy,
  isInPeriod,
  localOf,
  matchesFilter,
  microsOf,
  removeFloatNoise,
  sortBy,
  sum,
  type Tables,
} from './tables.ts'

const figureNames = [
  ['Quantity', 'quantity'],
  ['WeightKG', 'weight_kg'],
  ['VolumeM3', 'volume_m3'],
] as const

/** Sums quantity, weight and volume of rows, in fields whose names begin with `name`. */
export const figures = (name: string, rows: readonly Row[], column: string): Row =>
  Object.fromEntries(
    figureNames.map(([end, figure]) => [`${name}${end}`, sum(rows, row => row[`${column}${figure}`])]),
  )

/** Looks up the records that a row of stock refers to, and formats their fields. */
export class StockModel {
  readonly tables: Tables
  readonly now: Date
  constructor(tables: Tables, now: Date) {
    this.tables = tables
    this.now = now
  }

  warehouse = (row: Row): Row => this.tables.find('warehouse', row.warehouse_id)
  partner = (row: Row): Row => this.tables.find('partner', row.partner_id)
  product = (row: Row): Row => this.tables.find('product', row.product_id)
  location = (row: Row): Row => this.tables.find('warehouse_location', row.warehouse_location_id)
  unit = (row: Row): Row => this.tables.find('logistic_unit', row.logistic_unit_id)
  hold = (row: Row): Row => this.tables.find('inventory_hold', row.inventory_hold_id)
  today = (row: Row): string => dayOf(this.now, this.warehouse(row).timezone_id)

  matches(row: Row, filters: Filters): boolean {
    return (
      matchesFilter(filters, 'warehouseId', row.warehouse_id) &&
      matchesFilter(filters, 'partnerId', row.partner_id) &&
      matchesFilter(filters, 'partnerProductId', row.product_id) &&
      matchesFilter(filters, 'warehouseLocationId', row.warehouse_location_id) &&
      matchesFilter(filters, 'warehouseZoneId', this.location(row).warehouse_zone_id)
    )
  }

  rows(filters: Filters, withDepleted = false): Row[] {
    return this.tables
      .all('warehouse_product')
      .filter(row => this.matches(row, filters) && (withDepleted || row.on_hand_quantity > 0))
  }

  isCritical(row: Row): boolean {
    return ['best_before_date', 'expiry', 'packaging_date', 'production_date', 'sell_by_date'].some(name => {
      const date = row[name === 'expiry' ? 'expiry_date' : name]
      const days =
        this.product(row)[`${name}_critical_threshold_days`] ??
        this.partner(row)[`product_${name}_critical_threshold_days`]
      return date !== null && days != null && daysBetween(this.today(row), date) <= days
    })
  }

  warehouseFields = (row: Row): Row => ({
    warehouseId: row.warehouse_id,
    warehouseName: this.warehouse(row).name,
  })
  clientFields = (row: Row): Row => ({ partnerId: row.partner_id, partnerName: this.partner(row).name })
  productFields = (row: Row): Row => ({
    partnerProductId: row.product_id,
    partnerProductCode: this.product(row).code,
    partnerProductName: this.product(row).name,
  })
  locationFields = (row: Row): Row => ({
    warehouseLocationId: row.warehouse_location_id,
    warehouseLocationName: this.location(row).name,
    warehouseLocationType: this.location(row).type,
    warehouseZoneName: this.tables.find('warehouse_zone', this.location(row).warehouse_zone_id).name ?? null,
  })
  unitFields = (row: Row): Row => ({
    logisticUnitNumber: this.unit(row).logistic_unit_number ?? null,
    logisticUnitReferenceNumber: this.unit(row).reference_number ?? null,
    logisticUnitSsccNumber: this.unit(row).sscc_number ?? null,
  })
}

/** The batch and date fields of a row. */
export const batchFields = (row: Row): Row => ({
  batch: row.batch,
  bestBeforeDate: row.best_before_date?.slice(0, 10) ?? null,
  expiryDate: row.expiry_date?.slice(0, 10) ?? null,
  packagingDate: row.packaging_date?.slice(0, 10) ?? null,
  productionDate: row.production_date?.slice(0, 10) ?? null,
  sellByDate: row.sell_by_date?.slice(0, 10) ?? null,
})

const namesOf = (row: Row) => [row.warehouseName, row.partnerName, row.partnerProductCode]
const sortByNames = (rows: Row[]) =>
  sortBy(
    rows,
    row => namesOf(row)[0],
    row => namesOf(row)[1],
    row => namesOf(row)[2],
    row => row.expiryDate,
    row => row.batch,
  )

export function stockOnHand(m: StockModel, filters: Filters): Row[] {
  const rows = m.rows(filters, filters.includeZeroQuantity === true)
  return sortByNames(
    groupBy(rows, row => [row.warehouse_id, row.product_id, row.batch, row.expiry_date]).map(group => {
      const [row = {}] = group
      return {
        ...{
          ...m.warehouseFields(row),
          ...m.clientFields(row),
          ...m.productFields(row),
          batch: row.batch,
          expiryDate: row.expiry_date,
        },
        ...figures('onHand', group, 'on_hand_'),
        availableQuantity: sum(group, entry => entry.available_quantity),
        allocatedQuantity: sum(group, entry => entry.allocated_quantity),
      }
    }),
  )
}

/** Lists ledger lines with their row of stock and the day in its warehouse. */
function ledger(m: StockModel, filters: Filters): Row[] {
  return m.tables
    .all('inventory_transaction')
    .filter(line => line.type !== 0)
    .map(line => ({ line, row: m.tables.find('warehouse_product', line.warehouse_product_id) }))
    .filter(({ row }) => m.matches(row, filters))
    .map(({ line, row }) => ({
      ...{
        ...line,
        _row: row,
        warehouse_id: row.warehouse_id,
        product_id: row.product_id,
        partner_id: row.partner_id,
      },
      _day: dayOf(line.effective_utc, m.warehouse(row).timezone_id),
    }))
}

export function stockBalance(m: StockModel, filters: Filters): Row[] {
  const groups = groupBy(ledger(m, filters), line => [line.warehouse_id, line.product_id])
  const rows = groups.map(lines => {
    const [row = {}] = lines
    const to = (filters.dateTo as string) ?? m.today(row)
    const from = (filters.dateFrom as string) ?? `${to.slice(0, 8)}01`
    const period = lines.filter(({ _day }) => _day >= from && _day <= to)
    const negative = (line: Row): Row => ({
      quantity: -line.quantity,
      weight_kg: -line.weight_kg,
      volume_m3: -line.volume_m3,
    })
    const before = lines.filter(({ _day }) => _day < from)
    const dispatched = period.filter(({ type }) => type === 6).map(negative)
    return {
      ...{ ...m.warehouseFields(row), ...m.clientFields(row), ...m.productFields(row) },
      ...figures('opening', before, ''),
      ...figures(
        'received',
        period.filter(({ type }) => type === 3),
        '',
      ),
      ...figures('dispatched', dispatched, ''),
      ...figures(
        'adjustment',
        period.filter(({ type }) => type === 1),
        '',
      ),
      ...figures('closing', [...before, ...period], ''),
    } as Row
  })
  const names = ['opening', 'received', 'dispatched', 'adjustment', 'closing']
  return sortByNames(rows.filter(row => names.some(name => row[`${name}Quantity`] !== 0)))
}

export function stockAge(m: StockModel, filters: Filters): Row[] {
  const ends = (filters.ageBrackets as number[] | undefined) ?? [30, 60, 90, 180]
  const brackets = [...ends, null].map((to, i) => ({ from: i === 0 ? 0 : (ends[i - 1] as number) + 1, to }))
  const rows = m
    .rows(filters)
    .map(row => ({ ...row, _age: Math.max(0, daysBetween(row.received_date, m.today(row))) }))
  return sortByNames(
    groupBy(rows, row => [row.warehouse_id, row.product_id]).map(group => {
      const [row = {}] = group
      const onHand = sum(group, entry => entry.on_hand_quantity)
      return {
        ...{ ...m.warehouseFields(row), ...m.clientFields(row), ...m.productFields(row) },
        oldestReceivedDate: group.map(entry => entry.received_date).toSorted()[0],
        averageAgeDays: Math.round(sum(group, entry => entry.on_hand_quantity * entry._age) / onHand),
        ...figures('onHand', group, 'on_hand_'),
        ageBrackets: brackets.map(({ from, to }) => {
          const inside = group.filter(entry => entry._age >= from && (to === null || entry._age <= to))
          const {
            xQuantity: quantity,
            xWeightKG: weightKG,
            xVolumeM3: volumeM3,
          } = figures('x', inside, 'on_hand_')
          return { fromDays: from, toDays: to, quantity, weightKG, volumeM3 }
        }),
      }
    }),
  )
}

export function stockPosition(m: StockModel, filters: Filters): Row[] {
  const rows = m.rows(filters).map(row => ({
    ...{
      ...m.warehouseFields(row),
      ...m.locationFields(row),
      ...m.unitFields(row),
      ...m.clientFields(row),
      ...m.productFields(row),
      ...batchFields(row),
    },
    attributes: row.attributes.map((entry: Row) => ({
      productAttributeId: entry.productAttributeId,
      name: m.tables.find('product_attribute', entry.productAttributeId).name,
      description: entry.description,
    })),
    receivedDate: row.received_date,
    receivedAgeDays: daysBetween(row.received_date, m.today(row)),
    isQuarantined: row.is_quarantined,
    holdKind: m.hold(row).kind ?? null,
    holdReason: m.hold(row).reason ?? null,
    isCritical: m.isCritical(row),
    ...figures('onHand', [row], 'on_hand_'),
    availableQuantity: row.available_quantity,
    allocatedQuantity: row.allocated_quantity,
    heldQuantity: row.inventory_hold_id === null ? 0 : row.on_hand_quantity,
    _order: m.location(row).walking_order,
    _id: row.id,
  }))
  return sortBy(
    rows,
    row => row.warehouseName,
    row => row._order,
    row => row.warehouseLocationName,
    row => row.partnerProductCode,
    row => row._id,
  )
}

export function stockSummary(m: StockModel, filters: Filters): Row[] {
  return sortByNames(
    groupBy(m.rows(filters), row => [row.warehouse_id, row.partner_id]).map(group => {
      const [row = {}] = group
      const different = (name: string) =>
        new Set(group.map(entry => entry[name]).filter(id => id !== null)).size
      return {
        ...{ ...m.warehouseFields(row), ...m.clientFields(row), productCount: different('product_id') },
        logisticUnitCount: different('logistic_unit_id'),
        locationCount: different('warehouse_location_id'),
        ...figures('onHand', group, 'on_hand_'),
        availableQuantity: sum(group, entry => entry.available_quantity),
        allocatedQuantity: sum(group, entry => entry.allocated_quantity),
        heldQuantity: sum(group, entry => (entry.inventory_hold_id === null ? 0 : entry.on_hand_quantity)),
        quarantinedQuantity: sum(group, entry => (entry.is_quarantined ? entry.on_hand_quantity : 0)),
        criticalQuantity: sum(group, entry => (m.isCritical(entry) ? entry.on_hand_quantity : 0)),
      }
    }),
  )
}

export function productTransactionDetail(m: StockModel, filters: Filters): Row[] {
  const { tables } = m
  const rows = ledger(m, filters)
    .filter(({ _day }) => isInPeriod(_day, filters))
    .map(line => {
      const row = line._row as Row
      return {
        transactionDateTime: localOf(line.effective_utc, m.warehouse(row).timezone_id),
        recordedUtc: formatUtc(line.recorded_utc),
        transactionType: line.type,
        consignmentNumber: tables.find('consignment', line.consignment_id).consignment_number ?? null,
        referenceNumber: tables.find('consignment', line.consignment_id).reference_number ?? null,
        jobNumber: tables.find('job', line.job_id).job_number ?? null,
        warehouseName: m.warehouse(row).name,
        partnerName: m.partner(row).name,
        partnerProductCode: m.product(row).code,
        partnerProductName: m.product(row).name,
        ...batchFields(row),
        locationName: m.location(row).name,
        logisticUnitNumber: m.unit(row).logistic_unit_number ?? null,
        ssccNumber: m.unit(row).sscc_number ?? null,
        quantity: line.quantity,
        weightKG: removeFloatNoise(line.weight_kg),
        volumeM3: removeFloatNoise(line.volume_m3),
        reason: line.reason,
        userName: line.user_name,
        isLate: line.is_late,
        movementId: line.movement_id,
        moveNumber: line.move_number,
        cause: line.cause,
        causeId: line.cause_id,
        _instant: microsOf(line.effective_utc),
        _movement: line.movement_id,
        _row: line.warehouse_product_id,
        _version: line.version,
      }
    })
  return sortBy(
    rows,
    row => row._instant,
    row => row._movement,
    row => row._row,
    row => row._version,
  )
}

export function locationStatus(m: StockModel, filters: Filters): Row[] {
  const { tables } = m
  const rows = tables
    .all('warehouse_location')
    .filter(
      entry =>
        matchesFilter(filters, 'warehouseId', entry.warehouse_id) &&
        matchesFilter(filters, 'warehouseZoneId', entry.warehouse_zone_id),
    )
    .map(location => {
      const here = tables.all('warehouse_product').filter(row => row.warehouse_location_id === location.id)
      const live = here.filter(row => row.on_hand_quantity > 0)
      const zone = m.warehouse(location).timezone_id
      const ids = new Set(here.map(({ id }) => id))
      const moved = tables
        .all('inventory_transaction')
        .filter(line => line.type !== 0 && ids.has(line.warehouse_product_id))
        .map(line => line.effective_utc as string)
      const last = sortBy(
        moved.map(instant => ({ instant, _at: Date.parse(instant) })),
        row => row._at,
      ).at(-1)?.instant
      const only = (names: string[]) => (new Set(names).size > 1 ? 'Several' : (names[0] ?? null))
      return {
        ...{ ...m.warehouseFields(location), ...m.locationFields({ warehouse_location_id: location.id }) },
        status: location.status,
        walkingOrder: location.walking_order,
        isPickface: location.is_pickface,
        isEmpty: live.length === 0,
        partnerName: only(live.map(row => m.partner(row).name)),
        partnerProductCode: only(live.map(row => m.product(row).code)),
        productCount: new Set(live.map(row => row.product_id)).size,
        logisticUnitCount: new Set(live.map(row => row.logistic_unit_id).filter(id => id !== null)).size,
        ...figures('onHand', live, 'on_hand_'),
        allocatedQuantity: sum(live, row => row.allocated_quantity),
        heldQuantity: sum(live, row => (row.inventory_hold_id === null ? 0 : row.on_hand_quantity)),
        lastMovementDateTime: last === undefined ? null : localOf(last, zone),
        emptyDays:
          live.length > 0 || last === undefined ? null : daysBetween(dayOf(last, zone), m.today(location)),
      }
    })
  return sortBy(
    rows,
    row => row.walkingOrder,
    row => row.warehouseLocationName,
    row => row.warehouseLocationId,
  )
}
