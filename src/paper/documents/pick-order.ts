// The order of a picking list. Pure.

import { PickSortBy } from '../../jobs/enumerations.ts'

/** Where something is picked, and what. */
export interface Placed {
  locationName: string
  walkingOrder: number | null
  productCode: string
  productName: string
}

const natural = new Intl.Collator('en', { numeric: true })

/** Whether a name goes before another: by its figures as numbers, so that A-2 comes before A-10. */
export const byName = (a: string, b: string): number => natural.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

/** By walking order; locations that have none go last. Of the same place in it, by name. */
const byLocation = (a: Placed, b: Placed): number => {
  const walked = (a.walkingOrder ?? Number.MAX_SAFE_INTEGER) - (b.walkingOrder ?? Number.MAX_SAFE_INTEGER)
  return walked || byName(a.locationName, b.locationName)
}

/** Rows in the order that is asked for; what is equal in it goes by location, then by product. */
export function inPickOrder<Row extends Placed>(rows: readonly Row[], sortBy: PickSortBy): Row[] {
  const first = {
    [PickSortBy.Location]: () => 0,
    [PickSortBy.ProductCode]: (a: Placed, b: Placed) => byName(a.productCode, b.productCode),
    [PickSortBy.ProductName]: (a: Placed, b: Placed) => byName(a.productName, b.productName),
  }[sortBy]
  return rows.toSorted((a, b) => first(a, b) || byLocation(a, b) || byName(a.productCode, b.productCode))
}
