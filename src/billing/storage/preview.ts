// The endpoint that previews storage charges. It stores nothing. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import {
  allNullable,
  allOptional,
  IntegerEnum,
  named,
  PlainDate,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { safeNow } from '../../stock/as-of/as-of.ts'
import { BillingPeriod, ChargeApplication, RateCardBecause, UnratedReason } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { readSetUp } from '../charges/billing-set-up.ts'
import { activityOf } from '../charges/rate-consignment.ts'
import { toNumber } from '../evaluator/exact.ts'
import { largeContentBytes, RateCardContent } from '../evaluator/rate-card-content.ts'
import { loadRequestedVersion } from '../rate-cards/requested-version.ts'
import { listClientWarehouses } from './bill-storage.ts'
import { maxPeriodDays, versionDaysBefore } from './charge-periods.ts'
import type { BilledDays, VersionDays } from './charged-periods.ts'
import { differencesOf, type StorageDifference } from './corrections.ts'
import { evaluateStorage, storageEvaluatorVersion } from './evaluate-storage.ts'
import { type Days, dayOf } from './local-days.ts'
import { readGroupNames, type StorageSetUp, transactionOf } from './raise-transactions.ts'
import type { StorageAccount } from './read-stock-history.ts'
import { billedBefore } from './storage-account.ts'
import { StorageDay, toStorageDays } from './storage-days.ts'
import { readCurrentFacts } from './storage-facts.ts'
import { readStorageInputs, termsOf } from './storage-terms.ts'
import { unratedStorage } from './unrated-storage.ts'
import { versionsInForce } from './version-days.ts'

const maxDays = 93

function previewFaults(value: unknown): ValidationError[] {
  const { dateFrom, dateTo, rateCardVersionId, content } = (value ?? {}) as Record<string, unknown>
  const faults: ValidationError[] = []
  if (rateCardVersionId && content)
    faults.push({ path: '/content', problem: 'must be left out beside rateCardVersionId' })
  if (typeof dateFrom !== 'string' || typeof dateTo !== 'string') return faults
  if (dateTo < dateFrom)
    faults.push({ path: '/dateTo', problem: 'must not be before dateFrom', code: 'range' })
  if (dayOf(dateTo) - dayOf(dateFrom) >= maxDays)
    faults.push({ path: '/dateTo', problem: `must be within ${maxDays} days of dateFrom`, code: 'range' })
  return faults
}

const StoragePreviewRequest = named(
  'StoragePreviewRequest',
  Type.Object(
    {
      partnerId: Uuid,
      dateFrom: PlainDate,
      dateTo: PlainDate,
      ...allOptional({
        warehouseId: Uuid,
        rateCardVersionId: Uuid,
        content: RateCardContent,
        billingPeriod: IntegerEnum(BillingPeriod),
      }),
    },
    { rule: previewFaults },
  ),
)

const Amount = Type.Number()
const StoragePreviewCharge = named(
  'StoragePreviewCharge',
  Type.Object({
    warehouseId: Uuid,
    ...{ periodFrom: PlainDate, periodTo: PlainDate },
    ...{ rateCardVersionId: Uuid, rateId: Uuid, rateChargeId: Uuid },
    groupKey: { ...Type.String(), description: 'The group that is charged, if the rate charge groups.' },
    particulars: Type.String(),
    ...allNullable({ activityCode: Type.String(), activityName: Type.String() }),
    ...allNullable({ revenueAccountId: Uuid, costCentreId: Uuid }),
    quantity: Amount,
    chargeRateExclTax: Amount,
    ...allNullable({ baseChargeExclTax: Amount, minChargeExclTax: Amount, maxChargeExclTax: Amount }),
    chargeApplication: IntegerEnum(ChargeApplication),
    taxRateId: Uuid,
    taxRatePercent: Amount,
    amountExclTax: Amount,
    series: Type.Array(StorageDay),
  }),
)

