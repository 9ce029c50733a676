// Looks up all codes of a batch of imports in one query. Codes match case-insensitively. Spec 3 (consignment
// import); decision 5.

import { type Db, type Sql, sql } from '../platform/database/db.ts'
import {
  type AttributeUsage,
  PartnerStatus,
  ProductStatus,
  type Relationship,
} from '../vocabulary/partners.ts'
import { SetUpStatus } from '../vocabulary/reference-data.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'
import type { ImportRequest } from './import-request.ts'
import { findSerialsInStock, type SerialStockCheck } from './serials-in-stock.ts'

export interface ResolvedRecord {
  id: string
  isActive: boolean
}
export interface ResolvedPartner extends ResolvedRecord {
  relationship: (typeof Relationship)[keyof typeof Relationship]
}
export interface ResolvedWarehouse extends ResolvedRecord {
  timezoneId: string
}
type Usage = (typeof AttributeUsage)[keyof typeof AttributeUsage]
/** A client's product. Attribute usages that the product leaves open are those of the client. */
export interface ResolvedProduct extends ResolvedRecord {
  serialTrackingMode: number
  weightKG: number | null
  volumeM3: number | null
  batch: Usage
  bestBeforeDate: Usage
  expiryDate: Usage
  packagingDate: Usage
  productionDate: Usage
  sellByDate: Usage
}

/**
 * An import with its codes. If the id of its client is known, its code may meanwhile belong to another
 * client.
 */
export interface ImportWithCodes {
  clientId: string | null
  request: ImportRequest
}

/** The records that the codes of a batch identify. Each function returns undefined for an unknown code. */
export interface ResolvedCodes {
  /** the organisation's time zone, for imports without a warehouse */
  readonly timezoneId: string
  /** the candidates for imports without a warehouse: at most two active warehouses */
  readonly activeWarehouses: readonly ResolvedWarehouse[]
  /** the client of an import, or a carrier with the code of its client */
  client(owner: ImportWithCodes): ResolvedPartner | undefined
  carrier(code: string): ResolvedPartner | undefined
  warehouse(code: string): ResolvedWarehouse | undefined
  /** a product of the client of an import */
  product(owner: ImportWithCodes, code: string): ResolvedProduct | undefined
  packageType(code: string): ResolvedRecord | undefined
  serviceType(code: string): ResolvedRecord | undefined
  taskType(code: string): ResolvedRecord | undefined
  shippingPort(code: string): ResolvedRecord | undefined
  /** knows the serials that inwards imports announce */
  readonly isInStock: SerialStockCheck
}

type Kind =
  | 'client'
  | 'carrier'
  | 'warehouse'
  | 'product'
  | 'packageType'
  | 'serviceType'
  | 'taskType'
  | 'shippingPort'

/** The record that a code identifies. For a product, `owner` is the key of its client. */
interface FoundRecord {
  kind: 'organisation' | 'activeWarehouse' | Kind
  owner: string
  code: string
  facts: unknown
}

/** The key by which the client of an import is looked up. */
const clientKey = ({ clientId, request }: ImportWithCodes) =>
  clientId === null ? `code ${request.clientCode}` : `id ${clientId}`
const productKey = (owner: string, code: string) => `${owner}\0${code}`

/** Looks up all codes of a batch of one organisation's imports, and the serials of the inwards ones. */
export async function resolveCodes(
  db: Db,
  organisationId: string,
  imports: readonly ImportWithCodes[],
): Promise<ResolvedCodes> {
  const records = indexRecords(await db.rows<FoundRecord>(lookUpQuery(organisationId, collectCodes(imports))))
  return { ...records, isInStock: await findSerialsInStock(db, organisationId, imports, records.product) }
}

/** The codes that imports name, each once. */
interface CodesToFind {
  clientIds: Set<string>
  clients: Set<string>
  carriers: Set<string>
  warehouses: Set<string>
  packageTypes: Set<string>
  serviceTypes: Set<string>
  taskTypes: Set<string>
  shippingPorts: Set<string>
  products: [owner: string, code: string][]
  lacksWarehouse: boolean
}

function collectCodes(imports: readonly ImportWithCodes[]): CodesToFind {
  const codes: CodesToFind = {
    clientIds: new Set(),
    clients: new Set(),
    carriers: new Set(),
    warehouses: new Set(),
    packageTypes: new Set(),
    serviceTypes: new Set(),
    taskTypes: new Set(),
    shippingPorts: new Set(),
    products: [],
    lacksWarehouse: false,
  }
  const products = new Map<string, [owner: string, code: string]>()
  const add = (set: Set<string>, code: string | null | undefined) => {
    if (code !== null && code !== undefined) set.add(code)
  }
  for (const pending of imports) {
    const { clientId, request } = pending
    if (clientId === null) codes.clients.add(request.clientCode)
    else codes.clientIds.add(clientId)
    add(codes.carriers, request.carrierCode)
    add(codes.warehouses, request.warehouseCode)
    codes.lacksWarehouse ||= (request.warehouseCode ?? null) === null
    add(codes.shippingPorts, request.loadShippingPortCode)
    add(codes.shippingPorts, request.dischargeShippingPortCode)
    for (const code of request.serviceTypeCodes ?? []) codes.serviceTypes.add(code)
    for (const { taskTypeCode } of request.tasks ?? []) codes.taskTypes.add(taskTypeCode)
    const owner = clientKey(pending)
    for (const { productCode, packageTypeCode } of request.products) {
      products.set(productKey(owner, productCode), [owner, productCode])
      add(codes.packageTypes, packageTypeCode)
    }
  }
  return { ...codes, products: [...products.values()] }
}

