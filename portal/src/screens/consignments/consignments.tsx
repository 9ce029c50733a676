// The list of consignments, `/consignments`.

import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Listing } from '../../frame/Listing.tsx'
import { type ConsignmentRow, consignmentListOf } from '../../lists/consignments.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import { ByStatus } from './by-status.tsx'
import { SelectedActs } from './selected-acts.tsx'

export function Screen() {
  const me = useMe()
  const go = useGo()
  const mayCreate = hasScope(me, 'consignment') && kindOf(me) !== 'carrier'
  const mayAct = mayCreate && kindOf(me) === 'staff'
  const create = () => go('/consignments/new')
  useKeys(mayCreate ? { c: create } : {})
  return (
    <Listing<'/v1/consignments', ConsignmentRow>
      list={consignmentListOf(me)}
      above={<ByStatus />}
      {...(mayAct
        ? { selectedActs: (selected, clear) => <SelectedActs selected={selected} clear={clear} /> }
        : {})}
      acts={
        mayCreate && (
          <>
            <Button onPress={() => go('/consignments/upload')}>{words.uploadOrders}</Button>
            <Button kind="main" hint="C" onPress={create}>
              {words.newConsignment}
            </Button>
          </>
        )
      }
    />
  )
}
