// The form that changes what stands on a Draft: its date, reference and description, and up to which day
// charges are on it.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import { Conflict, useEdited } from '../../frame/Conflict.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import { words as shared } from '../../words.ts'
import styles from './money.module.css'
import type { Schedule } from './schedule.tsx'

export function EditBill({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const [typed, setTyped] = useState({
    ...{ date: schedule.date, upTo: '' },
    ...{ referenceNumber: schedule.referenceNumber ?? '', description: schedule.description ?? '' },
  })
  const edited = useEdited(schedule, '/v1/schedules', async ifMatch => {
    const { hasChanged } = await send('put', '/v1/schedules/{partnerScheduleId}', {
      path: { partnerScheduleId: schedule.id },
      body: {
        date: typed.date,
        referenceNumber: typed.referenceNumber.trim() || null,
        description: typed.description.trim() || null,
        ...(typed.upTo === '' ? {} : { transactionsUpTo: typed.upTo }),
      },
      ifMatch,
    })
    notify({ text: hasChanged ? words.saved : shared.unchanged })
    onClose()
  })
  const { faults } = edited
  const field = (name: keyof typeof typed, path: string = name) => ({
    value: typed[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
    fault: faults.at(path),
  })
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        edited.save()
      }}
    >
      {faults.other !== undefined && <Refusal reasons={[faults.other]} />}
      <TextField label={words.date} type="date" isRequired autoFocus {...field('date')} />
      <TextField label={words.reference} {...field('referenceNumber')} />
      <TextField label={words.description} isMultiline {...field('description')} />
      <TextField
        label={words.upTo}
        help={words.upToAgain}
        type="date"
        {...field('upTo', 'transactionsUpTo')}
      />
      <FormActs onClose={onClose} />
      <Conflict
        edited={edited}
        versions={[
          { label: words.date, mine: typed.date, theirs: schedule.date },
          { label: words.reference, mine: typed.referenceNumber, theirs: schedule.referenceNumber ?? '' },
          { label: words.description, mine: typed.description, theirs: schedule.description ?? '' },
        ]}
        onClose={onClose}
      />
    </form>
  )
}

const FormActs = ({ onClose }: { onClose: () => void }) => (
  <div className={styles.formActs}>
    <Button kind="main" type="submit">
      {uiWords.save}
    </Button>
    <Button kind="quiet" onPress={onClose}>
      {uiWords.cancel}
    </Button>
  </div>
)
