// The data of the demo organisation. Everything is made from a fixed seed, so that every demo is the same
// except for its dates.

import { ssccCheckDigit } from '../stock/logistic-units/sscc.ts'
import { billScenarios } from './bill-scenarios.ts'
import { hazards, paperProducts, paperScenarios, type Scenario } from './paper-data.ts'

/** A random number generator with a seed, which returns numbers from 0 to below 1. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const organisation = { name: 'Southern Star Logistics', prefix: 'SSL', timezone: 'Pacific/Auckland' }

export const clients = [
  {
    code: 'KAURI',
    name: 'Kauri Foods',
    email: 'supply@kaurifoods.example',
    freeStorageHours: 72,
    rotationMethod: 2,
    productExpiryCriticalThresholdDays: 30,
    gs1CompanyPrefix: '9421900',
  },
  {
    code: 'HARBOUR',
    name: 'Harbour Electronics',
    email: 'stock@harbourelectronics.example',
    rotationMethod: 12,
    freightWarningType: 2,
    freightWarningThreshold: 12,
  },
  { code: 'TUSSOCK', name: 'Tussock Outdoor', email: 'warehouse@tussock.example', rotationMethod: 12 },
]

export const carriers = [
  { code: 'SWF', name: 'Swift Freight', email: 'bookings@swift.example' },
  { code: 'NRX', name: 'Northern Express', email: 'dispatch@nrx.example' },
  { code: 'BLUE', name: 'Blue Line Couriers', email: 'ops@blueline.example' },
  { code: 'TSM', name: 'Tasman Shipping', email: 'desk@tasman.example' },
]

export const warehouses = [
  {
    code: 'AKL',
    name: 'Auckland Airport',
    timezoneId: 'Pacific/Auckland',
    mainPhone: '+64 9 555 0100',
    contactPerson: 'Mere Tamihana',
    address: {
      streetAddress: '14 Verissimo Drive',
      suburb: 'Mangere',
      city: 'Auckland',
      postCode: '2022',
      country: 'NZ',
      latitude: -36.99,
      longitude: 174.78,
    },
  },
  {
    code: 'PER',
    name: 'Perth Kewdale',
    timezoneId: 'Australia/Perth',
    mainPhone: '+61 8 5550 0100',
    contactPerson: 'Jack Nguyen',
    address: {
      streetAddress: '3 Horrie Miller Drive',
      suburb: 'Kewdale',
      city: 'Perth',
      state: 'WA',
      postCode: '6105',
      country: 'AU',
      latitude: -31.98,
      longitude: 115.95,
    },
  },
]

export const zones = ['Ambient', 'Chilled']
export const serviceTypes = [
  ['EXP', 'Express'],
  ['TAIL', 'Tail lift'],
  ['CHILL', 'Chilled transport'],
  ['SIGN', 'Signature required'],
] as const
export const taskTypes = [
  ['WRAP', 'Pallet wrap'],
  ['LABEL', 'Relabel cartons'],
  ['DEVAN', 'Container devanning'],
] as const
export const packageTypes = [
  ['CTN', 'Carton'],
  ['PLT', 'Pallet'],
  ['BAG', 'Bag'],
  ['DRUM', 'Drum'],
  ['CAN', 'Can'],
] as const
export const consumableTypes = ['Stretch film (m)', 'Pallet', 'Carton liner']
export const unitTypes = ['Each', 'Carton', 'Pallet']
export const productGroups = ['Food', 'Electronics', 'Outdoor']
export const costCentres = [
  ['AKL', 'Auckland operations'],
  ['PER', 'Perth operations'],
] as const
export const revenueAccounts = [
  ['4100', 'Storage'],
  ['4200', 'Handling'],
  ['4300', 'Freight'],
] as const

export const taxRates = [
  ['GST 15%', 15, '15% GST on Income'],
  ['GST 10%', 10, 'GST on Income'],
  ['Zero rated', 0, 'Zero Rated'],
] as const

/** The fuel surcharges of carriers, as fractions; the row without a carrier is for all others. */
export const fuelRates = [
  { fafPercent: 0.12, daysAgo: 90 },
  { carrier: 'SWF', fafPercent: 0.145, daysAgo: 90 },
  { carrier: 'SWF', fafPercent: 0.16, daysAgo: 21 },
  { carrier: 'NRX', fafPercent: 0.135, daysAgo: 60 },
  { carrier: 'BLUE', fafPercent: 0.11, daysAgo: 60 },
  { carrier: 'TSM', fafPercent: 0.188, daysAgo: 30 },
]

