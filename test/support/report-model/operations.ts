// The expected rows of the reports of money, counts and pickfaces, computed with plain loops over the tables.

import type { Row } from '../given-reports.ts'
import { today } from './consignments.ts'
import { batchFields, type StockModel } from './stock.ts'
import {
  dayOf,
  type Filters,
  formatUtc,
  groupBy,
  isInPeriod,
  matchesFilter,
  removeFloatNoise,
  sortBy,
  sum,
  sumOrNull,
} from './tables.ts'

const voided = 3

/** Lists transactions that are not Void, with their partner, schedule and consignment. */
const listTransactions = (m: StockModel): Row[] =>
  m.tables
    .all('schedule_transaction')
    .filter(({ status }) => status !== voided)
    .map(t => ({
      ...{ t, _id: t.id },
      p: m.tables.find('partner', t.partner_id),
      s: m.tables.find('partner_schedule', t.partner_schedule_id),
      c: m.tables.find('consignment', t.consignment_id),
    }))

const kindFields = ({ t }: Row): Row => ({
  transactionType: t.type,
  activityName: t.activity_name,
  activityCode: t.activity_code,
  particulars: t.particulars,
})
const amountFields = ({ t }: Row): Row => ({
  taxRatePercent: t.tax_rate_percent,
  quantity: t.quantity,
  chargeRateExclTax: t.charge_rate_excl_tax,
  chargeApplication: t.charge_application,
  baseChargeExclTax: t.base_charge_excl_tax,
  minChargeExclTax: t.min_charge_excl_tax,
  maxChargeExclTax: t.max_charge_excl_tax,
  amountExclTax: t.amount_excl_tax,
  _id: t.id,
})
const scheduleFields = ({ s }: Row): Row => ({
  scheduleStatus: s.status ?? null,
  scheduleReference: s.reference_number ?? null,
})
const consignmentFields = ({ t, c }: Row): Row => ({
  consignmentNumber: t.consignment_number,
  referenceNumber: t.consignment_reference_number,
  consigneeName: c.destination_address?.name ?? null,
})
const accountFields = ({ t }: Row): Row => ({
  revenueAccountCode: t.revenue_account_code,
  costCentreCode: t.cost_centre_code,
})

const sortTransactions = (rows: Row[], partner: string) =>
  sortBy(
    rows,
    row => row[partner],
    row => row.transactionDate,
    row => row.consignmentNumber,
    row => row._id,
  )

export const carrierCharges = (m: StockModel, filters: Filters): Row[] =>
  sortTransactions(
    listTransactions(m)
      .filter(
        ({ t, p }) =>
          p.relationship === 2 &&
          isInPeriod(t.date, filters) &&
          matchesFilter(filters, 'carrierPartnerId', p.id),
      )
      .map(entry => ({
        ...{ carrierName: entry.p.name, transactionDate: entry.t.date },
        ...{
          ...scheduleFields(entry),
          ...kindFields(entry),
          ...consignmentFields(entry),
          ...amountFields(entry),
        },
      })),
    'carrierName',
  )

export const clientCharges = (m: StockModel, filters: Filters): Row[] =>
  sortTransactions(
    listTransactions(m)
      .filter(
        ({ t, p }) =>
          p.relationship === 1 &&
          isInPeriod(t.date, filters) &&
          matchesFilter(filters, 'clientPartnerId', p.id) &&
          matchesFilter(filters, 'transactionType', t.type) &&
          matchesFilter(filters, 'costCentreId', t.cost_centre_id) &&
          matchesFilter(filters, 'revenueAccountId', t.revenue_account_id),
      )
      .map(entry => ({
        ...{ clientName: entry.p.name, clientCode: entry.p.code, externalId: entry.p.external_id },
        transactionDate: entry.t.date,
        ...{
          ...scheduleFields(entry),
          ...kindFields(entry),
          ...consignmentFields(entry),
          containerNumber: entry.c.container_number,
        },
        ...{ ...accountFields(entry), ...amountFields(entry) },
      })),
    'clientName',
  )

const matchesScheduleFilters = (filters: Filters, p: Row, s: Row): boolean =>
  isInPeriod(s.date, filters, 'scheduleDateFrom', 'scheduleDateTo') &&
  matchesFilter(filters, 'scheduleStatus', s.status) &&
  matchesFilter(filters, 'partnerId', p.id) &&
  matchesFilter(filters, 'partnerRelationship', p.relationship)

