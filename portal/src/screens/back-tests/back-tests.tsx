// The list of back-tests, `/back-tests`.

import { Listing } from '../../frame/Listing.tsx'
import { backTestList } from '../../lists/back-tests.tsx'

export const Screen = () => <Listing list={backTestList} />
