// The requests of the mixed load: 70 % reads over every GET endpoint of the route table, and 30 % writes in
// pairs that undo each other. The first half of the list has one side of each pair and the second half the
// other. So the list can be sent repeatedly, and every write still changes something.

import type pg from 'pg'
import type { Endpoint } from '../src/access/endpoint.ts'
import { type Target, writes } from './mixed-writes.ts'

/** One request of the list. */
export interface MixedRequest {
  /** the endpoint: method and path of the route table */
  name: string
  organisation: number
  method: string
  path: string
  body: string | undefined
}

const readShare = 0.7

/** How much more often an endpoint is read than others. */
const weights: Record<string, number> = {
  '/v1/consignments': 12,
  '/v1/consignments/:consignmentId': 12,
  '/v1/consignments/:consignmentId/check-exists': 4,
  '/v1/consignments/:consignmentId/history': 3,
  '/v1/consignments/:consignmentId/tracking': 4,
  '/v1/consignments/:consignmentId/notes/:consignmentNoteId': 3,
  '/v1/consignments/:consignmentId/charges': 3,
  '/v1/partners/:partnerId': 2,
  '/v1/partners/:partnerId/products': 3,
  '/v1/partners/:partnerId/products/:partnerProductId': 3,
  '/v1/schedules': 2,
  '/v1/jobs': 2,
}

/**
 * The query strings of lists, each of which is used equally often; `:name` stands for a value of the
 * organisation.
 */
const queries: Record<string, string[]> = {
  '/v1/consignments': [
    '',
    'PageIndex=3',
    'Status=-1',
    'Status=6&WarehouseId=:warehouseId',
    'ClientId=:clientId',
    'ClientId=:clientId&Status=-1',
    'CarrierId=:carrierId&Type=2',
    'EdiStatus=null',
    'SearchText=:consignmentNumber',
    'SearchText=PO12345',
    'ExternalId=:externalId',
    'DateFrom=2025-06-01&DateTo=2025-06-30&ClientId=:clientId',
  ],
  '/v1/consignment-imports': ['', 'Status=2', 'Status=2&SearchText=nobody12'],
  '/v1/partners': ['', 'SearchText=kauri', 'Relationship=2'],
  '/v1/partners/:partnerId/products': ['', 'SearchText=tray%20of%202'],
  '/v1/rate-cards/in-force': ['PartnerId=:clientId'],
  '/v1/schedule-transactions': ['', 'Status=1', 'PartnerId=:clientId'],
  '/v1/schedules': ['', 'Status=1', 'PartnerId=:clientId', 'IsExported=false'],
  '/v1/jobs': ['', 'Status=-1', 'ClientId=:clientId', 'SearchText=wave%2012'],
  '/v1/shipping-ports': ['', 'SearchText=auck', 'SearchText=new%20zealand'],
  '/v1/warehouses/:warehouseId/locations': ['', 'Type=2', 'SearchText=a-1'],
}

/**
 * The tables of records by the path that names them, or by the last parameter of the path; `columns` are the
 * parameters that are named differently from the table's own.
 */