export const scheduledTransactions = (m: StockModel, filters: Filters): Row[] =>
  sortTransactions(
    listTransactions(m)
      .filter(({ p, s }) => s.id !== undefined && matchesScheduleFilters(filters, p, s))
      .map(entry => ({
        ...{ partnerName: entry.p.name, scheduleDate: entry.s.date, scheduleStatus: entry.s.status },
        ...{ referenceNumber: entry.s.reference_number, description: entry.s.description },
        ...{
          transactionDate: entry.t.date,
          ...kindFields(entry),
          consignmentNumber: entry.t.consignment_number,
        },
        containerNumber: entry.c.container_number,
        consignmentReferenceNumber: entry.t.consignment_reference_number,
        ...{ ...accountFields(entry), ...amountFields(entry) },
      })),
    'partnerName',
  )

export function scheduleSummary(m: StockModel, filters: Filters): Row[] {
  const exports = m.tables.all('partner_schedule_export')
  const rows = m.tables.all('partner_schedule').map((s): Row => {
    const p = m.tables.find('partner', s.partner_id)
    const entries = m.tables.all('schedule_transaction').filter(t => t.partner_schedule_id === s.id)
    const amount = sum(entries, t => t.amount_excl_tax)
    const byRate = groupBy(entries, t => `${t.tax_rate_id} ${t.tax_rate_percent}`)
    // Computed in whole cents, because doubles are inexact at halves.
    const tax = sum(byRate, rate => {
      const [first] = rate as unknown as Row[]
      const cents = Math.round(sum(rate as unknown as Row[], t => t.amount_excl_tax) * 100)
      return Math.floor((cents * first?.tax_rate_percent) / 100 + 0.5) / 100
    })
    const exported = exports.find(entry => entry.partner_schedule_id === s.id)
    return {
      ...{ partnerId: p.id, partnerCode: p.code, partnerName: p.name, partnerRelationship: p.relationship },
      ...{ scheduleDate: s.date, scheduleStatus: s.status, referenceNumber: s.reference_number },
      ...{
        description: s.description,
        invoiceNumber: s.invoice_number,
        dueDate: s.due_date,
        transactionCount: entries.length,
        amountExclTax: amount,
        taxAmount: tax,
      },
      amountInclTax: removeFloatNoise(amount + tax),
      isExported: exported !== undefined,
      externalUrl: exported?.external_url ?? null,
      _id: s.id,
      _isMatch:
        matchesScheduleFilters(filters, p, s) && matchesFilter(filters, 'isExported', exported !== undefined),
    }
  })
  return sortBy(
    rows.filter(({ _isMatch }) => _isMatch),
    row => -Date.parse(row.scheduleDate),
    row => row.partnerName,
    row => row._id,
  )
}

export function freightMargin(m: StockModel, filters: Filters): Row[] {
  const rows = m.tables.all('consignment').flatMap((c): Row[] => {
    const charges = m.tables
      .all('consignment_charge')
      .filter(entry => entry.consignment_id === c.id && entry.is_included && entry.charge_type >= 4)
    if (charges.length === 0 || c.status === -2) return []
    const client = m.tables.find('partner', c.client_id)
    const lines = m.tables.all('consignment_product').filter(line => line.consignment_id === c.id)
    const charged = sum(charges, entry => (entry.charge_type < 7 ? entry.amount_excl_tax : 0))
    const incurred = sumOrNull(charges, entry => (entry.charge_type < 7 ? null : entry.amount_excl_tax))
    const margin = incurred === null ? null : removeFloatNoise(charged - incurred)
    const percent =
      margin === null
        ? null
        : charged > 0
          ? removeFloatNoise((margin / charged) * 100)
          : (incurred ?? 0) > 0
            ? -100
            : null
    const doneAt = [c.date_entered, c.actual_receive_date_time, c.actual_dispatch_date_time][c.type]
    const isOver = c.type === 1 ? c.status === 0 || c.status === 6 : c.type === 2 && doneAt !== null
    const moved = c.type === 1 ? 'received' : 'dispatched'
    const kind = isOver && lines.some(line => line[`${moved}_quantity`] > 0) ? moved : 'expected'
    const figureOf = (line: Row, figure: string) => {
      const own = line[`${kind}_${figure}`]
      if (own !== null && (own !== 0 || kind === 'expected')) return own
      const each = m.tables.find('product', line.product_id)[figure]
      return each === null || each === undefined ? null : removeFloatNoise(line[`${kind}_quantity`] * each)
    }
    const threshold = client.freight_warning_type === 0 ? null : client.freight_warning_threshold
    const compared = client.freight_warning_type === 1 ? margin : percent
    return [
      {
        ...{ consignmentNumber: c.consignment_number, clientName: client.name },
        carrierName: m.tables.find('partner', c.carrier_id).name ?? null,
        warehouseName: m.tables.find('warehouse', c.warehouse_id).name ?? null,
        originName: c.origin_address?.name ?? null,
        destinationName: c.destination_address?.name ?? null,
        chargeDate: (doneAt ?? c.closed_transaction_date)?.slice(0, 10) ?? today(m, c),
        quantity: sumOrNull(lines, line => line[`${kind}_quantity`]),
        weightKG: sumOrNull(lines, line => figureOf(line, 'weight_kg')),
        volumeM3: sumOrNull(lines, line => figureOf(line, 'volume_m3')),
        ...{
          chargedExclTax: charged,
          chargedFafExclTax: 0,
          incurredExclTax: incurred,
          marginExclTax: margin,
        },
        ...{ marginPercent: percent, threshold },
        isBelowThreshold: threshold !== null && compared !== null && compared < threshold,
        isFrozen: c.status === 6,
        _c: c,
      },
    ]
  })
  return sortBy(
    rows.filter(
      row =>
        isInPeriod(row.chargeDate, filters) &&
        matchesFilter(filters, 'clientPartnerId', row._c.client_id) &&
        matchesFilter(filters, 'carrierPartnerId', row._c.carrier_id) &&
        matchesFilter(filters, 'warehouseId', row._c.warehouse_id) &&
        matchesFilter(filters, 'isBelowThreshold', row.isBelowThreshold),
    ),
    row => row.chargeDate,
    row => row._c.number,
  )
}

