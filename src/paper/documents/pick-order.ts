// The sort order of picking lists. Pure.

import { PickSortBy } from '../../vocabulary/jobs.ts'

/** The fields that picking lists are sorted by. */
export interface PickPosition {
  locationName: string
  walkingOrder: number | null
  productCode: string
  productName: string
}

const natural = new Intl.Collator('en', { numeric: true })

/** Compares names with the digits in them as numbers, so that A-2 comes before A-10. */
export const compareNames = (a: string, b: string): number =>
  natural.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

/** Compares by walking order, then by name. Locations without a walking order come last. */
const compareLocations = (a: PickPosition, b: PickPosition): number => {
  const difference = (a.walkingOrder ?? Number.MAX_SAFE_INTEGER) - (b.walkingOrder ?? Number.MAX_SAFE_INTEGER)
  return difference || compareNames(a.locationName, b.locationName)
}

/** Sorts rows by the requested field, then by location, then by product code. */
export function sortPicks<Row extends PickPosition>(rows: readonly Row[], sortBy: PickSortBy): Row[] {
  const first = {
    [PickSortBy.Location]: () => 0,
    [PickSortBy.ProductCode]: (a: PickPosition, b: PickPosition) =>
      compareNames(a.productCode, b.productCode),
    [PickSortBy.ProductName]: (a: PickPosition, b: PickPosition) =>
      compareNames(a.productName, b.productName),
  }[sortBy]
  return rows.toSorted(
    (a, b) => first(a, b) || compareLocations(a, b) || compareNames(a.productCode, b.productCode),
  )
}
