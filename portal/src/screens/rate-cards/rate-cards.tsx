// The list of rate cards, `/rate-cards`, from which one is made.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Listing } from '../../frame/Listing.tsx'
import { rateCardList } from '../../lists/rate-cards.tsx'
import { hasScope, type Me, useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import { NewCard } from './new-card.tsx'

/** Whether the person may change rate cards, approve them and bill by them. */
export const mayChangeMoney = (me: Me): boolean => hasScope(me, 'financial')

export function Screen() {
  const mayChange = mayChangeMoney(useMe())
  const go = useGo()
  const [isMaking, setMaking] = useState(false)
  useKeys(mayChange ? { c: () => setMaking(true) } : {})
  return (
    <>
      <Listing
        list={rateCardList}
        acts={
          <>
            <Button onPress={() => go('/back-tests')}>{words.backTests}</Button>
            {mayChange && (
              <Button kind="main" hint="C" onPress={() => setMaking(true)}>
                {words.newCard}
              </Button>
            )}
          </>
        }
      />
      {isMaking && <NewCard onClose={() => setMaking(false)} />}
    </>
  )
}