/** The query for all codes. A client and its products are looked up together. */
const lookUpQuery = (organisationId: string, codes: CodesToFind): Sql => sql`
  with client as (
    select 'code ' || w.code as key, p.* from unnest(${[...codes.clients]}::text[]) as w (code)
    join partner p on p.organisation_id = ${organisationId} and lower(p.code) = lower(w.code)
    union all
    select 'id ' || w.id, p.* from unnest(${[...codes.clientIds]}::uuid[]) as w (id)
    join partner p on p.organisation_id = ${organisationId} and p.id = w.id
  )
  select 'organisation' as kind, '' as owner, '' as code, json_build_object('timezoneId', o.timezone_id)
    as facts
  from organisation o where o.id = ${organisationId}
  union all
  select 'client', '', c.key, json_build_object('id', c.id, 'isActive', c.status = ${PartnerStatus.Active},
    'relationship', c.relationship)
  from client c
  union all
  ${productsOf(organisationId, codes.products)}
  union all
  select 'carrier', '', w.code, json_build_object('id', p.id, 'isActive', p.status = ${PartnerStatus.Active},
    'relationship', p.relationship)
  from unnest(${[...codes.carriers]}::text[]) as w (code)
  join partner p on p.organisation_id = ${organisationId} and lower(p.code) = lower(w.code)
  union all
  select 'warehouse', '', w.code, json_build_object('id', h.id, 'isActive',
    h.status = ${WarehouseStatus.Active}, 'timezoneId', h.timezone_id)
  from unnest(${[...codes.warehouses]}::text[]) as w (code)
  join warehouse h on h.organisation_id = ${organisationId} and lower(h.code) = lower(w.code)
  union all
  (select 'activeWarehouse', '', '', json_build_object('id', h.id, 'isActive', true, 'timezoneId',
    h.timezone_id)
  from warehouse h where ${codes.lacksWarehouse} and h.organisation_id = ${organisationId}
    and h.status = ${WarehouseStatus.Active} limit 2)
  union all
  ${typesOf('packageType', sql`package_type`, organisationId, codes.packageTypes)}
  union all
  ${typesOf('serviceType', sql`service_type`, organisationId, codes.serviceTypes)}
  union all
  ${typesOf('taskType', sql`task_type`, organisationId, codes.taskTypes)}
  union all
  select 'shippingPort', '', w.code, json_build_object('id', p.id, 'isActive', true)
  from unnest(${[...codes.shippingPorts]}::text[]) as w (code)
  join shipping_port p on p.code = upper(w.code)`

const productsOf = (organisationId: string, products: CodesToFind['products']): Sql => sql`
  select 'product', w.owner, w.code, json_build_object('id', d.id,
    'isActive', d.status = ${ProductStatus.Active},
    'serialTrackingMode', d.serial_tracking_mode, 'weightKG', d.weight_kg, 'volumeM3', d.volume_m3,
    'batch', coalesce(d.batch_usage, c.product_batch_usage),
    'bestBeforeDate', coalesce(d.best_before_date_usage, c.product_best_before_date_usage),
    'expiryDate', coalesce(d.expiry_usage, c.product_expiry_usage),
    'packagingDate', coalesce(d.packaging_date_usage, c.product_packaging_date_usage),
    'productionDate', coalesce(d.production_date_usage, c.product_production_date_usage),
    'sellByDate', coalesce(d.sell_by_date_usage, c.product_sell_by_date_usage))
  from unnest(${products.map(([owner]) => owner)}::text[], ${products.map(([, code]) => code)}::text[])
    as w (owner, code)
  join client c on c.key = w.owner
  join product d on d.organisation_id = ${organisationId} and d.partner_id = c.id
    and lower(d.code) = lower(w.code)`

const typesOf = (kind: Kind, table: Sql, organisationId: string, codes: Set<string>): Sql => sql`
  select ${kind}::text, '', w.code, json_build_object('id', t.id, 'isActive',
    t.status = ${SetUpStatus.Active})
  from unnest(${[...codes]}::text[]) as w (code)
  join ${table} t on t.organisation_id = ${organisationId} and lower(t.code) = lower(w.code)`

function indexRecords(found: readonly FoundRecord[]): Omit<ResolvedCodes, 'isInStock'> {
  const facts = new Map<FoundRecord['kind'], Map<string, unknown>>()
  const activeWarehouses: ResolvedWarehouse[] = []
  for (const { kind, owner, code, facts: record } of found) {
    if (kind === 'activeWarehouse') activeWarehouses.push(record as ResolvedWarehouse)
    const ofKind = facts.get(kind) ?? new Map()
    facts.set(kind, ofKind.set(kind === 'product' ? productKey(owner, code) : code, record))
  }
  const findBy =
    <Record>(kind: FoundRecord['kind']) =>
    (code: string) =>
      facts.get(kind)?.get(code) as Record | undefined
  const client = findBy<ResolvedPartner>('client')
  const product = findBy<ResolvedProduct>('product')
  return {
    timezoneId: findBy<{ timezoneId: string }>('organisation')('')?.timezoneId ?? 'UTC',
    activeWarehouses,
    client: owner => client(clientKey(owner)),
    carrier: findBy<ResolvedPartner>('carrier'),
    warehouse: findBy<ResolvedWarehouse>('warehouse'),
    product: (owner, code) => product(productKey(clientKey(owner), code)),
    packageType: findBy<ResolvedRecord>('packageType'),
    serviceType: findBy<ResolvedRecord>('serviceType'),
    taskType: findBy<ResolvedRecord>('taskType'),
    shippingPort: findBy<ResolvedRecord>('shippingPort'),
  }
}