/** Lists the active pickfaces with their stock. */
const listPickfaces = (m: StockModel, filters: Filters): Row[] =>
  m.tables
    .all('warehouse_location')
    .filter(
      entry =>
        entry.is_pickface &&
        entry.status === 1 &&
        matchesFilter(filters, 'warehouseId', entry.warehouse_id) &&
        matchesFilter(filters, 'warehouseZoneId', entry.warehouse_zone_id),
    )
    .map(pickface => {
      const stock = m.rows({ warehouseLocationId: pickface.id })
      const productStock = stock.filter(row => row.product_id === pickface.product_id)
      const isFresh = (row: Row) => row.expiry_date === null || row.expiry_date >= m.today(row)
      return {
        ...{ pickface, stock, productStock },
        available: sum(productStock, row => (isFresh(row) ? row.available_quantity : 0)),
        isUsable: stock.some(row => row.inventory_hold_id === null && !row.is_quarantined && isFresh(row)),
      }
    })

const sortByWalkingOrder = (rows: Row[], ...more: ((row: Row) => unknown)[]) =>
  sortBy(
    rows,
    row => row._order,
    row => row._name,
    ...more,
  )

export function pickfaceException(m: StockModel, filters: Filters): Row[] {
  const rows = listPickfaces(m, filters).flatMap(({ pickface, stock, productStock, available, isUsable }) => {
    const products = new Set(stock.map((row: Row) => row.product_id))
    const others = stock.filter((row: Row) => row.product_id !== pickface.product_id)
    const product = m.tables.find('product', pickface.product_id)
    const elsewhere = m
      .rows({ warehouseId: pickface.warehouse_id, partnerProductId: pickface.product_id ?? 'none' })
      .filter(row => row.warehouse_location_id !== pickface.id)
    const hasProduct = pickface.product_id !== null
    const faults: [number, boolean][] = [
      [1, !hasProduct],
      [2, stock.length === 0],
      [3, stock.length > 0 && pickface.min_quantity !== null && available < pickface.min_quantity],
      [4, hasProduct && others.length > 0],
      [5, products.size > 1],
      [6, stock.length > 0 && !isUsable],
      [7, hasProduct && pickface.target_quantity === null],
    ]
    return faults
      .filter(([, applies]) => applies)
      .map(([exceptionType]) => ({
        ...{
          ...m.warehouseFields(pickface),
          ...m.locationFields({ warehouse_location_id: pickface.id }),
          exceptionType,
        },
        partnerId: product.partner_id ?? null,
        partnerName: m.tables.find('partner', product.partner_id).name ?? null,
        ...{ partnerProductId: pickface.product_id, partnerProductCode: product.code ?? null },
        partnerProductName: product.name ?? null,
        foundProductCode: others.map((row: Row) => m.product(row).code).toSorted()[0] ?? null,
        ...{ minQuantity: pickface.min_quantity, targetQuantity: pickface.target_quantity },
        onHandQuantity: sum(productStock, row => row.on_hand_quantity),
        availableQuantity: available,
        elsewhereQuantity: sum(elsewhere, row => row.available_quantity),
        ...{ _order: pickface.walking_order, _name: pickface.name },
      }))
  })
  return sortByWalkingOrder(rows, row => row.exceptionType)
}

