// The lines of an import as their consignment gets them, and what keeps them from it. Pure. Spec 2.3 (rules
// for items); open-points 5.

import type { ItemRow, LineRow } from '../consignments/create-consignment.ts'
import { ConsignmentType } from '../consignments/enumerations.ts'
import { AttributeUsage, SerialTrackingMode } from '../partners/enumerations.ts'
import { newId } from '../platform/new-id.ts'
import type { ImportLine, ImportRequest } from './import-request.ts'
import type { PlannedImport } from './planned-import.ts'
import type { Codes, ResolvedProduct } from './resolve-codes.ts'
import { known, type Local, type Wait } from './waiting/import-reason.ts'

const requirable = [
  'batch',
  'bestBeforeDate',
  'expiryDate',
  'packagingDate',
  'productionDate',
  'sellByDate',
] as const
const words: Record<(typeof requirable)[number], string> = {
  batch: 'a batch',
  bestBeforeDate: 'a best before date',
  expiryDate: 'an expiry date',
  packagingDate: 'a packaging date',
  productionDate: 'a production date',
  sellByDate: 'a sell by date',
}

/**
 * The product of a line, with everything that the line lacks or has too much of. Point-to-point goods need
 * not be in the catalogue.
 */
function productOf(
  request: ImportRequest,
  line: ImportLine,
  path: string,
  codes: Codes,
  wait: Wait,
): ResolvedProduct | undefined {
  const { productCode: code } = line
  const product = codes.product(request.clientCode, code)
  if (request.consignmentType === ConsignmentType.PointToPoint) return product?.isActive ? product : undefined
  if (product === undefined) {
    wait(
      'product',
      code,
      `${path}.productCode`,
      `The client ${request.clientCode} has no product with the code ${code}.`,
    )
    return undefined
  }
  known('product', 'product', code, `${path}.productCode`, product, wait)
  if (product.serialTrackingMode !== SerialTrackingMode.FullCapture && line.items.some(item => item.serial)) {
    const why =
      product.serialTrackingMode === SerialTrackingMode.None
        ? `The product ${code} takes no serials.`
        : `Serials of the product ${code} are captured when it is picked, so an import cannot give them.`
    wait('serial', code, `${path}.items`, why)
  }
  // Outwards, the rotation rules choose batch and dates where the line leaves them open.
  if (request.consignmentType === ConsignmentType.Inwards) {
    for (const name of requirable) {
      if (product[name] === AttributeUsage.Required && !line[name]) {
        wait('attribute', code, `${path}.${name}`, `The product ${code} needs ${words[name]}.`)
      }
    }
  }
  return product
}

// A sum of decimals is exact as a sum of whole numbers. Quantities and weights have four places, volumes six.
const sum4 = (sum: number, value: number) => sum + Math.round(value * 1e4)
const sum6 = (sum: number, value: number) => sum + Math.round(value * 1e6)

/**
 * Quantity of a line, what its items say of weight and volume, and the quantity of those that say nothing.
 */
function amountsOf({ items }: ImportLine, product: ResolvedProduct | undefined) {
  let [quantity, weight, volume, unweighed, unmeasured] = [0, 0, 0, 0, 0]
  for (const item of items) {
    quantity = sum4(quantity, item.quantity)
    if (typeof item.weightKG === 'number') weight = sum4(weight, item.weightKG)
    else unweighed = sum4(unweighed, item.quantity)
    if (typeof item.volumeM3 === 'number') volume = sum6(volume, item.volumeM3)
    else unmeasured = sum4(unmeasured, item.quantity)
  }
  return {
    expectedQuantity: quantity / 1e4,
    weightKG: unweighed < quantity ? weight / 1e4 : null,
    ...(unweighed === 0 ? {} : { weightEachKG: product?.weightKG, unweighedQuantity: unweighed / 1e4 }),
    volumeM3: unmeasured < quantity ? volume / 1e6 : null,
    ...(unmeasured === 0 ? {} : { volumeEachM3: product?.volumeM3, unmeasuredQuantity: unmeasured / 1e4 }),
  }
}

/**
 * The lines of an import and their items. Without a client (`isAdrift`) nothing can be said about products.
 */
export function linesOf(
  { id, request, isChecked }: PlannedImport,
  codes: Codes,
  isAdrift: boolean,
  local: Local,
  wait: Wait,
) {
  const lines: LineRow[] = []
  const items: ItemRow[] = []
  for (const [ordinal, line] of request.products.entries()) {
    const { productCode, packageTypeCode } = line
    const path = `products[${ordinal}]`
    const product = isAdrift ? undefined : productOf(request, line, path, codes, wait)
    const packageTypeId = packageTypeCode
      ? known(
          'packageType',
          'package type',
          packageTypeCode,
          `${path}.packageTypeCode`,
          codes.packageType(packageTypeCode),
          wait,
        )
      : null
    if (line.isManualReconciliationRequired && !isChecked) {
      wait(
        'manual',
        productCode,
        `${path}.isManualReconciliationRequired`,
        `The product ${productCode} is to be reconciled by hand.`,
      )
    }
    const lineId = newId()
    lines.push({
      ...{ id: lineId, consignmentId: id, ordinal, productId: product?.id, productCode, packageTypeId },
      goodsDescription: line.goodsDescription,
      batch: line.batch,
      bestBeforeDate: local(line.bestBeforeDate),
      expiryDate: local(line.expiryDate),
      packagingDate: local(line.packagingDate),
      productionDate: local(line.productionDate),
      sellByDate: local(line.sellByDate),
      logisticUnitSsccNumber: line.logisticUnitSsccNumber,
      logisticUnitReferenceNumber: line.logisticUnitReferenceNumber,
      criticalStockStatus: line.criticalStockStatus,
      isManualReconciliationRequired: line.isManualReconciliationRequired ?? false,
      attributes: line.attributes?.map(({ name, description }) => ({
        name: name ?? null,
        description: description ?? null,
      })),
      ...amountsOf(line, product),
    })
    for (const [k, { serial, quantity, weightKG, volumeM3 }] of line.items.entries()) {
      items.push({ consignmentProductId: lineId, ordinal: k, serial, quantity, weightKG, volumeM3 })
    }
  }
  return { lines, items }
}
