// Calls of the demo to the API.

/** Calls the API and returns the body of its response. Throws if the call is refused. */
export type CallApi = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<T>

/** The credentials of an app. */
export interface Credentials {
  clientId: string
  clientSecret: string
}

/** The id of the latest consignment of the demo with a reference; undefined if there is none. */
export async function consignmentOf(call: CallApi, reference: string): Promise<string | undefined> {
  const { consignments } = await call<{ consignments: { id: string }[] }>(
    'GET',
    `/v1/consignments?SearchText=${reference}`,
  )
  return consignments[0]?.id
}

/** The id of the pallet of the demo with an SSCC; undefined if there is none. */
export async function palletOf(call: CallApi, ssccNumber: string): Promise<string | undefined> {
  const { logisticUnits } = await call<{ logisticUnits: { id: string }[] }>(
    'GET',
    `/v1/logistic-units?SearchText=${ssccNumber}`,
  )
  return logisticUnits[0]?.id
}

/** The id of the printer of the demo with a name; undefined if there is none. */
export async function printerOf(call: CallApi, name: string): Promise<string | undefined> {
  const path = '/v1/printer-bridges/printer/options'
  const { printers } = await call<{ printers: { id: string; name: string }[] }>('GET', path)
  return printers.find(printer => printer.name === name)?.id
}
