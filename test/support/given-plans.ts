// Input for tests of the pure planning of imports: codes that stand for records, and a complete import.

import type { ImportRequest } from '../../src/consignment-imports/import-request.ts'
import type { ImportToPlan } from '../../src/consignment-imports/import-to-plan.ts'
import { type Plan, planImport } from '../../src/consignment-imports/plan-import.ts'
import type {
  ResolvedCodes,
  ResolvedPartner,
  ResolvedProduct,
  ResolvedRecord,
  ResolvedWarehouse,
} from '../../src/consignment-imports/resolve-codes.ts'
import { AttributeUsage, Relationship, SerialTrackingMode } from '../../src/vocabulary/partners.ts'

/** A product without required fields or serials, with the given changes. */
export const product = (more: Partial<ResolvedProduct> = {}): ResolvedProduct => ({
  ...{ id: 'apple-id', isActive: true, serialTrackingMode: SerialTrackingMode.None },
  ...{ weightKG: 0.25, volumeM3: 0.0005 },
  ...{ batch: AttributeUsage.Optional, bestBeforeDate: AttributeUsage.Optional },
  ...{ expiryDate: AttributeUsage.Optional, packagingDate: AttributeUsage.Hidden },
  ...{ productionDate: AttributeUsage.Optional, sellByDate: AttributeUsage.Optional },
  ...more,
})

/** What each code stands for. */
export interface Records {
  partners: Record<string, ResolvedPartner>
  warehouses: Record<string, ResolvedWarehouse>
  products: Record<string, ResolvedProduct>
  types: Record<string, ResolvedRecord>
  activeWarehouses: ResolvedWarehouse[]
}

export const auckland = { id: 'akl-id', isActive: true, timezoneId: 'Pacific/Auckland' }
const records: Records = {
  partners: {
    KAURI: { id: 'kauri-id', isActive: true, relationship: Relationship.Client },
    GONE: { id: 'gone-id', isActive: false, relationship: Relationship.Client },
    SWF: { id: 'swf-id', isActive: true, relationship: Relationship.Carrier },
    SLOW: { id: 'slow-id', isActive: false, relationship: Relationship.Carrier },
  },
  warehouses: { AKL: auckland, OLD: { id: 'old-id', isActive: false, timezoneId: 'UTC' } },
  products: { APPLE: product(), STALE: product({ id: 'stale-id', isActive: false }) },
  types: { GOOD: { id: 'good-id', isActive: true }, BAD: { id: 'bad-id', isActive: false } },
  activeWarehouses: [auckland],
}

/** Codes that stand for these records. */
export function codesOf(more: Partial<Records> = {}): ResolvedCodes {
  const { partners, warehouses, products, types, activeWarehouses } = { ...records, ...more }
  const type = (code: string) => types[code]
  return {
    ...{ timezoneId: 'America/New_York', activeWarehouses },
    client: ({ clientId, request }) =>
      Object.values(partners).find(({ id }) => id === clientId) ?? partners[request.clientCode],
    carrier: code => partners[code],
    warehouse: code => warehouses[code],
    product: (_of, code) => products[code],
    ...{ packageType: type, serviceType: type, taskType: type, shippingPort: type },
    isInStock: () => false,
  }
}

/** A line with one item, with the given changes. */
export const aLine = (more: Partial<ImportRequest['products'][number]> = {}) => ({
  productCode: 'APPLE',
  items: [{ quantity: 10 }],
  ...more,
})

/** A complete import, with the given changes to its request. */
export const anImport = (
  request: Partial<ImportRequest> = {},
  more: Partial<ImportToPlan> = {},
): ImportToPlan => ({
  id: 'import-id',
  ...{ clientId: null, userId: 'user-id', isManuallyReconciled: false, downloads: new Map() },
  ...more,
  request: {
    ...{ consignmentType: 1, clientCode: 'KAURI', warehouseCode: 'AKL', products: [aLine()] },
    ...request,
  },
})

const source = { organisationId: 'organisation-id', connectionId: null, userId: null, requestId: null }

/** Plans an import at noon UTC of 5 April 2026. */
export const plan = (planned: ImportToPlan, codes = codesOf()): Plan =>
  planImport(planned, codes, source, new Date('2026-04-05T12:00:00Z'))

/** The reasons of a plan as kind, code, path and message. */
export const reasonsOf = (planned: ImportToPlan, codes = codesOf()) =>
  plan(planned, codes).reasons.map(({ kind, code, path, message }) => [kind, code, path, message])
