// The list of items with a serial, `/serials`.

import { Listing } from '../../frame/Listing.tsx'
import { serialList } from '../../lists/serials.tsx'

export function Screen() {
  return <Listing list={serialList} />
}
