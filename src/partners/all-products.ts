// The products of all clients in one list, with what is in stock of each. Spec 2.12.

import { endpoint } from '../access/endpoint.ts'
import { empty, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { contains, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { IntegerEnum, named, Type, Uuid } from '../platform/http/schema.ts'
import { ProductStatus } from '../vocabulary/partners.ts'
import { Product } from './product.ts'
import { pageColumns, productWithNames } from './product-columns.ts'
import { productStockColumns, productStockFields } from './product-figures.ts'

const StockedProduct = named(
  'ProductOfClient',
  Type.Object({
    ...Product.properties,
    status: IntegerEnum(ProductStatus),
    ...{ partnerId: Uuid, partnerCode: Type.String(), partnerName: Type.String() },
    ...productStockFields,
  }),
)

export const productsOfClients = [
  endpoint({
    get: '/v1/products',
    ...{ name: 'listProductsOfClients', partners: 'clients', scope: 'partner.read', extension: true },
    summary: "List all clients' products, with their stock",
    description: 'In the order of their codes. PartnerId may be repeated.',
    query: pageQuery({
      PartnerId: Type.Optional(
        Type.Array(Uuid, { maxItems: 20, orOne: true, description: 'Of these clients.' }),
      ),
      SearchText: searchIn('code, name and barcode'),
      ProductGroupId: Type.Optional({ ...Uuid, description: 'Products of this group.' }),
      IsDangerousGood: Type.Optional(Type.Boolean({ description: 'Whether they are dangerous goods.' })),
      ProductStatus: Type.Optional(IntegerEnum(ProductStatus)),
    }),
    response: json(
      named(
        'ProductsOfClientsPage',
        Type.Object({ index: Type.Integer(), total: Type.Integer(), products: Type.Array(StockedProduct) }),
      ),
    ),
    async handle({ db, actor: { organisationId, partnerId }, query }) {
      const { PartnerId, SearchText, ProductGroupId, IsDangerousGood, ProductStatus: status } = query
      const where = sql`where d.organisation_id = ${organisationId}
      ${partnerId === null ? empty : sql`and d.partner_id = ${partnerId}`}
      ${PartnerId === undefined ? empty : sql`and d.partner_id = any(${PartnerId}::uuid[])`}
      ${SearchText ? sql`and ${contains(sql`d.search_text`, SearchText)}` : empty}
      ${ProductGroupId === undefined ? empty : sql`and d.product_group_id = ${ProductGroupId}`}
      ${IsDangerousGood === undefined ? empty : sql`and d.is_dangerous_good = ${IsDangerousGood}`}
      ${status === undefined ? empty : sql`and d.status = ${status}`}`
      return readPage(db, 'products', query, {
        columns: sql`${pageColumns}, d.status, d.partner_id, p.code as partner_code, p.name as partner_name,
        ${productStockColumns(undefined)}`,
        from: sql`${productWithNames} join partner p on p.organisation_id = d.organisation_id
        and p.id = d.partner_id ${where}`,
        order: sql`d.code, d.id`,
        total: sql`select count(*) from product d ${where}`,
      })
    },
  }),
]
