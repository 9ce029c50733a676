// The list of consignments, `/consignments`.

import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Listing } from '../../frame/Listing.tsx'
import { consignmentList } from '../../lists/consignments.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'

export function Screen() {
  const me = useMe()
  const go = useGo()
  const mayCreate = hasScope(me, 'consignment') && kindOf(me) !== 'carrier'
  const create = () => go('/consignments/new')
  useKeys(mayCreate ? { c: create } : {})
  return (
    <Listing
      list={consignmentList}
      acts={
        mayCreate && (
          <Button kind="main" hint="C" onPress={create}>
            {words.newConsignment}
          </Button>
        )
      }
    />
  )
}
