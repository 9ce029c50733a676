// Region Consignments: the orders of a wave. While it is open, orders are added and removed.

import { useState } from 'react'
import { ConsignmentStatus, ConsignmentType, JobStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { LocalTime } from '../../../../ui/LocalTime.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { isAtRest, toneOf } from '../../consignment-status.ts'
import { useFound } from '../../every-page.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Choices } from '../../frame/Choices.tsx'
import { Link } from '../../router.tsx'
import { consignmentWords } from '../../words/consignments.ts'
import { jobWords as words } from '../../words/jobs.ts'
import styles from '../consignments/pick.module.css'
import { pickPaths } from '../consignments/pick-dialogs.tsx'
import type { Job } from './job.tsx'

type WaveJob = Extract<Job, { kind: 'wave' }>
type Order = WaveJob['jobConsignments'][number]

export function Orders({ job, mayAct }: { job: WaveJob; mayAct: boolean }) {
  const [act, setAct] = useState<'add' | Order>()
  const orders = job.jobConsignments
  const canChange = mayAct && job.status !== JobStatus.Complete && job.status !== JobStatus.Cancelled
  const close = () => setAct(undefined)
  return (
    <Region
      heading={words.consignments}
      summary={orders.length || undefined}
      acts={canChange && <Button onPress={() => setAct('add')}>{words.add}…</Button>}
    >
      {orders.length === 0 ? (
        <Nothing text={words.noConsignments} />
      ) : (
        <Rows>
          {orders.map(order => (
            <OrderRow key={order.id} order={order} onRemove={canChange ? setAct : undefined} />
          ))}
        </Rows>
      )}
      {act === 'add' && <AddOrders job={job} onClose={close} />}
      {act !== undefined && act !== 'add' && <RemoveOrder job={job} order={act} onClose={close} />}
    </Region>
  )
}

const OrderRow = ({ order, onRemove }: { order: Order; onRemove: ((order: Order) => void) | undefined }) => (
  <li data-id={order.id}>
    <Link to={`/consignments/${order.id}`}>{order.consignmentNumber}</Link>
    <span>{order.referenceNumber}</span>
    <span>{order.carrierName}</span>
    <span className={styles.atEnd}>
      <Pill
        text={consignmentWords.status(order.status)}
        tone={toneOf(order.status)}
        isRing={isAtRest(order.status)}
      />
      {onRemove !== undefined && (
        <Button kind="quiet" label={words.removeOf(order.consignmentNumber)} onPress={() => onRemove(order)}>
          {words.remove}…
        </Button>
      )}
    </span>
  </li>
)

function RemoveOrder({ job, order, onClose }: { job: WaveJob; order: Order; onClose: () => void }) {
  return (
    <ActDialog
      act={words.removeOf(order.consignmentNumber)}
      method="post"
      path="/v1/jobs/{jobId}/wave-pick/consignments/remove"
      request={{ path: { jobId: job.jobId }, body: { consignmentIds: [order.id] } }}
      done={words.removed(order.consignmentNumber, job.jobNumber)}
      changes={pickPaths}
      onClose={onClose}
    />
  )
}

/** Adds orders of the client that are in no wave. */
function AddOrders({ job, onClose }: { job: WaveJob; onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const candidates = useFound('/v1/consignments', {
    ...{ Type: [ConsignmentType.Outwards], ClientId: [job.clientId], WarehouseId: [job.warehouseId] },
    ...{ Status: [ConsignmentStatus.Pending, ConsignmentStatus.ReadyToPick], HasJob: false },
    ...{ Include: ['figures'], Sort: 'due' },
  })
  return (
    <ActDialog
      act={words.add}
      method="post"
      path="/v1/jobs/{jobId}/wave-pick/consignments/add"
      request={{ path: { jobId: job.jobId }, body: { consignmentIds: [...chosen] } }}
      isComplete={chosen.size > 0}
      done={words.added(chosen.size, job.jobNumber)}
      changes={pickPaths}
      onClose={onClose}
    >
      {() => (
        <Choices
          legend={words.consignments}
          found={candidates}
          chosen={chosen}
          onChange={setChosen}
          none={words.noCandidates}
          cells={({ consignmentNumber, referenceNumber, dueDateTime }) => (
            <>
              <span>
                <b>{consignmentNumber}</b> {referenceNumber}
              </span>
              {dueDateTime != null && (
                <span className={styles.quiet}>
                  {words.due} <LocalTime value={dueDateTime} />
                </span>
              )}
            </>
          )}
        />
      )}
    </ActDialog>
  )
}
