// What lies in the demo's warehouses when its history begins, and where.

import { SerialTrackingMode } from '../partners/enumerations.ts'
import { buildSscc } from '../stock/logistic-units/sscc.ts'
import { LocationType } from '../warehouses/enumerations.ts'
import { type DemoProduct, daysAfter, products } from './demo-data.ts'

/** Locations of a warehouse that are made together: their zone, and the pattern of their names. */
export const locations = [
  { zone: 'Ambient', pattern: 'A-{01..10}-{1..8}', type: LocationType.Racking, firstWalkingOrder: 100 },
  { zone: 'Chilled', pattern: 'C-{01..04}-{1..5}', type: LocationType.Racking, firstWalkingOrder: 200 },
  { zone: 'Ambient', pattern: 'GAS-{1..4}', type: LocationType.Racking, firstWalkingOrder: 300 },
  { zone: 'Ambient', pattern: 'BULK-{01..20}', type: LocationType.Bulk, firstWalkingOrder: 400 },
  { zone: 'Ambient', pattern: 'QUARANTINE', type: LocationType.Quarantine },
  { zone: 'Ambient', pattern: 'RECEIVE', type: LocationType.Transitional },
  { zone: 'Ambient', pattern: 'DISPATCH', type: LocationType.Transitional },
]

/** Stock is kept in Waybill since so many days. */
export const openingDaysAgo = 60

/** The names of the locations where pallets of most products lie. */
export const racking = Array.from(
  { length: 80 },
  (_, i) => `A-${twoDigits(1 + Math.floor(i / 8))}-${1 + (i % 8)}`,
)
const chilled = Array.from({ length: 20 }, (_, i) => `C-${twoDigits(1 + Math.floor(i / 5))}-${1 + (i % 5)}`)
const gas = ['GAS-1', 'GAS-2', 'GAS-3', 'GAS-4']
const bulk = Array.from({ length: 20 }, (_, i) => `BULK-${twoDigits(i + 1)}`)

function twoDigits(n: number): string {
  return String(n).padStart(2, '0')
}

const codeOf = ({ body }: DemoProduct) => String(body.code)

/** A place that items of one product are picked from, refilled from `minQuantity` to `targetQuantity`. */
export interface Pickface {
  name: string
  client: string
  productCode: string
  minQuantity: number
  targetQuantity: number
}

/** Twenty pickfaces, the same in each warehouse: every third product's. */
export const pickfaces: Pickface[] = products
  .filter((_, i) => i % 3 === 0)
  .map((product, i) => ({
    name: `P-${twoDigits(i + 1)}`,
    client: product.client,
    productCode: codeOf(product),
    minQuantity: 2 * product.perCarton,
    targetQuantity: 8 * product.perCarton,
  }))

/** Where the pallets of a product lie: `nth` spreads them. */
function placeOf(product: DemoProduct, nth: number): string {
  const name = String(product.body.name)
  const places = name.startsWith('Kiwifruit')
    ? chilled
    : name.startsWith('Gas')
      ? gas
      : nth % 7 === 6
        ? bulk
        : racking
  return places[(nth * 3) % places.length] as string
}

/** Whether goods of a product are told apart by serials when they come, or when they leave. */
export const hasSerials = ({ body }: DemoProduct): boolean =>
  body.serialTrackingMode !== SerialTrackingMode.None

/** The day of an instant in UTC, as `YYYY-MM-DD`. */
export const dateOf = (instant: Date): string => instant.toISOString().slice(0, 10)

const isFullCapture = ({ body }: DemoProduct) => body.serialTrackingMode === SerialTrackingMode.FullCapture

/** Days from now until the batches of food expire: long, soon enough to be critical, past. */
const expiriesInDays = [400, 150, 20, -6]

/**
 * The rows of a warehouse's opening balance: full pallets with SSCCs, a part pallet of each product, and what
 * is loose in pickfaces.
 */
export function openingRows(warehouse: string, now: Date): Record<string, unknown>[] {
  const firstUnit = warehouse === 'AKL' ? 1_000 : 5_000
  let unit = firstUnit
  const rows = products.flatMap((product, n) => {
    const isFood = product.client === 'KAURI'
    const pallets = isFood ? expiriesInDays.slice(0, n % 5 === 0 ? 4 : 3) : [0, 0, 0]
    return pallets.map((expiryInDays, k) => {
      const isPart = k === pallets.length - 1
      const quantity = isFullCapture(product) ? 12 : product.perCarton * (isPart ? 9 : 40)
      return {
        clientCode: product.client,
        productCode: codeOf(product),
        locationName: placeOf(product, n + 11 * k),
        ssccNumber: buildSscc('9421900', ++unit),
        receivedDate: dateOf(daysAfter(now, -openingDaysAgo - 5 * k)),
        quantity,
        ...(isFood
          ? { batch: `B${k + 1}`, expiryDate: dateOf(daysAfter(now, expiryInDays)) }
          : isFullCapture(product)
            ? { serials: serialsOf(product, warehouse, k, quantity) }
            : {}),
      }
    })
  })
  const loose = pickfaces
    .filter(({ productCode }) => products.some(one => codeOf(one) === productCode && !hasSerials(one)))
    .map(({ name, client, productCode, minQuantity, targetQuantity }, i) => ({
      clientCode: client,
      productCode,
      locationName: name,
      quantity: i % 4 === 0 ? minQuantity / 2 : targetQuantity,
      receivedDate: dateOf(daysAfter(now, -openingDaysAgo - 1)),
      ...(client === 'KAURI' ? { batch: 'B1', expiryDate: dateOf(daysAfter(now, 400)) } : {}),
    }))
  return [...rows, ...loose]
}

/** Serials of a product, different in each warehouse and on each pallet. */
export const serialsOf = (product: DemoProduct, warehouse: string, pallet: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) => `${codeOf(product).replace('-', '')}${warehouse}${pallet}${String(i + 1).padStart(3, '0')}`,
  )
