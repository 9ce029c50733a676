// What reports of money, counts and pickfaces must say, by plain loops over the tables.

import type { Row } from '../given-reports.ts'
import { described, type StockModel } from './stock.ts'
import {
  dayOf,
  exact,
  type Filters,
  fits,
  grouped,
  isInPeriod,
  sorted,
  sum,
  sumOrNull,
  utc,
} from './tables.ts'

const voided = 3

/** Transactions with their partner, schedule and consignment. */
const transactions = (m: StockModel): Row[] =>
  m.tables
    .all('schedule_transaction')
    .filter(({ status }) => status !== voided)
    .map(t => ({
      ...{ t, _id: t.id },
      p: m.tables.of('partner', t.partner_id),
      s: m.tables.of('partner_schedule', t.partner_schedule_id),
      c: m.tables.of('consignment', t.consignment_id),
    }))

const kind = ({ t }: Row): Row => ({
  transactionType: t.type,
  activityName: t.activity_name,
  activityCode: t.activity_code,
  particulars: t.particulars,
})
const amounts = ({ t }: Row): Row => ({
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
const schedule = ({ s }: Row): Row => ({
  scheduleStatus: s.status ?? null,
  scheduleReference: s.reference_number ?? null,
})
const billed = ({ t, c }: Row): Row => ({
  consignmentNumber: t.consignment_number,
  referenceNumber: t.consignment_reference_number,
  consigneeName: c.destination_address?.name ?? null,
})
const accounts = ({ t }: Row): Row => ({
  revenueAccountCode: t.revenue_account_code,
  costCentreCode: t.cost_centre_code,
})

const inOrder = (rows: Row[], partner: string) =>
  sorted(
    rows,
    row => row[partner],
    row => row.transactionDate,
    row => row.consignmentNumber,
    row => row._id,
  )

export const carrierCharges = (m: StockModel, filters: Filters): Row[] =>
  inOrder(
    transactions(m)
      .filter(
        ({ t, p }) =>
          p.relationship === 2 && isInPeriod(t.date, filters) && fits(filters, 'carrierPartnerId', p.id),
      )
      .map(entry => ({
        ...{ carrierName: entry.p.name, transactionDate: entry.t.date },
        ...{ ...schedule(entry), ...kind(entry), ...billed(entry), ...amounts(entry) },
      })),
    'carrierName',
  )

export const clientCharges = (m: StockModel, filters: Filters): Row[] =>
  inOrder(
    transactions(m)
      .filter(
        ({ t, p }) =>
          p.relationship === 1 &&
          isInPeriod(t.date, filters) &&
          fits(filters, 'clientPartnerId', p.id) &&
          fits(filters, 'transactionType', t.type) &&
          fits(filters, 'costCentreId', t.cost_centre_id) &&
          fits(filters, 'revenueAccountId', t.revenue_account_id),
      )
      .map(entry => ({
        ...{ clientName: entry.p.name, clientCode: entry.p.code, externalId: entry.p.external_id },
        transactionDate: entry.t.date,
        ...{
          ...schedule(entry),
          ...kind(entry),
          ...billed(entry),
          containerNumber: entry.c.container_number,
        },
        ...{ ...accounts(entry), ...amounts(entry) },
      })),
    'clientName',
  )

const fitsSchedule = (filters: Filters, p: Row, s: Row): boolean =>
  isInPeriod(s.date, filters, 'scheduleDateFrom', 'scheduleDateTo') &&
  fits(filters, 'scheduleStatus', s.status) &&
  fits(filters, 'partnerId', p.id) &&
  fits(filters, 'partnerRelationship', p.relationship)

export const scheduledTransactions = (m: StockModel, filters: Filters): Row[] =>
  inOrder(
    transactions(m)
      .filter(({ p, s }) => s.id !== undefined && fitsSchedule(filters, p, s))
      .map(entry => ({
        ...{ partnerName: entry.p.name, scheduleDate: entry.s.date, scheduleStatus: entry.s.status },
        ...{ referenceNumber: entry.s.reference_number, description: entry.s.description },
        ...{ transactionDate: entry.t.date, ...kind(entry), consignmentNumber: entry.t.consignment_number },
        containerNumber: entry.c.container_number,
        consignmentReferenceNumber: entry.t.consignment_reference_number,
        ...{ ...accounts(entry), ...amounts(entry) },
      })),
    'partnerName',
  )

export function scheduleSummary(m: StockModel, filters: Filters): Row[] {
  const exports = m.tables.all('partner_schedule_export')
  const rows = m.tables.all('partner_schedule').map((s): Row => {
    const p = m.tables.of('partner', s.partner_id)
    const on = m.tables.all('schedule_transaction').filter(t => t.partner_schedule_id === s.id)
    const amount = sum(on, t => t.amount_excl_tax)
    const byRate = grouped(on, t => t.tax_rate_percent)
    // In whole cents: doubles are not to be trusted with halves.
    const tax = sum(byRate, rate => {
      const [first] = rate as unknown as Row[]
      const cents = Math.round(sum(rate as unknown as Row[], t => t.amount_excl_tax) * 100)
      return Math.floor((cents * first?.tax_rate_percent) / 100 + 0.5) / 100
    })
    const exported = exports.find(entry => entry.partner_schedule_id === s.id)
    return {
      ...{ partnerId: p.id, partnerCode: p.code, partnerName: p.name, partnerRelationship: p.relationship },
      ...{ scheduleDate: s.date, scheduleStatus: s.status, referenceNumber: s.reference_number },
      ...{ description: s.description, transactionCount: on.length, amountExclTax: amount, taxAmount: tax },
      amountInclTax: exact(amount + tax),
      isExported: exported !== undefined,
      externalUrl: exported?.external_url ?? null,
      _id: s.id,
      _fits: fitsSchedule(filters, p, s) && fits(filters, 'isExported', exported !== undefined),
    }
  })
  return sorted(
    rows.filter(({ _fits }) => _fits),
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
    const k = m.tables.of('partner', c.client_id)
    const lines = m.tables.all('consignment_product').filter(line => line.consignment_id === c.id)
    const charged = sum(charges, entry => (entry.charge_type < 7 ? entry.amount_excl_tax : 0))
    const incurred = sumOrNull(charges, entry => (entry.charge_type < 7 ? null : entry.amount_excl_tax))
    const margin = incurred === null ? null : exact(charged - incurred)
    const percent =
      margin === null
        ? null
        : charged > 0
          ? exact((margin / charged) * 100)
          : (incurred ?? 0) > 0
            ? -100
            : null
    const threshold = k.freight_warning_type === 0 ? null : k.freight_warning_threshold
    const compared = k.freight_warning_type === 1 ? margin : percent
    return [
      {
        ...{ consignmentNumber: c.consignment_number, clientName: k.name },
        carrierName: m.tables.of('partner', c.carrier_id).name ?? null,
        warehouseName: m.tables.of('warehouse', c.warehouse_id).name ?? null,
        originName: c.origin_address?.name ?? null,
        destinationName: c.destination_address?.name ?? null,
        chargeDate: c.closed_transaction_date ?? c.date_entered.slice(0, 10),
        quantity: sumOrNull(lines, line => line.expected_quantity),
        weightKG: sumOrNull(lines, line => line.expected_weight_kg),
        volumeM3: sumOrNull(lines, line => line.expected_volume_m3),
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
  return sorted(
    rows.filter(
      row =>
        isInPeriod(row.chargeDate, filters) &&
        fits(filters, 'clientPartnerId', row._c.client_id) &&
        fits(filters, 'carrierPartnerId', row._c.carrier_id) &&
        fits(filters, 'warehouseId', row._c.warehouse_id) &&
        fits(filters, 'isBelowThreshold', row.isBelowThreshold),
    ),
    row => row.chargeDate,
    row => row._c.number,
  )
}

/** Active pickfaces with what lies in them. */
const pickfaces = (m: StockModel, filters: Filters): Row[] =>
  m.tables
    .all('warehouse_location')
    .filter(
      entry =>
        entry.is_pickface &&
        entry.status === 1 &&
        fits(filters, 'warehouseId', entry.warehouse_id) &&
        fits(filters, 'warehouseZoneId', entry.warehouse_zone_id),
    )
    .map(face => {
      const here = m.rows({ warehouseLocationId: face.id })
      const own = here.filter(row => row.product_id === face.product_id)
      const isFresh = (row: Row) => row.expiry_date === null || row.expiry_date >= m.today(row)
      return {
        ...{ face, here, own },
        available: sum(own, row => (isFresh(row) ? row.available_quantity : 0)),
        usable: here.some(row => row.inventory_hold_id === null && !row.is_quarantined && isFresh(row)),
      }
    })

const inWalkingOrder = (rows: Row[], ...more: ((row: Row) => unknown)[]) =>
  sorted(
    rows,
    row => row._order,
    row => row._name,
    ...more,
  )

export function pickfaceException(m: StockModel, filters: Filters): Row[] {
  const rows = pickfaces(m, filters).flatMap(({ face, here, own, available, usable }) => {
    const products = new Set(here.map((row: Row) => row.product_id))
    const others = here.filter((row: Row) => row.product_id !== face.product_id)
    const product = m.tables.of('product', face.product_id)
    const elsewhere = m
      .rows({ warehouseId: face.warehouse_id, partnerProductId: face.product_id ?? 'none' })
      .filter(row => row.warehouse_location_id !== face.id)
    const hasProduct = face.product_id !== null
    const faults: [number, boolean][] = [
      [1, !hasProduct],
      [2, here.length === 0],
      [3, here.length > 0 && face.min_quantity !== null && available < face.min_quantity],
      [4, hasProduct && others.length > 0],
      [5, products.size > 1],
      [6, here.length > 0 && !usable],
      [7, hasProduct && face.target_quantity === null],
    ]
    return faults
      .filter(([, isSo]) => isSo)
      .map(([exceptionType]) => ({
        ...{ ...m.place(face), ...m.at({ warehouse_location_id: face.id }), exceptionType },
        partnerId: product.partner_id ?? null,
        partnerName: m.tables.of('partner', product.partner_id).name ?? null,
        ...{ partnerProductId: face.product_id, partnerProductCode: product.code ?? null },
        partnerProductName: product.name ?? null,
        foundProductCode: others.map((row: Row) => m.product(row).code).toSorted()[0] ?? null,
        ...{ minQuantity: face.min_quantity, targetQuantity: face.target_quantity },
        onHandQuantity: sum(own, row => row.on_hand_quantity),
        availableQuantity: available,
        elsewhereQuantity: sum(elsewhere, row => row.available_quantity),
        ...{ _order: face.walking_order, _name: face.name },
      }))
  })
  return inWalkingOrder(rows, row => row.exceptionType)
}

/** Pickfaces that have a product. What is suggested is looked at by its sum: rotation has tests of its own. */
export function pickfaceReplenishment(m: StockModel, filters: Filters): Row[] {
  const left = new Map<string, number>()
  const rows = inWalkingOrder(
    pickfaces(m, filters)
      .filter(({ face }) => face.product_id !== null)
      .filter(({ face }) => fits(filters, 'partnerId', m.tables.of('product', face.product_id).partner_id))
      .map(entry => ({ ...entry, _order: entry.face.walking_order, _name: entry.face.name })),
  )
  return rows.map(({ face, own, available, _order, _name }) => {
    const product = m.tables.of('product', face.product_id)
    const key = `${face.warehouse_id} ${face.product_id}`
    const outside = m
      .rows({ warehouseId: face.warehouse_id, partnerProductId: face.product_id })
      .filter(row => {
        const location = m.location(row)
        return (
          !location.is_pickface &&
          location.status === 1 &&
          (row.expiry_date === null || row.expiry_date >= m.today(row))
        )
      })
    if (!left.has(key))
      left.set(
        key,
        sum(outside, row => row.available_quantity),
      )
    const lacking = Math.max(0, (face.target_quantity ?? face.min_quantity ?? 0) - available)
    const suggested = Math.min(lacking, left.get(key) ?? 0)
    left.set(key, (left.get(key) ?? 0) - suggested)
    const isBelow = (wanted: number | null) => wanted !== null && available < wanted
    return {
      clientPartnerName: m.tables.of('partner', product.partner_id).name,
      ...{
        partnerProductCode: product.code,
        partnerProductDescription: product.name,
        locationName: face.name,
      },
      ...{ minQuantity: face.min_quantity, targetQuantity: face.target_quantity },
      onHandQuantity: sum(own, row => row.on_hand_quantity),
      isReplenishmentRequired: isBelow(face.min_quantity),
      replenishmentStatus: isBelow(face.min_quantity) ? 3 : isBelow(face.target_quantity) ? 2 : 1,
      replenSuggestions: exact(suggested),
      ...{ _order, _name },
    }
  })
}

export function cycleCount(m: StockModel, filters: Filters): Row[] {
  const { tables } = m
  const rows = tables.all('stock_count_line').flatMap((line): Row[] => {
    const count = tables.of('stock_count', line.stock_count_id)
    const row = tables.of('warehouse_product', line.warehouse_product_id)
    const day = dayOf(count.created_utc, m.warehouse(row).timezone_id)
    const isWanted =
      m.fits(row, filters) &&
      fits(filters, 'stockCountId', count.id) &&
      fits(filters, 'status', count.status) &&
      isInPeriod(day, filters)
    const last = tables
      .all('stock_count_entry')
      .filter(entry => entry.stock_count_line_id === line.id && entry.round === line.round)
      .toSorted((a, b) => a.ordinal - b.ordinal)
      .at(-1)
    const counted: number | null = last?.counted_quantity ?? null
    // The world's counts are approved, or open and blind.
    const book: number | null = line.book_quantity
    const variance = counted === null || book === null ? null : exact(counted - book)
    if (!isWanted || !fits(filters, 'isVariance', variance !== null && variance !== 0)) return []
    return [
      {
        ...{
          stockCountNumber: count.stock_count_number,
          status: count.status,
          ...m.place(row),
          ...m.at(row),
        },
        ...{ ...m.client(row), ...m.goods(row), ...described(row), ...m.on(row), rounds: line.round },
        ...{ bookQuantity: book, countedQuantity: counted, varianceQuantity: variance },
        variancePercent:
          variance === null || book === 0 || book === null
            ? null
            : Number(((variance / book) * 100).toFixed(2)),
        countedUtc: utc(last?.counted_utc),
        countedBy: tables.of('app_user', last?.user_id).full_name ?? null,
        approvedUtc: utc(line.approved_utc),
        approvedBy: tables.of('app_user', line.approved_by).full_name ?? null,
        reason: line.reason,
        ...{ _number: -count.number, _order: m.location(row).walking_order, _id: line.id },
      },
    ]
  })
  return sorted(
    rows,
    row => row._number,
    row => row._order,
    row => row.warehouseLocationName,
    row => row.partnerProductCode,
    row => row._id,
  )
}
