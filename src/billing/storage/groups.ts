// The groups that a rate charge charges separately, such as each zone or product. Pure.

import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import type { RateChargeContent } from '../evaluator/rate-card-content.ts'
import { factOf, type Position, type StorageFacts } from './stock-history.ts'

/** Positions that are charged together, and their ledger lines. */
export interface Group {
  key: string
  /** indexes of positions in the history */
  positions: number[]
  /** indexes of lines in the history */
  lines: number[]
}

/** What positions may be grouped by. Warehouses are always charged separately. */
export type GroupName = Exclude<NonNullable<Storage['groupBy']>[number], 'warehouse'>
type Storage = NonNullable<RateChargeContent['storage']>

const groupValue: Record<GroupName, (position: Position, facts: StorageFacts) => string> = {
  zone: ({ locationId }, { locations }) => factOf(locations, locationId).zoneId ?? '',
  location: ({ locationId }) => locationId,
  product: ({ productId }) => productId,
  productGroup: ({ productId }, { products }) => factOf(products, productId).productGroupId ?? '',
  hazardClass: ({ productId }, { products }) =>
    factOf(products, productId).dgHazardClassIds.toSorted().join('+'),
  logisticUnit: ({ logisticUnitId }) => logisticUnitId ?? '',
}
const names = Object.keys(groupValue) as GroupName[]

/** The properties that a charge groups by. */
export function groupNamesOf({ content, isByProduct }: CompiledCharge): GroupName[] {
  const groupBy: readonly string[] = content.storage?.groupBy ?? []
  return names.filter(name => groupBy.includes(name) || (name === 'product' && isByProduct))
}

/** The key of the group of a position, such as `zone=…,product=…`; empty if the charge does not group. */
export const groupKeyOf = (by: readonly GroupName[], position: Position, facts: StorageFacts): string =>
  by.map(name => `${name}=${groupValue[name](position, facts)}`).join(',')

/** The values that a key consists of. Only a hazard class may have several ids. */
export const groupValuesOf = (key: string): { name: GroupName; ids: string[] }[] =>
  key === ''
    ? []
    : key.split(',').map(part => {
        const [name, value = ''] = part.split('=')
        return { name: name as GroupName, ids: value === '' ? [] : value.split('+') }
      })
