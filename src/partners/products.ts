// The products of clients: list, read, create and change. Spec 2.12, 4.12; decision 8.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { requireScope } from '../access/scopes.ts'
import { type Db, empty, raw, sql, type Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import {
  changedFields,
  givenFields,
  insertInto,
  snakeCase,
  updateFields,
} from '../platform/database/write.ts'
import { changed, created, json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { contains, pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { duplicate, notFound, verificationFailed } from '../platform/http/refusal.ts'
import { IntegerEnum, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { refuseCodeOfInactive } from '../platform/unique-code.ts'
import { ProductStatus, Relationship } from '../vocabulary/partners.ts'
import { retryWaitingImports } from '../waiting-imports/retry-waiting.ts'
import { replaceHazardClasses, replaceUnitConversions, verifyProductReferences } from './change-product.ts'
import {
  columnNames,
  ListedProduct,
  NewProduct,
  ProductChange,
  ProductDetail,
  requestedSerialTrackingMode,
  rotationNames,
  serialFault,
  usageNames,
  volumeM3,
} from './product.ts'
import {
  classesOfProduct,
  pageColumns,
  productWithNames,
  unitConversions,
  unitType,
} from './product-columns.ts'
import { productStockColumns } from './product-figures.ts'
import { serialTrackingFaults, stockCameInFault } from './serial-tracking.ts'
import { describeStockOnHand } from './stock-on-hand.ts'

const effectiveUsages = raw(
  usageNames
    .map(snakeCase)
    .map(usage => `coalesce(d.${usage}, p.product_${usage}) as ${usage}`)
    .join(', '),
)

const ownSettings = raw([...rotationNames, 'freeStorageHours'].map(name => `d.${snakeCase(name)}`).join(', '))

/** Throws 404 unless the partner is a client of the organisation: other partners have no products. */
async function requireClient(db: Db, actor: Actor, partnerId: string): Promise<void> {
  const client = await db.maybe(sql`
    select 1 from partner where organisation_id = ${actor.organisationId} and id = ${partnerId}
      and relationship = ${Relationship.Client}`)
  if (client === undefined) throw notFound('Client')
}

const refusals = (code: string | null | undefined) => ({
  product_code_key: () => duplicate('code', `The partner already has a product with the code ${code}.`),
})

/** Throws 409 if an inactive product of the client has the code. */
const refuseTakenCode = (tx: Tx, actor: Actor, partnerId: string, code: string | undefined, ownId?: string) =>
  refuseCodeOfInactive(tx, {
    table: 'product',
    column: 'code',
    value: code,
    scope: sql`organisation_id = ${actor.organisationId} and partner_id = ${partnerId}`,
    ...(ownId === undefined ? {} : { ownId }),
    inactiveStatus: ProductStatus.Inactive,
    activeStatus: ProductStatus.Active,
    takenMessage: `The partner already has a product with the code ${code}`,
    path: `/v1/partners/${partnerId}/products`,
  })

/** The fields that the volume of a product is calculated from. */
interface Dimensions {
  isVolumeAutoCalculated?: boolean | null
  lengthMM?: number | null
  heightMM?: number | null
  widthMM?: number | null
}

/** The volume of the three sides; undefined if it is not calculated or a side is missing. */
function volumeOf({ isVolumeAutoCalculated, lengthMM, heightMM, widthMM }: Dimensions): number | undefined {
  if (!isVolumeAutoCalculated) return undefined
  const [length, height, width] = [lengthMM, heightMM, widthMM].filter(side => typeof side === 'number')
  return width === undefined ? undefined : volumeM3(length as number, height as number, width)
}

/**
 * The volume that follows from the sides after a request, if any does. Without a side, what was calculated
 * from it before is gone. Throws 400 if the request gives another volume than the calculated one.
 */
function calculatedVolume(
  after: Dimensions,
  requested: number | null | undefined,
  before: Dimensions = {},
): { volumeM3?: number | null } {
  const volume = volumeOf(after)
  if (volume === undefined)
    return requested === undefined && volumeOf(before) !== undefined && after.isVolumeAutoCalculated
      ? { volumeM3: null }
      : {}
  if (typeof requested === 'number' && requested !== volume)
    throw verificationFailed(
      faultAt('volumeM3', 'is calculated from the sides while isVolumeAutoCalculated is true', 'state'),
    )
  return { volumeM3: volume }
}

/** What a change of a product is compared with. */
interface StoredFacts {
  serialTrackingMode: number
  status: number
}

/** Refuses (400) changes that the product's stock does not permit. */
async function refuseWhileInStock(
  tx: Tx,
  organisationId: string,
  productId: string,
  stored: StoredFacts,
  { serialTrackingMode, status }: Static<typeof ProductChange>,
): Promise<void> {
  const isDeactivated = status === ProductStatus.Inactive && stored.status !== status
  const stock = isDeactivated
    ? await describeStockOnHand(tx, organisationId, sql`p.product_id = ${productId}`)
    : null
  const faults = [
    ...(stock === null ? [] : [faultAt('status', `must not be Inactive: ${stock}`, 'state')]),
    ...(serialTrackingMode !== undefined && serialTrackingMode !== stored.serialTrackingMode
      ? await serialTrackingFaults(tx, organisationId, productId)
      : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
}

export const products = [
  endpoint({
    get: '/v1/partners/:partnerId/products',
    name: 'listProducts',
    partners: 'all',
    partnerParam: 'partnerId',
    scope: 'partner.read',
    summary: "List a client's products",
    query: pageQuery({
      SearchText: searchIn('code, name and barcode'),
      ProductStatus: Type.Optional(IntegerEnum(ProductStatus)),
      Code: Type.Optional(
        Type.Array(Type.String({ maxLength: 50, trimmed: true }), {
          ...{ maxItems: 100, orOne: true },
          description: 'An exact code, in upper or lower case. May be repeated to match any of them.',
        }),
      ),
      Include: Type.Optional(
        Type.Array(Type.Enum(['figures', 'units']), {
          ...{ maxItems: 2, orOne: true },
          description:
            '`figures` adds what is in stock and what of it is free, and needs inventory.read; `units` ' +
            'adds unitConversions.',
        }),
      ),
      WarehouseId: Type.Optional({ ...Uuid, description: 'Whose stock the figures count; absent: all.' }),
    }),
    response: json(pageOf('products', ListedProduct)),
    async handle({ db, actor, params, query }) {
      const withFigures = query.Include?.includes('figures')
      if (withFigures) requireScope(actor, 'inventory.read')
      const codes = query.Code?.map(code => code.toLowerCase())
      await requireClient(db, actor, params.partnerId)
      return readPage(db, 'products', query, {
        columns: sql`${pageColumns}
          ${withFigures ? sql`, ${productStockColumns(query.WarehouseId)}` : empty}
          ${query.Include?.includes('units') ? sql`, ${unitConversions} as unit_conversions` : empty}`,
        from: sql`${productWithNames} where d.organisation_id = ${actor.organisationId}
          and d.partner_id = ${params.partnerId}
          ${query.SearchText ? sql`and ${contains(sql`d.search_text`, query.SearchText)}` : empty}
          ${codes === undefined ? empty : sql`and lower(d.code) = any(${codes})`}
          ${query.ProductStatus === undefined ? empty : sql`and d.status = ${query.ProductStatus}`}`,
        order: sql`d.name, d.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/partners/:partnerId/products/:partnerProductId',
    name: 'getProduct',
    partners: 'all',
    partnerParam: 'partnerId',
    scope: 'partner.read',
    summary: 'Read a product',
    description: 'Attribute usages that the product does not set are those of the client.',
    response: json(ProductDetail),
    async handle({ db, actor, params }) {
      const product = await db.maybe<Static<typeof ProductDetail>>(sql`
        select ${pageColumns}, d.status, ${unitType('u')} as unit_type,
          case when g.id is not null then jsonb_build_object('id', g.id, 'name', g.name) end as product_group,
          ${unitType('pu')} as product_unit_type, d.receive_instructions, d.pick_instructions,
          ${effectiveUsages}, ${ownSettings},
          ${classesOfProduct} as dg_hazard_classes, ${unitConversions} as unit_conversions
        from ${productWithNames}
        join partner p on p.organisation_id = d.organisation_id and p.id = d.partner_id
        left join unit_type u on u.organisation_id = d.organisation_id and u.id = d.unit_type_id
        where d.organisation_id = ${actor.organisationId} and d.partner_id = ${params.partnerId}
          and d.id = ${params.partnerProductId}`)
      if (product === undefined) throw notFound('Product')
      return product
    },
  }),
  endpoint({
    post: '/v1/partners/:partnerId/products',
    name: 'createProduct',
    partners: 'none',
    partnerParam: 'partnerId',
    scope: 'partner',
    extension: true,
    summary: 'Create a product',
    description:
      'With isVolumeAutoCalculated and all three sides, volumeM3 is calculated, and another one is refused ' +
      '(400). isSerialRequired without a ' +
      'serialTrackingMode means full capture if true, and no serials if false. Only clients have products.',
    body: NewProduct,
    response: created('partnerProductId', Type.Object({ partnerProductId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, requestId, params, body }) {
      await requireClient(tx, actor, params.partnerId)
      await verifyProductReferences(tx, actor, body)
      const { organisationId } = actor
      await refuseTakenCode(tx, actor, params.partnerId, body.code)
      const id = uuidv7()
      const fields = {
        ...givenFields(body, columnNames),
        serialTrackingMode: requestedSerialTrackingMode(body),
      }
      const volume = calculatedVolume(body, body.volumeM3)
      const row = { organisationId, id, partnerId: params.partnerId, ...fields, ...volume }
      await refuseViolations(tx.run(insertInto('product', row)), refusals(body.code))
      const key = { organisationId, productId: id }
      if (body.unitConversions) await replaceUnitConversions(tx, key, body.unitConversions)
      if (body.dgHazardClasses) await replaceHazardClasses(tx, key, body.dgHazardClasses)
      if (body.status !== ProductStatus.Inactive)
        await retryWaitingImports(tx, { organisationId, requestId }, 'product', body.code)
      return { partnerProductId: id }
    },
  }),
  endpoint({
    put: '/v1/partners/:partnerId/products/:partnerProductId',
    name: 'updateProduct',
    partners: 'none',
    partnerParam: 'partnerId',
    scope: 'partner',
    extension: true,
    summary: 'Change a product',
    description:
      'Absent fields stay as they are. With isVolumeAutoCalculated and all three sides, volumeM3 is ' +
      'calculated, and another one is refused (400); if a side is emptied, so is the volume. ' +
      'dgHazardClasses and unitConversions replace the whole set if given. isSerialRequired must agree ' +
      'with serialTrackingMode, and does not itself change how serials are tracked. serialTrackingMode ' +
      'cannot change while the product is in stock or on an open consignment, and a product in stock ' +
      'cannot become Inactive.',
    body: ProductChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, requestId, params, body }) {
      const { organisationId } = actor
      const where = sql`organisation_id = ${organisationId} and partner_id = ${params.partnerId}
        and id = ${params.partnerProductId}`
      const product = await tx.maybe<Dimensions & StoredFacts>(sql`
        select is_volume_auto_calculated, length_mm, height_mm, width_mm, serial_tracking_mode, status
        from product where ${where} for no key update`)
      if (product === undefined) throw notFound('Product')
      const fault = serialFault(body.isSerialRequired, body.serialTrackingMode ?? product.serialTrackingMode)
      if (fault !== null) throw verificationFailed(faultAt('isSerialRequired', fault, 'invalid'))
      await refuseWhileInStock(tx, organisationId, params.partnerProductId, product, body)
      await verifyProductReferences(tx, actor, body)
      await refuseTakenCode(tx, actor, params.partnerId, body.code, params.partnerProductId)
      const change = changedFields(body, columnNames)
      Object.assign(change, calculatedVolume({ ...product, ...change }, body.volumeM3, product))
      let isChanged =
        (await refuseViolations(tx.run(updateFields('product', columnNames, change, where)), {
          ...refusals(body.code),
          product_serial_tracking_of_stock: () => verificationFailed(stockCameInFault),
        })) > 0
      const key = { organisationId, productId: params.partnerProductId }
      if (body.unitConversions !== undefined)
        isChanged = (await replaceUnitConversions(tx, key, body.unitConversions ?? [])) || isChanged
      if (body.dgHazardClasses !== undefined)
        isChanged = (await replaceHazardClasses(tx, key, body.dgHazardClasses ?? [])) || isChanged
      if (isChanged) {
        const { code, status } = await tx.row<{ code: string; status: number }>(
          sql`select code, status from product where ${where}`,
        )
        if (status === ProductStatus.Active)
          await retryWaitingImports(tx, { organisationId, requestId }, 'product', code)
      }
      return isChanged
    },
  }),
]
