// Three commands that the demo suggests, with ids of its own records: a picking list, a pallet label and a
// report.

import { type CallApi, consignmentOf, palletOf, printerOf } from './call-api.ts'
import { teaPallet } from './paper-data.ts'

/** The commands, each on one line; none if an earlier version of the service loaded the demo. */
export async function paperSteps(baseUrl: string, call: CallApi): Promise<string[]> {
  const [consignmentId, palletId, documents, labels] = await Promise.all([
    consignmentOf(call, 'PO-BANGKOK'),
    palletOf(call, teaPallet),
    printerOf(call, 'Office A4'),
    printerOf(call, 'Dock labels PDF'),
  ])
  if (consignmentId === undefined || palletId === undefined) return []
  const curl = (path: string) => `curl -s ${baseUrl}${path} -H "Authorization: Bearer $TOKEN"`
  const print = (path: string, printerId: string | undefined) =>
    `${curl(path)} -H 'Content-Type: application/json' -d '{"printOption":{"printerId":"${printerId}"}}'`
  return [
    print(`/v1/consignments/${consignmentId}/picking-list-pdf/print`, documents),
    print(`/v1/logistic-units/${palletId}/label/print`, labels),
    `${curl('/v1/reports/stock-on-hand/xlsx')} -X POST -o stock-on-hand.xlsx`,
  ]
}
