// Creates a consignment from the form, and follows it until it is one or waits.

import { useRef, useState } from 'react'
import { ConsignmentStatus, ImportStatus } from '../../../../client/src/waybill.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { type Got, get, send } from '../../api.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { type Draft, requestOf } from '../../new-consignment.ts'
import { readAgain } from '../../queries.ts'
import { useGo } from '../../router.tsx'
import { newConsignmentWords as words } from '../../words/new-consignment.ts'
import { inOwnUnits, useClientId } from './line-products.ts'

type Import = Got<'/v1/consignment-imports/{consignmentImportId}'>

const importPath = '/v1/consignment-imports/{consignmentImportId}'
/** How often the import is read until a worker has settled it, which takes about 0.1 s. */
const readMs = 200
const readsOfCorrected = 10

/** The faults of the form, whether it is being created, the import if it waits, and what creates it. */
export function useCreation(draft: Draft) {
  const go = useGo()
  const clientId = useClientId(draft.clientCode)
  const key = useRef(crypto.randomUUID())
  const [faults, setFaults] = useState<Faults>(faultsOf(undefined))
  const [state, setState] = useState<'ready' | 'creating'>('ready')
  const [waitingId, setWaitingId] = useState<string>()
  async function create(isDraft: boolean): Promise<void> {
    setState('creating')
    try {
      const lines = await inOwnUnits(draft.lines, clientId)
      const id = await sendImport({ ...draft, lines }, key.current, waitingId)
      const settled = await untilSettled(id, waitingId !== undefined)
      await readAgain('/v1/consignment-imports', '/v1/consignments')
      if (settled.status !== ImportStatus.Reconciled) {
        setWaitingId(id)
        return setFaults(reasonsAsFaults(settled))
      }
      if (isDraft) await makeDraft(id)
      notify({ text: words.created })
      go(`/consignments/${id}`)
    } catch (error) {
      setFaults(faultsOf(error))
    } finally {
      setState('ready')
    }
  }
  return { faults, state, waitingId, create }
}

/** Sends the import, or corrects the one that waits. Returns its id. */
async function sendImport(draft: Draft, key: string, waitingId: string | undefined): Promise<string> {
  const request = requestOf(draft, key)
  if (waitingId === undefined) {
    const { data } = await send('post', '/v1/consignment-imports', { body: request })
    return data.consignmentId
  }
  await send('put', importPath, { path: { consignmentImportId: waitingId }, body: { request } })
  return waitingId
}

/** Reads an import until it is a consignment, or has been tried and waits. */
async function untilSettled(consignmentImportId: string, isCorrected: boolean): Promise<Import> {
  for (let reads = 0; ; reads++) {
    const one = await get<Import>(importPath, { path: { consignmentImportId } })
    // One that was corrected waits, too, until a worker has tried it.
    const waits = one.status === ImportStatus.PendingReconciliation
    const mayBeUntried =
      one.status === ImportStatus.Pending || (isCorrected && waits && reads < readsOfCorrected)
    if (!mayBeUntried) return one
    await new Promise(resolve => setTimeout(resolve, readMs))
  }
}

const makeDraft = (consignmentId: string) =>
  send('put', '/v1/consignments/{consignmentId}/status', {
    path: { consignmentId },
    body: { status: ConsignmentStatus.Draft },
  })

/** The reasons for which an import waits, at the fields that they belong to. */
const reasonsAsFaults = ({ reasons }: Import): Faults => ({
  at: path => reasons.find(reason => reason.path === path)?.message,
  other: undefined,
  all: reasons.map(({ message }) => message),
})
