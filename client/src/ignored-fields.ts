// Warns of fields and query parameters that the service does not know and has therefore ignored.

const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/**
 * Makes a function that logs what the service ignored in a request, once for every endpoint and set of names.
 */
export function createIgnoredFieldsReporter(
  log: (message: string) => void,
): (request: Request, response: Response) => void {
  const reported = new Set<string>()
  return ({ method, url }, { headers }) => {
    const names = headers.get('ignored-fields')
    if (!names) return
    const path = new URL(url).pathname.replace(idPattern, '{id}')
    const message = `Waybill does not know these fields of ${method} ${path} and ignored them: ${names}`
    if (reported.has(message)) return
    reported.add(message)
    log(message)
  }
}
