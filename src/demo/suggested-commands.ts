// Commands that the demo suggests, with ids of its own records: a bill with the proof that every line of it
// can be derived, a picking list, a pallet label and a report.

import { type CallApi, consignmentOf, palletOf, printerOf } from './call-api.ts'
import { teaPallet } from './paper-data.ts'

/** Sends a request. One that is refused prints nothing but its status, and fails. */
export const curl = 'curl -sSf'

const authorised = '-H "Authorization: Bearer $TOKEN"'

/** The commands, each on one line; fewer if an earlier version of the service loaded the demo. */
export const suggestCommands = async (baseUrl: string, call: CallApi): Promise<string[]> => [
  ...(await billCommands(baseUrl, call)),
  ...(await paperCommands(baseUrl, call)),
]

/** Reads the latest Approved bill. */
async function billCommands(baseUrl: string, call: CallApi): Promise<string[]> {
  const path = '/v1/schedules?Status=2&PageSize=1'
  const { schedules } = await call<{ schedules: { id: string }[] }>('GET', path)
  return schedules.map(({ id }) => {
    const bill = `${baseUrl}/v1/schedules/${id}`
    return `${curl} -w '\\n' ${bill} ${bill}/proof ${authorised}`
  })
}

async function paperCommands(baseUrl: string, call: CallApi): Promise<string[]> {
  const [consignmentId, palletId, documentPrinter, labelPrinter] = await Promise.all([
    consignmentOf(call, 'PO-BANGKOK'),
    palletOf(call, teaPallet),
    printerOf(call, 'Office A4'),
    printerOf(call, 'Dock labels PDF'),
  ])
  if (consignmentId === undefined || palletId === undefined) return []
  const request = (path: string) => `${curl} ${baseUrl}${path} ${authorised}`
  const print = (path: string, printerId: string | undefined) =>
    `${request(path)} -H 'Content-Type: application/json' -d '{"printOption":{"printerId":"${printerId}"}}'`
  return [
    print(`/v1/consignments/${consignmentId}/picking-list-pdf/print`, documentPrinter),
    print(`/v1/logistic-units/${palletId}/label/print`, labelPrinter),
    `${request('/v1/reports/stock-on-hand/xlsx')} -X POST -o stock-on-hand.xlsx`,
  ]
}
