// How the demo calls the service that it has started.

/** What the API answers to a call; throws where it refuses. */
export type CallApi = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<T>

/** What an app signs in with. */
export interface Credentials {
  clientId: string
  clientSecret: string
}

/** The id of the latest consignment of the demo with a reference; undefined where this demo has none. */
export async function consignmentOf(call: CallApi, reference: string): Promise<string | undefined> {
  const found = await call<{ consignments: { id: string }[] }>(
    'GET',
    `/v1/consignments?SearchText=${reference}`,
  )
  return found.consignments[0]?.id
}

/** The id of the pallet of the demo with an SSCC; undefined where this demo has none. */
export async function palletOf(call: CallApi, ssccNumber: string): Promise<string | undefined> {
  const found = await call<{ logisticUnits: { id: string }[] }>(
    'GET',
    `/v1/logistic-units?SearchText=${ssccNumber}`,
  )
  return found.logisticUnits[0]?.id
}

/** The id of a printer of the demo by its name; undefined where there is none. */
export async function printerOf(call: CallApi, name: string): Promise<string | undefined> {
  const path = '/v1/printer-bridges/printer/options'
  const { printers } = await call<{ printers: { id: string; name: string }[] }>('GET', path)
  return printers.find(printer => printer.name === name)?.id
}