const ranges: Record<string, { group: string; names: string[]; kinds: string[] }> = {
  KAURI: {
    group: 'Food',
    names: ['Manuka honey', 'Rolled oats', 'Kiwifruit jam', 'Olive oil', 'Sea salt'],
    kinds: ['250 g', '500 g', '1 kg', '5 kg'],
  },
  HARBOUR: {
    group: 'Electronics',
    names: ['Router', 'Access point', 'Smart speaker', 'Monitor', 'Headset'],
    kinds: ['standard', 'plus', 'pro', 'mini'],
  },
  TUSSOCK: {
    group: 'Outdoor',
    names: ['Rain jacket', 'Two-person tent', 'Sleeping bag', 'Trail shoe', 'Gas canister'],
    kinds: ['small', 'medium', 'large', 'extra large'],
  },
}

/** A product of the demo, with the names of the records to which it refers. */
export interface DemoProduct {
  client: string
  group: string
  perCarton: number
  body: Record<string, unknown>
}

/**
 * A GTIN of a client. GS1 weights digits from the right, so the check digit of an SSCC serves a GTIN, too.
 */
const gtinOf = (range: number, item: number): string => {
  const digits = `94219${range}${String(item).padStart(6, '0')}`
  return digits + ssccCheckDigit(digits.padStart(17, '0'))
}

/** Twenty products for each client. */
export const products: DemoProduct[] = Object.entries(ranges).flatMap(
  ([client, { group, names, kinds }], range) =>
    names.flatMap((name, n) =>
      kinds.map((kind, k) => ({
        client,
        group,
        perCarton: [6, 10, 12, 24][k] as number,
        body: {
          code: `${client.slice(0, 3)}-${String(n * 4 + k + 1).padStart(3, '0')}`,
          name: `${name}, ${kind}`,
          lengthMM: 120 + 40 * k,
          widthMM: 90 + 30 * k,
          heightMM: 80 + 25 * n,
          isVolumeAutoCalculated: true,
          weightKG: Math.round((0.3 + 0.4 * k + 0.2 * n) * 100) / 100,
          barcode: gtinOf(range, n * 4 + k + 1),
          gtin: gtinOf(range, n * 4 + k + 1),
          serialTrackingMode: name === 'Monitor' ? 2 : name === 'Headset' ? 3 : 1,
          ...(client === 'KAURI' ? { batchUsage: 2, expiryUsage: 2 } : {}),
          ...(name === 'Gas canister'
            ? {
                isDangerousGood: true,
                dgUnNumber: '2037',
                dgProperShippingName: 'RECEPTACLES, SMALL, CONTAINING GAS',
                dgHazchemEac: '2YE',
                dgHazardClasses: hazards.gas,
              }
            : {}),
        },
      })),
    ),
)

const towns = [
  ['Wellington', '6011', 'NZ'],
  ['Hamilton', '3204', 'NZ'],
  ['Christchurch', '8011', 'NZ'],
  ['Dunedin', '9016', 'NZ'],
  ['Fremantle', '6160', 'AU'],
  ['Bunbury', '6230', 'AU'],
] as const
const shops = ['Fresh Market', 'Corner Store', 'Outfitters', 'Supply Co', 'Electrical', 'Pantry']

/** All products of the demo. */
export const allProducts: DemoProduct[] = [...products, ...paperProducts]

/** An import of the demo, and the present status of its consignment. */
export interface DemoConsignment {
  request: Record<string, unknown>
  entered: Date
  type: number
  carrier: string
  warehouse: string | undefined
  status: number
}

const day = 86_400_000

/** An instant some days after another. */
export const daysAfter = (instant: Date, days: number): Date => new Date(instant.getTime() + days * day)

/** The statuses that a consignment of each type goes through. */
export const statusPaths: Record<number, number[]> = {
  0: [1, 5, 0, 6],
  1: [1, 4, 0, 6],
  2: [1, 2, 3, 7, 0, 6],
}

/** The field of an import for the time when its goods arrive or leave. */
const timeOf = (type: number) => (type === 1 ? 'expectedArrivalDateTime' : 'expectedDispatchDateTime')

// Products with serials have to be picked by serial, so they are only in scenarios and opening balances.
const serialFreeProductsOf = (clientCode: string) =>
  products.filter(({ client, body }) => client === clientCode && body.serialTrackingMode === 1)

/**
 * `count` consignments entered over the ninety days before `now`. Older consignments have progressed further.
 */
