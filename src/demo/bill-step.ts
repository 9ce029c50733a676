// A command that the demo suggests: it shows a bill, and the proof that every line of it can be derived.

import type { CallApi } from './call-api.ts'

/** The command, on one line, for the latest Approved bill; none if there is no such bill. */
export async function billStep(baseUrl: string, call: CallApi): Promise<string[]> {
  const path = '/v1/schedules?Status=2&PageSize=1'
  const { schedules } = await call<{ schedules: { id: string }[] }>('GET', path)
  return schedules.map(({ id }) => {
    const bill = `${baseUrl}/v1/schedules/${id}`
    return `curl -s -w '\\n' ${bill} ${bill}/proof -H "Authorization: Bearer $TOKEN"`
  })
}
