// Loads earlier print jobs of the demo: one has failed, one may be half printed, one was cancelled, and two
// wait for the bridge that is about to start.

import { PrintJobPhase, PrintResult } from '../vocabulary/paper.ts'
import { type CallApi, consignmentOf, palletOf, printerOf } from './call-api.ts'
import { teaPallet } from './paper-data.ts'

/** A printer as its bridge announces it to the service. */
export interface AnnouncedPrinter {
  name: string
  type: number
  language: number
}

/** Makes the print jobs by calls of the demo and, because the bridge has not started yet, of its bridge. */
export async function loadPrintHistory(
  call: CallApi,
  callAsBridge: CallApi,
  printerBridgeId: string,
  printers: readonly AnnouncedPrinter[],
): Promise<void> {
  const consignmentId = await consignmentOf(call, 'PO-BANGKOK')
  // An earlier version of the service loaded the demo.
  if (consignmentId === undefined) return
  const bridge = `/v1/printer-bridges/${printerBridgeId}`
  await callAsBridge('PUT', `${bridge}/printers`, { printers })
  /** Claims waiting jobs, which also tells the service that the printers are reachable. */
  const claim = () =>
    callAsBridge<{ jobs: { printJobId: string; leaseNumber: number }[] }>('POST', `${bridge}/claim`, {
      printers: printers.map(({ name }) => ({ name, isReachable: true })),
    })
  await claim()
  const printerId = await printerOf(call, 'Office A4')
  const print = (paper: string) =>
    call<{ printJobId: string }>('POST', `/v1/consignments/${consignmentId}/${paper}/print`, {
      printOption: { printerId },
    })
  const end = async (phase: number, message: string, isInDoubt: boolean) => {
    const [job] = (await claim()).jobs
    if (job === undefined) throw new Error('The demo has printed something that its bridge does not get.')
    const { printJobId, leaseNumber } = job
    await callAsBridge('PUT', `${bridge}/jobs/${printJobId}/progress`, {
      ...{ leaseNumber, phase, message, isInDoubt, result: PrintResult.Failed },
    })
  }
  await print('detail-pdf')
  await end(PrintJobPhase.Claimed, 'the printer has no paper of the size A4', false)
  await print('picking-list-pdf')
  await end(PrintJobPhase.Sending, 'the printer closed the connection after half of the document', true)
  const { printJobId } = await print('detail-pdf')
  await call('PUT', `/v1/print-jobs/${printJobId}/cancel`)
  await print('picking-list-pdf')
  const labels = { printOption: { printerId: await printerOf(call, 'Dock labels PDF') } }
  await call('POST', `/v1/logistic-units/${await palletOf(call, teaPallet)}/label/print`, labels)
}