const tables: Record<string, [table: string, columns?: string]> = {
  consignmentId: ['consignment', 'id as "consignmentId"'],
  consignmentImportId: ['consignment_import', 'id as "consignmentImportId"'],
  consignmentTrackingId: [
    'consignment_tracking',
    'consignment_id as "consignmentId", id as "consignmentTrackingId"',
  ],
  consignmentNoteId: ['consignment_note', 'consignment_id as "consignmentId", id as "consignmentNoteId"'],
  consignmentNoteAttachmentId: [
    'consignment_note_attachment',
    // Attachments have the id of their note and its consignment.
    'id as "consignmentId", consignment_note_id as "consignmentNoteId", id as "consignmentNoteAttachmentId"',
  ],
  consignmentPodId: ['consignment_pod', 'consignment_id as "consignmentId", id as "consignmentPodId"'],
  partnerScheduleId: ['partner_schedule', 'id as "partnerScheduleId"'],
  consignmentChargeId: [
    'consignment_charge',
    'consignment_id as "consignmentId", id as "consignmentChargeId"',
  ],
  rateCardId: ['rate_card', 'id as "rateCardId"'],
  rateCardVersionId: ['rate_card_version', 'rate_card_id as "rateCardId", id as "rateCardVersionId"'],
  scheduleTransactionId: ['schedule_transaction', 'id as "scheduleTransactionId"'],
  billingRunId: ['billing_run', 'id as "billingRunId"'],
  '/v1/localities/:id': ['locality', 'id'],
  fafProfileId: ['faf_profile', 'id as "fafProfileId"'],
  fafProfileRateId: ['faf_profile_rate', 'faf_profile_id as "fafProfileId", id as "fafProfileRateId"'],
  partnerId: ['partner', 'id as "partnerId"'],
  '/v1/partners/:partnerId/logo': ['partner_logo', 'partner_id as "partnerId"'],
  '/v1/partners/:partnerId/logo-thumbnail': ['partner_logo', 'partner_id as "partnerId"'],
  '/v1/partners/:partnerId/products': ['product', 'partner_id as "partnerId"'],
  partnerProductId: ['product', 'partner_id as "partnerId", id as "partnerProductId"'],
  warehouseId: ['warehouse', 'id as "warehouseId"'],
  warehouseZoneId: ['warehouse_zone', 'warehouse_id as "warehouseId", id as "warehouseZoneId"'],
  warehouseLocationId: ['warehouse_location', 'warehouse_id as "warehouseId", id as "warehouseLocationId"'],
  jobId: ['job', 'id as "jobId"'],
  webhookSubscriptionId: ['webhook_subscription', 'id as "webhookSubscriptionId"'],
  userId: ['app_user', 'id as "userId"'],
  customAppId: ['custom_app', 'id as "customAppId"'],
  dgHazardClassId: ['dg_hazard_class', 'id as "dgHazardClassId"'],
  shippingPortId: ['shipping_port', 'id as "shippingPortId"'],
}
const shared = ['dg_hazard_class', 'shipping_port']

/**
 * Finds the table with the records that a path names, and its columns; undefined for a path without
 * parameters.
 */
function tableOf(path: string): [table: string, columns: string] | undefined {
  const last = path.match(/:\w+/g)?.at(-1)?.slice(1)
  if (last === undefined) return undefined
  // A set-up collection, such as /v1/service-types/:id.
  const setUp = `${path.split('/')[2]}`.replaceAll('-', '_').replace(/s$/, '')
  const [table, columns = 'id'] = tables[path] ?? tables[last] ?? (last === 'id' ? [setUp] : [])
  if (table === undefined) throw new Error(`The mixed load does not know where the records of ${path} are.`)
  return [table, columns]
}

/**
 * Excluded endpoints. Stock and its jobs are not loaded here: `inventory-page` reads them, among a million
 * rows. Documents and labels are made in a thread of their own, which `documents` and `labels` measure.
 * `printing` and `back-test` measure theirs.
 */
const excludedPaths = [
  /^\/v1\/(inventory|logistic-units|stock-counts|scan|print)/,
  /:jobId\/|allocation-preview|picks$/,
  /-pdf$|labels?$|\/print$|:rateCardBackTestId/,
]

// A fixed sequence, so that every run has the same list.
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const fill = (text: string, target: Target) =>
  text.replace(/:(\w+)/g, (_, name) => encodeURIComponent(target[name] ?? ''))

/** A request with its place in the list, from 0 to 1. */
interface PlacedRequest {
  at: number
  request: MixedRequest
}

/** What the requests of one organisation are made with. */
interface RequestSource {
  client: pg.Client
  organisation: number
  organisationId: string
  random(): number
}

/** Creates a list of about `count` requests to these endpoints on the loaded organisations. */
export async function mixedRequests(
  client: pg.Client,
  endpoints: readonly Endpoint[],
  organisationIds: readonly string[],
  count: number,
): Promise<MixedRequest[]> {
  const random = sequence(7)
  const reads = endpoints.flatMap(({ method, path }) =>
    method === 'GET' && !excludedPaths.some(one => one.test(path)) ? [path] : [],
  )
  const countOfEach = count / organisationIds.length
  const placed: PlacedRequest[] = []
  for (const [organisation, organisationId] of organisationIds.entries()) {
    const source = { client, organisation, organisationId, random }
    placed.push(...(await createReads(source, reads, countOfEach * readShare)))
    placed.push(...(await createWrites(source, countOfEach * (1 - readShare))))
  }
  return placed.toSorted((a, b) => a.at - b.at).map(({ request }) => request)
}

