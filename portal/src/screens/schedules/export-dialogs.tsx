// How a schedule leaves for other programs and for paper: the file, the mark that it was exported, and the
// printed statement.

import { useState } from 'react'
import { PrinterAvailability, PrintType, ScheduleStatus } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { readFile, send } from '../../api.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { save } from '../../frame/export-rows.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords } from '../../words/consignments.ts'
import { scheduleWords as words } from '../../words/schedules.ts'
import { usePrinters } from '../consignments/print-dialog.tsx'
import type { Schedule } from './schedule.tsx'
import { moneyPaths } from './schedule-paths.ts'

interface DialogProps {
  schedule: Schedule
  onClose: () => void
}

const formats = [1, 2, 3, 4] as const
const [json, csv, xero] = formats

/**
 * Saves the schedule as a file. Invoices for accounting are made of Approved ones only. Whoever may mark it
 * as exported is offered that next.
 */
export function ExportDialog({ schedule, onMark, onClose }: DialogProps & { onMark?: () => void }) {
  const isApproved = schedule.status === ScheduleStatus.Approved
  const offered = isApproved ? [xero, 4 as const, csv, json] : [csv, json]
  const [chosen, setChosen] = useState<(typeof formats)[number]>()
  // The schedule may become a Draft meanwhile, of which there is no invoice.
  const format = offered.find(one => one === chosen) ?? offered[0] ?? csv
  return (
    <Confirm
      act={words.export}
      reasonsOf={reasonsOf}
      onClose={onClose}
      onConfirm={async () => {
        const { blob, name } = await readFile(`/v1/schedules/${schedule.id}/export?Format=${format}`)
        save(blob, name ?? `${schedule.referenceNumber ?? schedule.id}.${format === json ? 'json' : 'csv'}`)
        notify({ text: words.fileSaved, next: onMark && { text: words.markExported, onAct: onMark } })
      }}
    >
      <SelectField
        label={words.format}
        help={words.exportHelp}
        value={String(format)}
        onChange={value => setChosen(formats.find(one => String(one) === value))}
        options={offered.map(value => ({ value: String(value), text: words.formatOf[value] }))}
      />
    </Confirm>
  )
}

/** Marks the schedule as exported, with its address in the other program; again, it says what is replaced. */
export function MarkDialog({ schedule, onClose }: DialogProps) {
  const [externalUrl, setUrl] = useState(schedule.externalUrl ?? '')
  const [faults, setFaults] = useState<Faults>(faultsOf(undefined))
  return (
    <Confirm
      act={schedule.isExported ? words.markAgain : words.markExported}
      reasonsOf={error => {
        setFaults(faultsOf(error))
        return reasonsOf(error)
      }}
      onClose={onClose}
      onConfirm={async () => {
        await send('post', '/v1/schedules/{partnerScheduleId}/exported', {
          path: { partnerScheduleId: schedule.id },
          body: { externalUrl: externalUrl.trim() || null },
        })
        notify({ text: words.marked })
        await readAgain(...moneyPaths)
      }}
    >
      {schedule.isExported && <p>{words.markedAlready(schedule.externalUrl)}</p>}
      <TextField
        label={words.urlOf}
        help={schedule.isExported ? undefined : words.markHelp}
        type="url"
        value={externalUrl}
        onChange={setUrl}
        fault={faults.at('externalUrl')}
      />
    </Confirm>
  )
}

/** Takes the mark off a Draft, so that it can change again. */
export const UnmarkDialog = ({ schedule, onClose }: DialogProps) => (
  <Confirm
    act={words.unmark}
    reasonsOf={reasonsOf}
    onClose={onClose}
    onConfirm={async () => {
      await send('delete', '/v1/schedules/{partnerScheduleId}/exported', {
        path: { partnerScheduleId: schedule.id },
      })
      notify({ text: words.unmarked })
      await readAgain(...moneyPaths)
    }}
  >
    <p>{words.unmarkHelp}</p>
  </Confirm>
)

/** Sends the statement to a printer. */
export function PrintStatement({ schedule, onClose }: DialogProps) {
  const [chosen, setChosen] = useState('')
  const { printers, usual } = usePrinters(PrintType.Document)
  const printer = printers?.find(({ id }) => id === (chosen || usual))
  return (
    <Confirm
      act={words.printStatement}
      isDisabled={printer === undefined}
      reasonsOf={reasonsOf}
      onClose={onClose}
      onConfirm={async () => {
        await send('post', '/v1/schedules/{partnerScheduleId}/statement-pdf/print', {
          path: { partnerScheduleId: schedule.id },
          body: { printOption: { printerId: printer?.id ?? '' } },
        })
        notify({ text: words.printed(printer?.name ?? '') })
        await readAgain('/v1/print-jobs')
      }}
    >
      {printers?.length === 0 ? (
        <p>{consignmentWords.noPrinter}</p>
      ) : (
        <SelectField
          label={consignmentWords.printer}
          value={printer?.id ?? ''}
          onChange={setChosen}
          options={(printers ?? []).map(({ id, name, status }) => ({
            value: id,
            text: status === PrinterAvailability.Online ? name : consignmentWords.offline(name),
          }))}
        />
      )}
    </Confirm>
  )
}