const UnratedStorage = named(
  'UnratedStorage',
  Type.Object({
    warehouseId: Uuid,
    partnerProductId: Uuid,
    partnerProductCode: Type.String(),
    partnerProductName: Type.String(),
    unitDays: { ...Amount, description: 'The quantities at the end of each day, added up.' },
    reason: IntegerEnum(UnratedReason),
  }),
)
const StoragePreview = named(
  'StoragePreview',
  Type.Object({ charges: Type.Array(StoragePreviewCharge), unrated: Type.Array(UnratedStorage) }),
)
type StoragePreview = Static<typeof StoragePreview>
type PreviewRequest = Static<typeof StoragePreviewRequest>

interface PreviewWarehouse {
  warehouseId: string
  timeZone: string
  warehouseRevenueAccountId: string | null
  warehouseCostCentreId: string | null
  /** its storage has never been billed */
  isFirst: boolean
}

/** Reads the warehouses with stock of the client, or the requested one. */
async function readWarehouses(
  db: Db,
  organisationId: string,
  body: PreviewRequest,
): Promise<PreviewWarehouse[]> {
  const { partnerId, warehouseId, dateFrom } = body
  const pairs = warehouseId
    ? [{ warehouseId }]
    : await listClientWarehouses(db, organisationId, { clientId: partnerId, periodFrom: dateFrom })
  const warehouses = await db.rows<PreviewWarehouse>(sql`
    select w.id as warehouse_id, w.timezone_id as time_zone,
      w.revenue_account_id as warehouse_revenue_account_id, w.cost_centre_id as warehouse_cost_centre_id,
      not exists (
        select from storage_run r where r.organisation_id = w.organisation_id and r.client_id = ${partnerId}
          and r.warehouse_id = w.id
      ) as is_first
    from warehouse w
    where w.organisation_id = ${organisationId} and w.id = any(${pairs.map(pair => pair.warehouseId)})
    order by w.code, w.id`)
  if (warehouseId && warehouses.length === 0)
    throw verificationFailed(faultAt('warehouseId', 'does not refer to a warehouse', 'unknown_reference'))
  return warehouses
}

async function requireClient(db: Db, organisationId: string, partnerId: string): Promise<void> {
  const client = await db.maybe(sql`
    select from partner where organisation_id = ${organisationId} and id = ${partnerId}
      and relationship = ${Relationship.Client}`)
  if (client === undefined)
    throw verificationFailed(faultAt('partnerId', 'does not refer to a client', 'unknown_reference'))
}

/** The versions to preview: the requested one on all days, or else those in force. */
async function previewVersions(db: Db, organisationId: string, body: PreviewRequest): Promise<VersionDays[]> {
  const days: Days = { from: dayOf(body.dateFrom) - versionDaysBefore, to: dayOf(body.dateTo) }
  if (!body.rateCardVersionId && !body.content)
    return versionsInForce(db, organisationId, body.partnerId, days)
  const version = await loadRequestedVersion(db, organisationId, body)
  return [{ ...days, version, because: RateCardBecause.Own }]
}

/** A charge as the API shows it, with the fields of the transaction that a run would raise. */
function chargeView(difference: StorageDifference, setUp: StorageSetUp) {
  const { activityTypeId, ...row } = transactionOf(difference, setUp)
  const activity = activityOf(difference.rate, setUp.activityTypes)
  const figure = (text: string | null) => (text === null ? null : Number(text))
  return {
    ...row,
    taxRatePercent: Number(setUp.taxRates.get(row.taxRateId)?.percent ?? '0'),
    activityCode: activity?.code ?? null,
    activityName: activity?.name ?? null,
    quantity: Number(row.quantity),
    chargeRateExclTax: Number(row.rate),
    baseChargeExclTax: figure(row.base),
    minChargeExclTax: figure(row.min),
    maxChargeExclTax: figure(row.max),
    chargeApplication: row.application,
    amountExclTax: Number(row.amount),
  }
}

/**
 * The period billed up to the day before. If that is not billed yet but earlier days are, it is assumed to be
 * as long as the previewed period.
 */
