// Every code of a batch of imports, looked up in one query. Codes match without regard to case. Spec 3
// (consignment import); open-points 5.

import type { AttributeUsage, Relationship } from '../partners/enumerations.ts'
import { type Db, sql } from '../platform/database/db.ts'
import type { ImportRequest } from './import-request.ts'

/** A record that a code names. */
export interface Resolved {
  id: string
  isActive: boolean
}
export interface ResolvedPartner extends Resolved {
  relationship: (typeof Relationship)[keyof typeof Relationship]
}
export interface ResolvedWarehouse extends Resolved {
  timezoneId: string
}
type Usage = (typeof AttributeUsage)[keyof typeof AttributeUsage]
/** A client's product, its attribute usages with the client's in place of those that it leaves open. */
export interface ResolvedProduct extends Resolved {
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

/** What the codes of a batch stand for: each answers undefined for a code that nothing has. */
export interface Codes {
  /** the organisation's time zone, for imports without a warehouse */
  readonly timezoneId: string
  /** the warehouses that an import may mean when it names none: at most two are listed */
  readonly activeWarehouses: readonly ResolvedWarehouse[]
  partner(code: string): ResolvedPartner | undefined
  warehouse(code: string): ResolvedWarehouse | undefined
  product(clientCode: string, code: string): ResolvedProduct | undefined
  packageType(code: string): Resolved | undefined
  serviceType(code: string): Resolved | undefined
  taskType(code: string): Resolved | undefined
  shippingPort(code: string): Resolved | undefined
}

interface Found {
  kind: 'organisation' | 'activeWarehouse' | Kind
  code: string
  clientCode: string
  facts: unknown
}
type Kind = 'partner' | 'warehouse' | 'product' | 'packageType' | 'serviceType' | 'taskType' | 'shippingPort'

const productKey = (clientCode: string, code: string) => `${clientCode}\0${code}`

/** The codes that imports name, each once. */
function codesOf(requests: readonly ImportRequest[]) {
  const codes = {
    partners: new Set<string>(),
    warehouses: new Set<string>(),
    packageTypes: new Set<string>(),
  }
  const more = {
    serviceTypes: new Set<string>(),
    taskTypes: new Set<string>(),
    shippingPorts: new Set<string>(),
  }
  const products = new Map<string, [clientCode: string, code: string]>()
  let lacksWarehouse = false
  const add = (to: Set<string>, code: string | null | undefined) => {
    if (code !== null && code !== undefined) to.add(code)
  }
  for (const request of requests) {
    codes.partners.add(request.clientCode)
    add(codes.partners, request.carrierCode)
    add(codes.warehouses, request.warehouseCode)
    lacksWarehouse ||= request.warehouseCode === null || request.warehouseCode === undefined
    add(more.shippingPorts, request.loadShippingPortCode)
    add(more.shippingPorts, request.dischargeShippingPortCode)
    for (const code of request.serviceTypeCodes ?? []) more.serviceTypes.add(code)
    for (const task of request.tasks ?? []) more.taskTypes.add(task.taskTypeCode)
    for (const { productCode, packageTypeCode } of request.products) {
      products.set(productKey(request.clientCode, productCode), [request.clientCode, productCode])
      add(codes.packageTypes, packageTypeCode)
    }
  }
  return { ...codes, ...more, products: [...products.values()], lacksWarehouse }
}

/** Looks up every code of a batch of one organisation's imports. */
export async function resolveCodes(
  db: Db,
  organisationId: string,
  requests: readonly ImportRequest[],
): Promise<Codes> {
  const wanted = codesOf(requests)
  const found = await db.rows<Found>(sql`
    select 'organisation' as kind, '' as code, '' as client_code, json_build_object('timezoneId',
      o.timezone_id) as facts
    from organisation o where o.id = ${organisationId}
    union all
    select 'partner', w.code, '', json_build_object('id', p.id, 'isActive', p.status = 2, 'relationship',
      p.relationship)
    from unnest(${[...wanted.partners]}::text[]) as w (code)
    join partner p on p.organisation_id = ${organisationId} and lower(p.code) = lower(w.code)
    union all
    select 'warehouse', w.code, '', json_build_object('id', h.id, 'isActive', h.status = 1, 'timezoneId',
      h.timezone_id)
    from unnest(${[...wanted.warehouses]}::text[]) as w (code)
    join warehouse h on h.organisation_id = ${organisationId} and lower(h.code) = lower(w.code)
    union all
    (select 'activeWarehouse', '', '', json_build_object('id', h.id, 'isActive', true, 'timezoneId',
      h.timezone_id)
    from warehouse h where ${wanted.lacksWarehouse} and h.organisation_id = ${organisationId} and h.status = 1
      limit 2)
    union all
    select 'product', w.code, w.client_code, json_build_object('id', d.id, 'isActive', d.status = 1,
      'serialTrackingMode', d.serial_tracking_mode, 'weightKG', d.weight_kg, 'volumeM3', d.volume_m3,
      'batch', coalesce(d.batch_usage, p.product_batch_usage),
      'bestBeforeDate', coalesce(d.best_before_date_usage, p.product_best_before_date_usage),
      'expiryDate', coalesce(d.expiry_usage, p.product_expiry_usage),
      'packagingDate', coalesce(d.packaging_date_usage, p.product_packaging_date_usage),
      'productionDate', coalesce(d.production_date_usage, p.product_production_date_usage),
      'sellByDate', coalesce(d.sell_by_date_usage, p.product_sell_by_date_usage))
    from unnest(${wanted.products.map(([client]) => client)}::text[],
      ${wanted.products.map(([, code]) => code)}::text[]) as w (client_code, code)
    join partner p on p.organisation_id = ${organisationId} and lower(p.code) = lower(w.client_code)
    join product d on d.organisation_id = ${organisationId} and d.partner_id = p.id and lower(d.code)
      = lower(w.code)
    union all
    select 'packageType', w.code, '', json_build_object('id', t.id, 'isActive', t.status = 1)
    from unnest(${[...wanted.packageTypes]}::text[]) as w (code)
    join package_type t on t.organisation_id = ${organisationId} and lower(t.code) = lower(w.code)
    union all
    select 'serviceType', w.code, '', json_build_object('id', t.id, 'isActive', t.status = 1)
    from unnest(${[...wanted.serviceTypes]}::text[]) as w (code)
    join service_type t on t.organisation_id = ${organisationId} and lower(t.code) = lower(w.code)
    union all
    select 'taskType', w.code, '', json_build_object('id', t.id, 'isActive', t.status = 1)
    from unnest(${[...wanted.taskTypes]}::text[]) as w (code)
    join task_type t on t.organisation_id = ${organisationId} and lower(t.code) = lower(w.code)
    union all
    select 'shippingPort', w.code, '', json_build_object('id', p.id, 'isActive', true)
    from unnest(${[...wanted.shippingPorts]}::text[]) as w (code) join shipping_port p
      on p.code = upper(w.code)`)

  const byKind = {
    partner: new Map(),
    warehouse: new Map(),
    product: new Map(),
    packageType: new Map(),
    serviceType: new Map(),
  }
  const maps: Record<Kind, Map<string, unknown>> = { ...byKind, taskType: new Map(), shippingPort: new Map() }
  const activeWarehouses: ResolvedWarehouse[] = []
  let timezoneId = 'UTC'
  for (const { kind, code, clientCode, facts } of found) {
    if (kind === 'organisation') timezoneId = (facts as { timezoneId: string }).timezoneId
    else if (kind === 'activeWarehouse') activeWarehouses.push(facts as ResolvedWarehouse)
    else maps[kind].set(kind === 'product' ? productKey(clientCode, code) : code, facts)
  }
  const lookUp =
    <Record>(kind: Kind) =>
    (code: string) =>
      maps[kind].get(code) as Record | undefined
  const product = lookUp<ResolvedProduct>('product')
  return {
    timezoneId,
    activeWarehouses,
    partner: lookUp<ResolvedPartner>('partner'),
    warehouse: lookUp<ResolvedWarehouse>('warehouse'),
    product: (clientCode, code) => product(productKey(clientCode, code)),
    packageType: lookUp<Resolved>('packageType'),
    serviceType: lookUp<Resolved>('serviceType'),
    taskType: lookUp<Resolved>('taskType'),
    shippingPort: lookUp<Resolved>('shippingPort'),
  }
}
