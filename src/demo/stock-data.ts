// The locations and the opening balances of the demo's warehouses.

import { buildSscc } from '../stock/logistic-units/sscc.ts'
import { SerialTrackingMode } from '../vocabulary/partners.ts'
import { LocationType } from '../vocabulary/warehouses.ts'
import { type DemoProduct, daysAfter, products } from './demo-data.ts'

/** The locations of each warehouse, in groups that are created together from a pattern of names. */
export const locations = [
  { zone: 'Ambient', pattern: 'A-{01..10}-{1..8}', type: LocationType.Racking, firstWalkingOrder: 100 },
  { zone: 'Chilled', pattern: 'C-{01..04}-{1..5}', type: LocationType.Racking, firstWalkingOrder: 200 },
  { zone: 'Ambient', pattern: 'GAS-{1..4}', type: LocationType.Racking, firstWalkingOrder: 300 },
  { zone: 'Ambient', pattern: 'BULK-{01..20}', type: LocationType.Bulk, firstWalkingOrder: 400 },
  { zone: 'Ambient', pattern: 'QUARANTINE', type: LocationType.Quarantine },
  { zone: 'Ambient', pattern: 'RECEIVE', type: LocationType.Transitional },
  { zone: 'Ambient', pattern: 'DISPATCH', type: LocationType.Transitional },
]

/** How many days ago the opening balances were entered. */
export const openingDaysAgo = 60

/** The locations in which the pallets of most products are stored. */
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

/** A pickface of a product. Below `minQuantity` it is replenished to `targetQuantity`. */
export interface Pickface {
  name: string
  client: string
  productCode: string
  minQuantity: number
  targetQuantity: number
}

/** Twenty pickfaces, the same in each warehouse, one for every third product. */
export const pickfaces: Pickface[] = products
  .filter((_, i) => i % 3 === 0)
  .map((product, i) => ({
    name: `P-${twoDigits(i + 1)}`,
    client: product.client,
    productCode: codeOf(product),
    minQuantity: 2 * product.perCarton,
    targetQuantity: 8 * product.perCarton,
  }))

/** A location for a pallet of a product. `nth` spreads the pallets. */
function locationOf(product: DemoProduct, nth: number): string {
  const name = String(product.body.name)
  const candidates = name.startsWith('Kiwifruit')
    ? chilled
    : name.startsWith('Gas')
      ? gas
      : nth % 7 === 6
        ? bulk
        : racking
  return candidates[(nth * 3) % candidates.length] as string
}

/** Whether serials of a product are captured, either on receipt or on dispatch. */
export const hasSerials = ({ body }: DemoProduct): boolean =>
  body.serialTrackingMode !== SerialTrackingMode.None

/** The day of an instant in UTC, as `YYYY-MM-DD`. */
export const dateOf = (instant: Date): string => instant.toISOString().slice(0, 10)

const isFullCapture = ({ body }: DemoProduct) => body.serialTrackingMode === SerialTrackingMode.FullCapture

/** Days from now until the batches of food expire. The third is critical, and the last has expired. */
const daysUntilExpiry = [400, 150, 20, -6]

/**
 * The rows of a warehouse's opening balance: full pallets with SSCCs, a part pallet of each product, and
 * loose stock in pickfaces.
 */
export function openingRows(warehouse: string, now: Date): Record<string, unknown>[] {
  const firstUnit = warehouse === 'AKL' ? 1_000 : 5_000
  let unit = firstUnit
  const rows = products.flatMap((product, n) => {
    const isFood = product.client === 'KAURI'
    const pallets = isFood ? daysUntilExpiry.slice(0, n % 5 === 0 ? 4 : 3) : [0, 0, 0]
    return pallets.map((expiryInDays, k) => {
      const isPart = k === pallets.length - 1
      const quantity = isFullCapture(product) ? 12 : product.perCarton * (isPart ? 9 : 40)
      return {
        clientCode: product.client,
        productCode: codeOf(product),
        locationName: locationOf(product, n + 11 * k),
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
    .filter(({ productCode }) =>
      products.some(product => codeOf(product) === productCode && !hasSerials(product)),
    )
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
