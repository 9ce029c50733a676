// The dialogs of the acts on selected consignments. All are one request, rehearsed before it is confirmed.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  ConsignmentStatus,
  JobStatusFilter,
  JobType,
  PrintType,
  type Schemas,
} from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import type { RefusedOfMany } from '../../../../ui/Refused.tsx'
import { statusesInOrder } from '../../consignment-status.ts'
import { readAll } from '../../every-page.ts'
import type { Faults } from '../../faults.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { useMe } from '../../me.ts'
import { useCarriers } from '../../suggestions.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import { consignmentPaths } from './consignment-paths.ts'
import { usePrinters } from './print-dialog.tsx'
import { bulkPath, type Results, refusedIn, type SelectedAct } from './selected.ts'

interface DialogProps {
  consignmentIds: string[]
  onDone: (results: Results) => void
  onClose: () => void
}

/** The dialog of an act. */
export function SelectedDialog({ act, ...props }: DialogProps & { act: SelectedAct }) {
  switch (act) {
    case 'move':
      return <MoveDialog {...props} />
    case 'carrier':
      return <CarrierDialog {...props} />
    case 'addToWave':
      return <WaveDialog {...props} />
    case 'print':
      return <PrintDialog {...props} />
    case 'close':
      return <BulkDialog act={words.close} action="status" values={{ status: Closed }} {...props} />
    case 'void':
      return <VoidDialog {...props} />
  }
}

function BulkDialog({
  act,
  action,
  values,
  isComplete = true,
  done = taken => words.changedMany(taken, 0),
  refusedOf = refusedIn,
  children,
  consignmentIds,
  onDone,
  onClose,
}: DialogProps & {
  act: string
  action: Schemas['BulkAct']['action']
  values: NonNullable<Schemas['BulkAct']['values']>
  isComplete?: boolean
  /** what the notice says once so many are done and none is refused */
  done?: (taken: number) => string
  refusedOf?: (results: Results) => RefusedOfMany
  children?: (faults: Faults) => ReactNode
}) {
  return (
    <ActDialog
      act={act}
      method="post"
      path={bulkPath}
      request={{ body: { consignmentIds, action, values } }}
      isComplete={isComplete}
      done={result => done(refusedIn(result as Results).taken)}
      refusedOf={result => refusedOf(result as Results)}
      changes={[...consignmentPaths, '/v1/jobs', '/v1/print-jobs']}
      onClose={onClose}
      onDone={({ data }) => onDone(data as Results)}
    >
      {children}
    </ActDialog>
  )
}

const { Void, Closed } = ConsignmentStatus
const statuses = statusesInOrder.filter(status => status !== Void && status !== Closed)

function MoveDialog(props: DialogProps) {
  const [status, setStatus] = useState('')
  return (
    <BulkDialog
      act={words.move}
      action="status"
      values={{ status: Number(status) as 1 }}
      isComplete={status !== ''}
      {...props}
    >
      {faults => (
        <SelectField
          label={words.headStatus}
          value={status}
          onChange={setStatus}
          options={[
            { value: '', text: words.chooseStatus },
            ...statuses.map(to => ({ value: String(to), text: words.status(to) })),
          ]}
          fault={faults.at('values.status')}
        />
      )}
    </BulkDialog>
  )
}

function CarrierDialog(props: DialogProps) {
  const carriers = useCarriers(useMe())
  const [carrier, setCarrier] = useState<string>()
  const [reference, setReference] = useState('')
  return (
    <BulkDialog
      act={words.headCarrier}
      action="carrier"
      values={{
        carrierId: carrier || null,
        ...(reference.trim() === '' ? {} : { carrierReferenceNumber: reference.trim() }),
      }}
      isComplete={carrier !== undefined}
      {...props}
    >
      {faults => (
        <>
          <SelectField
            label={words.headCarrier}
            value={carrier ?? ' '}
            onChange={setCarrier}
            options={[
              ...(carrier === undefined ? [{ value: ' ', text: words.chooseCarrier }] : []),
              { value: '', text: words.noCarrier },
              ...carriers.map(({ id, name }) => ({ value: id, text: name })),
            ]}
            fault={faults.at('values.carrierId')}
          />
          <TextField
            label={words.carrierReference}
            value={reference}
            onChange={setReference}
            fault={faults.at('values.carrierReferenceNumber')}
          />
        </>
      )}
    </BulkDialog>
  )
}

function WaveDialog(props: DialogProps) {
  const { data } = useQuery(
    readAll('/v1/jobs', { query: { Type: JobType.WavePick, Status: JobStatusFilter.Open } }),
  )
  const [chosen, setChosen] = useState('')
  const waves = data?.jobs ?? []
  const jobId = chosen || (waves[0]?.jobId ?? '')
  return (
    <BulkDialog act={words.addToWave} action="job" values={{ jobId }} isComplete={jobId !== ''} {...props}>
      {faults =>
        data !== undefined && waves.length === 0 ? (
          <p>{words.noOpenWave}</p>
        ) : (
          <SelectField
            label={words.wave}
            value={jobId}
            onChange={setChosen}
            options={waves.map(wave => ({
              value: wave.jobId,
              text: words.waveName(wave.jobNumber, wave.clientName, wave.reference),
            }))}
            fault={faults.at('values.jobId')}
          />
        )
      }
    </BulkDialog>
  )
}

const papers = [
  'picking-list',
  'detail',
  'dispatch-confirmation',
  'receipt-confirmation',
  'dg-declaration',
] as const

/** Printing changes no consignment, so none is counted as changed. */
function notPrintedIn(results: Results): RefusedOfMany {
  const { taken, rows } = refusedIn(results)
  return taken === 0 ? { taken, rows } : { rows }
}

function PrintDialog(props: DialogProps) {
  const { printers, usual } = usePrinters(PrintType.Document)
  const [document, setDocument] = useState<(typeof papers)[number]>(papers[0])
  const [chosen, setChosen] = useState('')
  const printerId = chosen || usual
  return (
    <BulkDialog
      act={words.print}
      action="print"
      values={{ document, printerId }}
      isComplete={printerId !== ''}
      done={taken => words.printedMany(taken, printers?.find(({ id }) => id === printerId)?.name ?? '')}
      refusedOf={notPrintedIn}
      {...props}
    >
      {faults => (
        <>
          <SelectField
            label={words.paper}
            value={document}
            onChange={value => setDocument(value as typeof document)}
            options={papers.map(value => ({ value, text: words.document[`${value}-pdf`] }))}
            fault={faults.at('values.document')}
          />
          {printers?.length === 0 ? (
            <p>{words.noPrinter}</p>
          ) : (
            <SelectField
              label={words.printer}
              value={printerId}
              onChange={setChosen}
              options={(printers ?? []).map(({ id, name }) => ({ value: id, text: name }))}
              fault={faults.at('values.printerId')}
            />
          )}
        </>
      )}
    </BulkDialog>
  )
}

function VoidDialog(props: DialogProps) {
  const [reason, setReason] = useState('')
  return (
    <BulkDialog act={words.void} action="void" values={{ reason: reason.trim() || null }} {...props}>
      {faults => (
        <TextField
          label={words.reason}
          value={reason}
          onChange={setReason}
          maxLength={500}
          fault={faults.at('values.reason')}
        />
      )}
    </BulkDialog>
  )
}
