// What the lines of a new consignment refer to: the products of the client with these codes, what is free of
// each in the warehouse, and the units that quantities may be given in.

import { useQueries } from '@tanstack/react-query'
import { MetricType } from '../../../../client/src/waybill.ts'
import { useSettled } from '../../../../ui/use-settled.ts'
import { type Got, read, send } from '../../api.ts'
import { hasScope, kindOf, useMe } from '../../me.ts'
import type { Draft, DraftLine } from '../../new-consignment.ts'
import { useClients } from '../../suggestions.ts'
import { newConsignmentWords as words } from '../../words/new-consignment.ts'

/** A product with what is free of it, where that may be seen, and with its units. */
export type LineProduct = Got<'/v1/partners/{partnerId}/products'>['products'][number]

const productsPath = '/v1/partners/{partnerId}/products'
const codesAtOnce = 100

const codeOf = ({ productCode }: DraftLine) => productCode.trim().toLowerCase()

/** The client of the form: the person's own company, or the chosen one. */
export function useClientId(clientCode: string): string | undefined {
  const me = useMe()
  const client = useClients(me).find(({ code }) => code === clientCode)
  return me.partner?.id ?? client?.id
}

/** Finds the product of a line; undefined while its code is none. */
export function useLineProducts({
  clientCode,
  warehouseCode,
  lines,
}: Draft): (line: DraftLine) => LineProduct | undefined {
  const me = useMe()
  const partnerId = useClientId(clientCode) ?? ''
  const warehouseId = me.warehouses.find(({ code }) => code === warehouseCode)?.id
  const codes = useSettled([...new Set(lines.map(codeOf))].filter(Boolean).toSorted().join('\n'))
    .split('\n')
    .filter(Boolean)
  const parts = Array.from({ length: Math.ceil(codes.length / codesAtOnce) }, (_, i) =>
    codes.slice(i * codesAtOnce, (i + 1) * codesAtOnce),
  )
  const seesStock = kindOf(me) !== 'carrier' && hasScope(me, 'inventory.read')
  const found = useQueries({
    queries: parts.map(part => ({
      ...read(productsPath, {
        path: { partnerId },
        query: {
          Code: part,
          Include: seesStock ? (['figures', 'units'] as const).slice() : ['units' as const],
          ...(warehouseId === undefined ? {} : { WarehouseId: warehouseId }),
          PageSize: codesAtOnce,
        },
      }),
      enabled: partnerId !== '' && hasScope(me, 'partner.read'),
      placeholderData: (before: Got<typeof productsPath> | undefined) => before,
    })),
  })
  const byCode = new Map(
    found.flatMap(({ data }) => data?.products ?? []).map(product => [product.code.toLowerCase(), product]),
  )
  return line => byCode.get(codeOf(line))
}

/** The units of a product as options, the smallest first; the first is its own, and has no value. */
export function unitOptionsOf(product: LineProduct | undefined): { value: string; text: string }[] {
  const own = { value: '', text: product?.productUnitTypeName ?? words.item }
  const others = (product?.unitConversions ?? [])
    .toSorted((a, b) => a.itemConversionRate - b.itemConversionRate)
    .map(({ inputMetricType, inputUnitType, itemConversionRate }) => ({
      value: inputUnitType?.id ?? String(inputMetricType),
      text: words.unitOf(inputUnitType?.name ?? words.pallet, itemConversionRate),
    }))
  return [own, ...others]
}

/** The lines with their quantities in the units of their products, which the service converts. */
export async function inOwnUnits(
  lines: readonly DraftLine[],
  partnerId: string | undefined,
): Promise<readonly DraftLine[]> {
  const converted = lines.filter(({ unit }) => unit !== '')
  if (converted.length === 0 || partnerId === undefined) return lines
  const { data } = await send('post', '/v1/partners/{partnerId}/products/convert-units', {
    path: { partnerId },
    body: {
      conversions: converted.map(({ productCode, quantity, unit }) => ({
        code: productCode.trim(),
        inputQuantity: Number(quantity),
        ...(unit === String(MetricType.VirtualPallet)
          ? { inputMetricType: MetricType.VirtualPallet }
          : { inputMetricType: MetricType.UnitType, inputUnitTypeId: unit }),
      })),
    },
  })
  const items = new Map(
    data.results.map(({ metrics }, i) => [
      converted[i]?.key,
      metrics.find(({ metricType }) => metricType === MetricType.Item)?.quantity,
    ]),
  )
  return lines.map(line => ({ ...line, quantity: String(items.get(line.key) ?? line.quantity), unit: '' }))
}
