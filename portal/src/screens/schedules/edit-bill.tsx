// The form that changes what stands on a Draft: its date, reference and description, and up to which day
// charges are on it.

import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { EditRecord } from '../../frame/RecordForm.tsx'
import type { RecordField } from '../../record-fields.ts'
import { scheduleWords as words } from '../../words/schedules.ts'
import { words as shared } from '../../words.ts'
import type { Schedule } from './schedule.tsx'

const fields: readonly RecordField[] = [
  { path: 'date', label: words.date, kind: 'date', isRequired: true },
  { path: 'referenceNumber', label: words.reference },
  { path: 'transactionsUpTo', label: words.upTo, help: words.upToAgain, kind: 'date' },
  { path: 'description', label: words.description, kind: 'lines' },
]

export const EditBill = ({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) => (
  <EditRecord
    groups={[{ fields }]}
    record={schedule}
    path="/v1/schedules"
    save={async (body, ifMatch) => {
      const { hasChanged } = await send('put', '/v1/schedules/{partnerScheduleId}', {
        path: { partnerScheduleId: schedule.id },
        body,
        ifMatch,
      })
      notify({ text: hasChanged ? words.saved : shared.unchanged })
    }}
    onClose={onClose}
  />
)