/** Lists the pickfaces with a product. Suggestions are sums only, because rotation has its own tests. */
export function pickfaceReplenishment(m: StockModel, filters: Filters): Row[] {
  const remaining = new Map<string, number>()
  const rows = sortByWalkingOrder(
    listPickfaces(m, filters)
      .filter(({ pickface }) => pickface.product_id !== null)
      .filter(({ pickface }) =>
        matchesFilter(filters, 'partnerId', m.tables.find('product', pickface.product_id).partner_id),
      )
      .map(entry => ({ ...entry, _order: entry.pickface.walking_order, _name: entry.pickface.name })),
  )
  return rows.map(({ pickface, productStock, available, _order, _name }) => {
    const product = m.tables.find('product', pickface.product_id)
    const key = `${pickface.warehouse_id} ${pickface.product_id}`
    const outside = m
      .rows({ warehouseId: pickface.warehouse_id, partnerProductId: pickface.product_id })
      .filter(row => {
        const location = m.location(row)
        return (
          !location.is_pickface &&
          location.status === 1 &&
          (row.expiry_date === null || row.expiry_date >= m.today(row))
        )
      })
    if (!remaining.has(key))
      remaining.set(
        key,
        sum(outside, row => row.available_quantity),
      )
    const missing = Math.max(0, (pickface.target_quantity ?? pickface.min_quantity ?? 0) - available)
    const suggested = Math.min(missing, remaining.get(key) ?? 0)
    remaining.set(key, (remaining.get(key) ?? 0) - suggested)
    const isBelow = (wanted: number | null) => wanted !== null && available < wanted
    return {
      clientPartnerName: m.tables.find('partner', product.partner_id).name,
      ...{
        partnerProductCode: product.code,
        partnerProductDescription: product.name,
        locationName: pickface.name,
      },
      ...{ minQuantity: pickface.min_quantity, targetQuantity: pickface.target_quantity },
      onHandQuantity: sum(productStock, row => row.on_hand_quantity),
      availableQuantity: available,
      isReplenishmentRequired: isBelow(pickface.min_quantity),
      replenishmentStatus: isBelow(pickface.min_quantity) ? 3 : isBelow(pickface.target_quantity) ? 2 : 1,
      replenSuggestions: removeFloatNoise(suggested),
      ...{ _order, _name },
    }
  })
}

export function cycleCount(m: StockModel, filters: Filters): Row[] {
  const { tables } = m
  const rows = tables.all('stock_count_line').flatMap((line): Row[] => {
    const count = tables.find('stock_count', line.stock_count_id)
    const row = tables.find('warehouse_product', line.warehouse_product_id)
    const day = dayOf(count.created_utc, m.warehouse(row).timezone_id)
    const isWanted =
      m.matches(row, filters) &&
      matchesFilter(filters, 'stockCountId', count.id) &&
      matchesFilter(filters, 'status', count.status) &&
      isInPeriod(day, filters)
    const last = tables
      .all('stock_count_entry')
      .filter(entry => entry.stock_count_line_id === line.id && entry.round === line.round)
      .toSorted((a, b) => a.ordinal - b.ordinal)
      .at(-1)
    const counted: number | null = last?.counted_quantity ?? null
    // The counts of the test data are either approved, or open and blind.
    const book: number | null = line.book_quantity
    const variance = counted === null || book === null ? null : removeFloatNoise(counted - book)
    if (!isWanted || !matchesFilter(filters, 'isVariance', variance !== null && variance !== 0)) return []
    return [
      {
        ...{
          stockCountNumber: count.stock_count_number,
          status: count.status,
          ...m.warehouseFields(row),
          ...m.locationFields(row),
        },
        ...{
          ...m.clientFields(row),
          ...m.productFields(row),
          ...batchFields(row),
          ...m.unitFields(row),
          rounds: line.round,
        },
        ...{ bookQuantity: book, countedQuantity: counted, varianceQuantity: variance },
        variancePercent:
          variance === null || book === 0 || book === null
            ? null
            : Number(((variance / book) * 100).toFixed(2)),
        countedUtc: formatUtc(last?.counted_utc),
        countedBy: last?.user_name ?? null,
        approvedUtc: formatUtc(line.approved_utc),
        approvedBy: line.approved_by_name,
        reason: line.reason,
        ...{ _number: -count.number, _order: m.location(row).walking_order, _id: line.id },
      },
    ]
  })
  return sortBy(
    rows,
    row => row._number,
    row => row._order,
    row => row.warehouseLocationName,
    row => row.partnerProductCode,
    row => row._id,
  )
}
