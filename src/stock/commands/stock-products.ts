// The products that commands move: their client, the description that their stock needs, and their units.
// Spec 2.11, 2.12.

import { buildChain, type Chain, type StoredStep } from '../../partners/convert-quantity.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import type { FieldFault } from '../../platform/http/entry-faults.ts'
import { AttributeUsage, type SerialTrackingMode } from '../../vocabulary/partners.ts'
import {
  type DescriptionField,
  descriptionFieldNames,
  type StockDescription,
} from '../ledger/stock-identity.ts'

type Usage = (typeof AttributeUsage)[keyof typeof AttributeUsage]

/** What commands know about a product. Usages that the product leaves open are those of its client. */
export interface StockProduct {
  id: string
  partnerId: string
  code: string
  serialTrackingMode: (typeof SerialTrackingMode)[keyof typeof SerialTrackingMode]
  weightKG: number | null
  volumeM3: number | null
  usages: Record<DescriptionField, Usage>
  chain: Chain
  /** the client's GS1 company prefix, for the SSCCs of new logistic units */
  gs1CompanyPrefix: string | null
}

type StoredProductRow = Omit<StockProduct, 'chain'> & { steps: StoredStep[] }

/** Finds products of an organisation by id, in one query. */
export async function findProducts(
  db: Db,
  organisationId: string,
  productIds: readonly string[],
): Promise<Map<string, StockProduct>> {
  if (productIds.length === 0) return new Map()
  const rows = await db.rows<StoredProductRow>(sql`
    select d.id, d.partner_id, d.code, d.serial_tracking_mode, d.weight_kg, d.volume_m3,
      c.gs1_company_prefix as "gs1CompanyPrefix", jsonb_build_object(
        'batch', coalesce(d.batch_usage, c.product_batch_usage),
        'bestBeforeDate', coalesce(d.best_before_date_usage, c.product_best_before_date_usage),
        'expiryDate', coalesce(d.expiry_usage, c.product_expiry_usage),
        'packagingDate', coalesce(d.packaging_date_usage, c.product_packaging_date_usage),
        'productionDate', coalesce(d.production_date_usage, c.product_production_date_usage),
        'sellByDate', coalesce(d.sell_by_date_usage, c.product_sell_by_date_usage)) as usages,
      (select coalesce(jsonb_agg(jsonb_build_object('inputMetricType', s.input_metric_type,
          'inputUnitTypeId', s.input_unit_type_id, 'inputUnitTypeName', null,
          'outputMetricType', s.output_metric_type, 'outputUnitTypeId', s.output_unit_type_id,
          'conversionRate', s.conversion_rate::text) order by s.ordinal), '[]')
        from product_unit_conversion s
        where s.organisation_id = d.organisation_id and s.product_id = d.id) as steps
    from product d join partner c on c.organisation_id = d.organisation_id and c.id = d.partner_id
    where d.organisation_id = ${organisationId} and d.id = any(${[...new Set(productIds)]})`)
  return new Map(rows.map(({ steps, ...product }) => [product.id, { ...product, chain: buildChain(steps) }]))
}

const fieldNouns: Record<DescriptionField, string> = {
  batch: 'a batch',
  bestBeforeDate: 'a best before date',
  expiryDate: 'an expiry date',
  packagingDate: 'a packaging date',
  productionDate: 'a production date',
  sellByDate: 'a sell by date',
}

/** The problems of a description that lacks fields that the product requires. */
export const missingFieldFaults = (
  { code, usages }: Pick<StockProduct, 'code' | 'usages'>,
  description: StockDescription,
): FieldFault[] =>
  descriptionFieldNames
    .filter(field => usages[field] === AttributeUsage.Required && description[field] === null)
    .map(field => [`the product ${code} needs ${fieldNouns[field]}`, 'required'])