async function readTargets(
  { client, organisationId }: RequestSource,
  query: string,
  { isShared = false, max = 1_000 } = {},
): Promise<Target[]> {
  return (await client.query<Target>(`${query} limit ${max}`, isShared ? [] : [organisationId])).rows
}

/** Consignments with the values by which lists are filtered. */
const filterValuesQuery = `
  select c.consignment_number as "consignmentNumber", coalesce(c.external_id, 'none') as "externalId",
    c.client_id as "clientId",
    coalesce(c.carrier_id, (select id from partner where organisation_id = $1 and code = 'K01'))
      as "carrierId", coalesce(c.warehouse_id, (select id from warehouse
        where organisation_id = $1 limit 1)) as "warehouseId"
  from consignment c where c.organisation_id = $1 order by hashtext(c.id::text)`

/** About `count` requests of these GET endpoints, by their weights. */
async function createReads(
  source: RequestSource,
  paths: readonly string[],
  count: number,
): Promise<PlacedRequest[]> {
  const { organisation, random } = source
  const weightOf = (path: string) => weights[path] ?? 1
  const countOfWeight = count / paths.reduce((sum, path) => sum + weightOf(path), 0)
  const filterValues = await readTargets(source, filterValuesQuery)
  const placed: PlacedRequest[] = []
  for (const path of paths) {
    const targets = await targetsOf(source, path)
    const queryStrings = queries[path] ?? ['']
    const length = Math.max(queryStrings.length, Math.round(countOfWeight * weightOf(path)))
    for (let i = 0; i < length; i++) {
      const target = { ...filterValues[i % filterValues.length], ...targets[i % targets.length] }
      const query = queryStrings[i % queryStrings.length]
      const url = fill(query ? `${path}?${query}` : path, target)
      placed.push({
        at: random(),
        request: { name: `GET ${path}`, organisation, method: 'GET', path: url, body: undefined },
      })
    }
  }
  return placed
}

/** The records that an endpoint is read for; one without values if its path has no ids. */
async function targetsOf(source: RequestSource, path: string): Promise<Target[]> {
  const [table, columns] = tableOf(path) ?? []
  if (table === undefined) return [{}]
  const isShared = shared.includes(table)
  const where = isShared ? '' : 'where organisation_id = $1'
  const query = `select ${columns} from ${table} ${where} order by hashtext(${columnOf(columns)}::text)`
  const targets = await readTargets(source, query, { isShared })
  if (targets.length === 0) throw new Error(`There is no record for ${path}.`)
  return targets
}

/** About `count` writes, in pairs that undo each other: one in each half of the list. */
async function createWrites(source: RequestSource, count: number): Promise<PlacedRequest[]> {
  const { organisation, random } = source
  const countOfWeight = count / writes.reduce((sum, { weight }) => sum + weight, 0)
  const placed: PlacedRequest[] = []
  for (const { weight, name, undo = name, targets: query, body } of writes) {
    const pairs = Math.max(1, Math.round((countOfWeight * weight) / 2))
    const targets = await readTargets(source, `select ${query} order by hashtext(c.id::text)`, { max: pairs })
    if (targets.length === 0) throw new Error(`There is no record for ${name}.`)
    for (const target of targets.slice(0, pairs)) {
      for (const side of [0, 1] as const) {
        const endpoint = side === 0 ? name : undo
        const [method = '', path = ''] = endpoint.split(' ')
        // Numbers the bodies of an organisation, so that no two are equal.
        const content = body?.(side, target, placed.length)
        placed.push({
          at: (side + random()) / 2,
          request: {
            ...{ name: endpoint, organisation, method, path: fill(path, target) },
            body: content === undefined ? undefined : JSON.stringify(content),
          },
        })
      }
    }
  }
  return placed
}

/** The column by which records are put in random order: the first of a select list. */
const columnOf = (columns = ''): string => columns.split(' ')[0] as string
