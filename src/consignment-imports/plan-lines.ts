// Plans the lines of an import for its consignment, or the reasons why the import has to wait. Pure. Spec 2.3
// (rules for items); decision 5.

import type { ItemRow, LineRow } from '../consignments/line-rows.ts'
import { decimalText, roundTo } from '../platform/decimal.ts'
import { newId } from '../platform/new-id.ts'
import { numberOf } from '../stock/commands/quantities.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { AttributeUsage, SerialTrackingMode } from '../vocabulary/partners.ts'
import { type AddReason, resolveActiveId } from '../waiting-imports/collect-reasons.ts'
import type { ImportLine } from './import-request.ts'
import type { ImportToPlan } from './import-to-plan.ts'
import type { ResolvedCodes, ResolvedProduct } from './resolve-codes.ts'

const requirableFields = [
  'batch',
  'bestBeforeDate',
  'expiryDate',
  'packagingDate',
  'productionDate',
  'sellByDate',
] as const
const nouns: Record<(typeof requirableFields)[number], string> = {
  batch: 'a batch',
  bestBeforeDate: 'a best before date',
  expiryDate: 'an expiry date',
  packagingDate: 'a packaging date',
  productionDate: 'a production date',
  sellByDate: 'a sell by date',
}

/** Converts a time of the request to wall-clock time of the import's warehouse. */
export type ToLocalTime = (text: string | null | undefined) => string | null

export interface LineContext {
  codes: ResolvedCodes
  /** if false, the products of the lines cannot be checked */
  isClientKnown: boolean
  toLocalTime: ToLocalTime
  addReason: AddReason
}

/**
 * The product of a line. Adds a reason for everything that the line lacks or must not have. Goods of
 * point-to-point consignments need not be in the catalogue.
 */
function resolveProduct(
  pending: ImportToPlan,
  line: ImportLine,
  path: string,
  { codes, addReason }: LineContext,
): ResolvedProduct | undefined {
  const { productCode: code } = line
  const { consignmentType, clientCode } = pending.request
  const product = codes.product(pending, code)
  if (consignmentType === ConsignmentType.PointToPoint) return product?.isActive ? product : undefined
  if (product === undefined) {
    const message = `The client ${clientCode} has no product with the code ${code}.`
    addReason('product', code, `${path}.productCode`, message)
    return undefined
  }
  resolveActiveId({ kind: 'product', noun: 'product', code, path: `${path}.productCode` }, product, addReason)
  if (product.serialTrackingMode !== SerialTrackingMode.FullCapture && line.items.some(item => item.serial)) {
    const message =
      product.serialTrackingMode === SerialTrackingMode.None
        ? `The product ${code} is not tracked by serial number.`
        : `Serials of the product ${code} are captured when it is picked, so an import cannot give them.`
    addReason('serial', code, `${path}.items`, message)
  }
  // Lines of Outwards consignments may leave batch and dates open: the rotation rules choose them.
  if (consignmentType === ConsignmentType.Inwards) {
    for (const [i, { serial }] of line.items.entries()) {
      if (serial && codes.isInStock(product.id, serial)) {
        const message = `The serial ${serial} of the product ${code} is in stock already.`
        addReason('serial', serial, `${path}.items[${i}].serial`, message)
      }
    }
    for (const name of requirableFields) {
      if (product[name] === AttributeUsage.Required && !line[name]) {
        addReason('attribute', code, `${path}.${name}`, `The product ${code} needs ${nouns[name]}.`)
      }
    }
  }
  return product
}

/** The decimal places of quantities and weights, and of volumes. Decision 1. */
const [places, volumePlaces] = [4, 6]

/**
 * The quantity of a line, the sums of the weights and volumes that its items give, and the quantity of the
 * items that give none.
 */
function sumItems({ items }: ImportLine, product: ResolvedProduct | undefined) {
  let [quantity, weight, volume, unweighed, unmeasured] = [0n, 0n, 0n, 0n, 0n]
  for (const item of items) {
    const itemQuantity = roundTo(places, item.quantity)
    quantity += itemQuantity
    if (typeof item.weightKG === 'number') weight += roundTo(places, item.weightKG)
    else unweighed += itemQuantity
    if (typeof item.volumeM3 === 'number') volume += roundTo(volumePlaces, item.volumeM3)
    else unmeasured += itemQuantity
  }
  return {
    expectedQuantity: numberOf(quantity),
    weightKG: unweighed < quantity ? numberOf(weight) : null,
    ...(unweighed === 0n ? {} : { weightEachKG: product?.weightKG, unweighedQuantity: numberOf(unweighed) }),
    volumeM3: unmeasured < quantity ? Number(decimalText(volumePlaces, volume)) : null,
    ...(unmeasured === 0n
      ? {}
      : { volumeEachM3: product?.volumeM3, unmeasuredQuantity: numberOf(unmeasured) }),
  }
}

/** The package type of a line; null if it names none or one that cannot be used. */
function resolvePackageTypeId({ packageTypeCode: code }: ImportLine, path: string, planning: LineContext) {
  if (!code) return null
  const reference = {
    kind: 'packageType',
    noun: 'package type',
    code,
    path: `${path}.packageTypeCode`,
  } as const
  return resolveActiveId(reference, planning.codes.packageType(code), planning.addReason)
}

export function planImportLines(
  pending: ImportToPlan,
  planning: LineContext,
): { lines: LineRow[]; items: ItemRow[] } {
  const { toLocalTime, addReason } = planning
  const lines: LineRow[] = []
  const items: ItemRow[] = []
  for (const [ordinal, line] of pending.request.products.entries()) {
    const { productCode } = line
    const path = `products[${ordinal}]`
    const product = planning.isClientKnown ? resolveProduct(pending, line, path, planning) : undefined
    const packageTypeId = resolvePackageTypeId(line, path, planning)
    if (line.isManualReconciliationRequired && !pending.isManuallyReconciled) {
      const message = `The product ${productCode} is to be reconciled by hand.`
      addReason('manual', productCode, `${path}.isManualReconciliationRequired`, message)
    }
    const id = newId()
    lines.push({
      ...{ id, consignmentId: pending.id, ordinal, productId: product?.id, productCode, packageTypeId },
      goodsDescription: line.goodsDescription,
      batch: line.batch?.trim(),
      bestBeforeDate: toLocalTime(line.bestBeforeDate),
      expiryDate: toLocalTime(line.expiryDate),
      packagingDate: toLocalTime(line.packagingDate),
      productionDate: toLocalTime(line.productionDate),
      sellByDate: toLocalTime(line.sellByDate),
      logisticUnitSsccNumber: line.logisticUnitSsccNumber,
      logisticUnitReferenceNumber: line.logisticUnitReferenceNumber,
      criticalStockStatus: line.criticalStockStatus,
      isManualReconciliationRequired: line.isManualReconciliationRequired ?? false,
      attributes: line.attributes?.map(({ name, description }) => ({
        name: name?.trim() ?? null,
        description: description ?? null,
      })),
      ...sumItems(line, product),
    })
    for (const [k, { serial, quantity, weightKG, volumeM3 }] of line.items.entries()) {
      items.push({ consignmentProductId: id, ordinal: k, serial, quantity, weightKG, volumeM3 })
    }
  }
  return { lines, items }
}
