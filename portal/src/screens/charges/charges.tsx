// The list of charges, `/charges`, with the dialog that enters one by hand.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Listing } from '../../frame/Listing.tsx'
import { chargeList } from '../../lists/charges.tsx'
import { useMe } from '../../me.ts'
import { billingWords as words } from '../../words/billing.ts'
import { mayChangeMoney } from '../schedules/schedule-paths.ts'
import { NewCharge } from './new-charge.tsx'

export function Screen() {
  const mayAct = mayChangeMoney(useMe())
  const [isMaking, setMaking] = useState(false)
  useKeys(mayAct ? { c: () => setMaking(true) } : {})
  return (
    <>
      <Listing
        list={chargeList}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setMaking(true)}>
              {words.newCharge}
            </Button>
          )
        }
      />
      {isMaking && <NewCharge onClose={() => setMaking(false)} />}
    </>
  )
}
