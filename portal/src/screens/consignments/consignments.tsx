// The list of consignments, `/consignments`.

import { Listing } from '../../frame/Listing.tsx'
import { consignmentList } from '../../lists/consignments.tsx'

export function Screen() {
  return <Listing list={consignmentList} />
}
