// The list of schedules, `/schedules`, with the dialog that makes one of a partner's charges.

import { useMemo, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { todayIn } from '../../../../ui/time.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Listing } from '../../frame/Listing.tsx'
import { scheduleList } from '../../lists/schedules.tsx'
import { useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { usePartnerOptions } from '../../suggestions.ts'
import { scheduleWords as words } from '../../words/schedules.ts'
import { mayChangeMoney, moneyPaths } from './schedule-paths.ts'

export function Screen() {
  const me = useMe()
  const mayAct = mayChangeMoney(me)
  const list = useMemo(() => scheduleList(me), [me])
  const [isMaking, setMaking] = useState(false)
  useKeys(mayAct ? { c: () => setMaking(true) } : {})
  return (
    <>
      <Listing
        list={list}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setMaking(true)}>
              {words.newSchedule}
            </Button>
          )
        }
      />
      {isMaking && <NewSchedule onClose={() => setMaking(false)} />}
    </>
  )
}

function NewSchedule({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const go = useGo()
  const partners = usePartnerOptions(me)
  const [given, setGiven] = useState({
    ...{ partner: '', date: todayIn(me.organisation.timezoneId), upTo: '', reference: '', description: '' },
  })
  const partnerId = given.partner || (partners[0]?.value ?? '')
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onChange: (value: string) => setGiven({ ...given, [name]: value }),
  })
  const textOf = (name: keyof typeof given) => given[name].trim() || null
  const body = {
    ...{ partnerId, date: given.date, transactionsUpTo: textOf('upTo') },
    ...{ referenceNumber: textOf('reference'), description: textOf('description') },
  }
  return (
    <ActDialog
      act={words.newSchedule}
      method="post"
      path="/v1/schedules"
      request={{ body }}
      isComplete={partnerId !== '' && given.date !== ''}
      done={words.made}
      changes={moneyPaths}
      onClose={onClose}
      onDone={({ data }) => go(`/schedules/${(data as { partnerScheduleId: string }).partnerScheduleId}`)}
    >
      {faults => (
        <>
          <SelectField
            label={words.partner}
            options={partners}
            fault={faults.at('partnerId')}
            {...field('partner')}
            value={partnerId}
          />
          <TextField label={words.date} type="date" fault={faults.at('date')} isRequired {...field('date')} />
          <TextField
            label={words.upTo}
            help={words.upToHelp}
            type="date"
            fault={faults.at('transactionsUpTo')}
            {...field('upTo')}
          />
          <TextField label={words.reference} fault={faults.at('referenceNumber')} {...field('reference')} />
          <TextField label={words.description} fault={faults.at('description')} {...field('description')} />
        </>
      )}
    </ActDialog>
  )
}