export function consignments(count: number, now: Date): DemoConsignment[] {
  const random = seededRandom(20_260_301)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const ordinary = Array.from({ length: count - scenarios.length }, (_, i): DemoConsignment => {
    const ageDays = 90 * (1 - i / count)
    const entered = daysAfter(now, -ageDays)
    const type = random() < 0.3 ? 1 : random() < 0.85 ? 2 : 0
    const client = pick(clients).code
    const choices = serialFreeProductsOf(client)
    const [city, postCode, country] = pick(towns)
    const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      const { body, perCarton } = pick(choices)
      const batch = { batch: `N${i}`, expiryDate: daysAfter(entered, 300).toISOString() }
      return {
        productCode: body.code,
        packageTypeCode: 'CTN',
        ...(type === 1 && client === 'KAURI' ? batch : {}),
        items: [{ quantity: perCarton * (1 + Math.floor(random() * 12)) }],
      }
    })
    const path = statusPaths[type] as number[]
    const reached = Math.min(
      path.length - 1,
      Math.floor((ageDays / 30) * path.length * (0.6 + 0.8 * random())),
    )
    const isVoid = random() < 0.03
    const carrier = pick(carriers).code
    const warehouse = type === 0 ? undefined : pick(warehouses).code
    return {
      entered,
      type,
      carrier,
      warehouse,
      status: isVoid ? -2 : (path[reached] as number),
      request: {
        idempotencyKey: `demo-${i + 1}`,
        consignmentType: type,
        clientCode: client,
        carrierCode: carrier,
        warehouseCode: warehouse,
        referenceNumber: `PO-${40_000 + i}`,
        enteredDate: entered.toISOString(),
        [timeOf(type)]: daysAfter(entered, 2).toISOString(),
        [type === 1 ? 'originAddress' : 'destinationAddress']: {
          name: `${city} ${pick(shops)}`,
          streetAddress: `${1 + Math.floor(random() * 200)} Main Street`,
          city,
          postCode,
          country,
        },
        serviceTypeCodes: random() < 0.4 ? [pick(serviceTypes)[0]] : [],
        notes: random() < 0.25 ? [{ note: 'Call before delivery.', displayOnPrintOut: true }] : [],
        products: lines,
      },
    }
  })
  return [...ordinary, ...scenarios.map(scenario => scenarioConsignment(scenario, now))]
}

/**
 * Consignments with a purpose of their own. load-stock.ts, load-papers.ts and load-billing.ts find them by
 * their reference.
 */
const scenarios: Scenario[] = [
  {
    type: 2,
    client: 'TUSSOCK',
    referenceNumber: 'PO-SHORT',
    lines: [1, 2, 3, 4, 5].map(n => ({ productCode: `TUS-00${n}`, quantity: 20_000 })),
  },
  {
    type: 1,
    client: 'KAURI',
    referenceNumber: 'PO-HALF',
    lines: [1, 2].map(n => ({ productCode: `KAU-00${n}`, quantity: 240 })),
  },
  {
    type: 2,
    client: 'HARBOUR',
    referenceNumber: 'PO-SERIALS',
    lines: [
      { productCode: 'HAR-013', quantity: 3 },
      { productCode: 'HAR-017', quantity: 4 },
    ],
  },
  {
    type: 1,
    client: 'KAURI',
    referenceNumber: 'PO-LATE',
    lines: [{ productCode: 'KAU-010', quantity: 800 }],
  },
  ...paperScenarios,
  ...billScenarios,
]

/** The consignment of a scenario. It is in Auckland and, by default, entered today and Pending. */
const scenarioConsignment = (
  { type, client, referenceNumber, lines, carrier = 'SWF', daysAgo = 0, status = 1, fields }: Scenario,
  now: Date,
): DemoConsignment => ({
  entered: daysAfter(now, -daysAgo),
  type,
  carrier,
  warehouse: 'AKL',
  status,
  request: {
    idempotencyKey: `demo-${referenceNumber}`,
    consignmentType: type,
    clientCode: client,
    carrierCode: carrier,
    warehouseCode: 'AKL',
    referenceNumber,
    enteredDate: daysAfter(now, -daysAgo).toISOString(),
    ...fields,
    products: lines.map(({ quantity, ...line }) => ({
      ...line,
      ...(type === 1 ? { batch: 'N900', expiryDate: daysAfter(now, 300).toISOString() } : {}),
      items: [{ quantity }],
    })),
  },
})
