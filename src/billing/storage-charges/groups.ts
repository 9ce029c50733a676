// What a rate charge is charged for one by one: for each zone, product, and so on. Pure.

import type { CompiledCharge } from '../rate-cards/compiled-card.ts'
import type { RateChargeContent } from '../rate-cards/rate-card-content.ts'
import { factOf, type Position, type StorageFacts } from './stock-history.ts'

/** What positions may be grouped by. A warehouse is charged for itself anyhow. */
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

/** What a charge groups by. */
export function groupNamesOf({ content, isByProduct }: CompiledCharge): GroupName[] {
  const given: readonly string[] = content.storage?.groupBy ?? []
  return names.filter(name => given.includes(name) || (name === 'product' && isByProduct))
}

/** The key of the group that a position is in, such as `zone=…,product=…`; empty where all are one. */
export const groupKeyOf = (by: readonly GroupName[], position: Position, facts: StorageFacts): string =>
  by.map(name => `${name}=${groupValue[name](position, facts)}`).join(',')

/** The values that a key is made of; of hazard classes there may be several. */
export const groupValuesOf = (key: string): { name: GroupName; ids: string[] }[] =>
  key === ''
    ? []
    : key.split(',').map(part => {
        const [name, value = ''] = part.split('=')
        return { name: name as GroupName, ids: value === '' ? [] : value.split('+') }
      })