async function previousPeriod(
  db: Db,
  account: StorageAccount,
  { isFirst }: PreviewWarehouse,
  { period, billingPeriod }: BilledDays,
): Promise<BilledDays | null> {
  const found = await billedBefore(db, account, period.from)
  if (found !== null || isFirst) return found
  const days = Math.min(period.to - period.from + 1, maxPeriodDays)
  return { period: { from: period.from - days, to: period.from - 1 }, billingPeriod }
}

/** Previews the charges for one warehouse, and lists the goods that no rate charges. */
async function previewWarehouse(
  db: Db,
  organisationId: string,
  body: PreviewRequest,
  warehouse: PreviewWarehouse,
  versions: VersionDays[],
  knownAt: string,
): Promise<StoragePreview> {
  const { warehouseId, timeZone } = warehouse
  const account: StorageAccount = { organisationId, clientId: body.partnerId, warehouseId }
  const days: Days = { from: dayOf(body.dateFrom), to: dayOf(body.dateTo) }
  const billingPeriod = body.billingPeriod ?? BillingPeriod.Monthly
  const previous = await previousPeriod(db, account, warehouse, { period: days, billingPeriod })
  // The number of the run does not matter, because no run is stored.
  const billing = {
    ...{ number: 0, evaluatorVersion: storageEvaluatorVersion, previous, timeZone, versions },
    period: { ...days, billingPeriod },
  }
  const stored = await readStorageInputs(db, account, [billing], [], knownAt)
  const facts = await readCurrentFacts(db, organisationId, stored.history)
  const terms = termsOf(account, billing, stored, facts)
  const charges = evaluateStorage(stored.history, terms)
  const [setUp, names] = await Promise.all([
    readSetUp(db, organisationId),
    readGroupNames(
      db,
      organisationId,
      charges.map(({ groupKey }) => groupKey),
    ),
  ])
  const storageSetUp = { ...setUp, names, facts, warehouse, billedThrough: null }
  const views = differencesOf(charges, [], versions).map(difference => ({
    warehouseId,
    ...chargeView(difference, storageSetUp),
    series:
      difference.now === null ? [] : toStorageDays(difference.now.measured, stored.history, terms.calendar),
  }))
  const unrated = unratedStorage(stored.history, terms)
  const products = await readProducts(
    db,
    organisationId,
    unrated.map(({ productId }) => productId),
  )
  return {
    charges: views,
    unrated: unrated.map(({ productId, unitDays, reason }) => ({
      warehouseId,
      partnerProductId: productId,
      partnerProductCode: products.get(productId)?.code ?? '',
      partnerProductName: products.get(productId)?.name ?? '',
      unitDays: toNumber(4, unitDays),
      reason,
    })),
  }
}

async function readProducts(db: Db, organisationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { code: string; name: string }>()
  const rows = await db.rows<{ id: string; code: string; name: string }>(sql`
    select id, code, name from product where organisation_id = ${organisationId} and id = any(${ids})`)
  return new Map(rows.map(row => [row.id, row]))
}

export const storagePreview = [
  endpoint({
    post: '/v1/storage-charges/preview',
    name: 'previewStorageCharges',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: "Preview a client's storage charges",
    description:
      'Returns the charges with every day behind them, and the goods that no rate charges. Nothing is ' +
      'stored. The dates are local days of each warehouse and form one billing period. For days that are ' +
      'not over, the preview assumes no further movements. Without a version or content, the cards in ' +
      'force are used.',
    body: StoragePreviewRequest,
    largeBodyBytes: largeContentBytes,
    response: json(StoragePreview),
    async handle({ tx, actor, body: given }) {
      const { organisationId } = actor
      const body = { ...given, warehouseId: given.warehouseId ?? null }
      await requireClient(tx, organisationId, body.partnerId)
      const versions = await previewVersions(tx, organisationId, body)
      const warehouses = await readWarehouses(tx, organisationId, body)
      const knownAt = await safeNow(tx, organisationId)
      const previews: StoragePreview[] = []
      for (const warehouse of warehouses)
        previews.push(await previewWarehouse(tx, organisationId, body, warehouse, versions, knownAt))
      return {
        charges: previews.flatMap(({ charges }) => charges),
        unrated: previews.flatMap(({ unrated }) => unrated),
      }
    },
  }),
]
