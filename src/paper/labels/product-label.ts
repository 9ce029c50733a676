// The endpoints that return and print product labels. Spec 2.12, 4.15; decision 4.

import type { Actor } from '../../access/actor.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { PlainDate, Type } from '../../platform/http/schema.ts'
import { PrintJobKind } from '../../vocabulary/paper.ts'
import { now } from '../former-records.ts'
import { gtin14, isGs1Text } from './gs1.ts'
import { labelEndpoints } from './label-endpoints.ts'
import { describeHazards, hazardJsonFields, type StoredHazards } from './label-hazards.ts'
import { requireLabel } from './overflow.ts'
import { type ProductData, type ProductSize, productLabel } from './product-layout.ts'
import { productSizes } from './sizes.ts'

const labelText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description })

type StoredProduct = Omit<ProductData, 'batch' | 'expiryDate' | 'serial' | 'dangerousGoods'> & {
  hazards: StoredHazards
}

const readProduct = (db: Db, { organisationId }: Actor, params: Record<string, string>) =>
  db.maybe<StoredProduct>(sql`
    select p.name as client_name, d.code, d.name, coalesce(m.name, n.name) as unit_name, d.gtin, d.barcode,
      json_build_object(${hazardJsonFields(now)}) as hazards
    from product d
    join partner p on p.organisation_id = d.organisation_id and p.id = d.partner_id
    left join unit_type n on n.organisation_id = d.organisation_id and n.id = d.unit_type_id
    left join unit_type m on m.organisation_id = d.organisation_id and m.id = d.product_unit_type_id
    where d.organisation_id = ${organisationId} and d.partner_id = ${params.partnerId}
      and d.id = ${params.partnerProductId}`)

/** Refuses (400) values that a GS1 symbol cannot encode. */
function refuseUnencodable({ gtin }: StoredProduct, values: Record<string, string | null | undefined>): void {
  if (gtin14(gtin) === null) return
  for (const [name, value] of Object.entries(values)) {
    if (value && !isGs1Text(value))
      throw verificationFailed(
        `The ${name} cannot be on the label of a product with a GTIN: it has more than 20 characters, or ` +
          'one that GS1 barcodes do not have.',
      )
  }
}

export const productLabels = labelEndpoints({
  path: '/v1/partners/:partnerId/products/:partnerProductId/label',
  name: 'ProductLabel',
  partners: 'clients',
  printPartners: 'clients',
  partnerParam: 'partnerId',
  scope: 'partner.read',
  subject: 'the label of a product',
  description:
    'A product with a GTIN gets a GS1 DataMatrix with (01), and with (17), (10) and (21) if expiry date, ' +
    'batch and serial are given. Any other gets its barcode, or otherwise its code, as Code 128.',
  kind: PrintJobKind.ProductLabel,
  sizes: Object.keys(productSizes) as ProductSize[],
  options: {
    batch: labelText('The batch to print on the label.'),
    expiryDate: { ...PlainDate, description: 'The expiry date to print on the label.' },
    serial: labelText('The serial to print on the label.'),
  },
  async read({ db, actor, params, size, dotsPerMM, options }) {
    const product = await readProduct(db, actor, params)
    if (product === undefined) throw notFound('Product')
    const { batch, expiryDate, serial } = options as Record<string, string | null | undefined>
    refuseUnencodable(product, { batch, serial })
    const data = {
      ...product,
      dangerousGoods: describeHazards(product.hazards),
      batch: batch ?? null,
      expiryDate: expiryDate ?? null,
      serial: serial ?? null,
    }
    const label = requireLabel(productLabel(data, size, dotsPerMM), product.code, size)
    return { labels: [label], name: `Product label ${product.code}`, partnerId: params.partnerId as string }
  },
})
