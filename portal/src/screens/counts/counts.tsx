// The list of stock counts, `/counts`.

import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Listing } from '../../frame/Listing.tsx'
import { countList } from '../../lists/counts.tsx'
import { useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { countWords as words } from '../../words/counts.ts'
import { mayChangeStock } from '../inventory/stock-acts.tsx'

export function Screen() {
  const mayAct = mayChangeStock(useMe())
  const go = useGo()
  useKeys(mayAct ? { c: () => go('/counts/new') } : {})
  return (
    <Listing
      list={countList}
      acts={
        mayAct && (
          <Button kind="main" hint="C" onPress={() => go('/counts/new')}>
            {words.newCount}
          </Button>
        )
      }
    />
  )
}
