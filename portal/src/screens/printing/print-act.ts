// Acts of printing that are done at once.

import { notify } from '../../../../ui/Notices.tsx'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'

/** There are no events of printing, so it is read again while it is shown. */
export const readMs = 15_000

const paths = ['/v1/printers', '/v1/print-jobs', '/v1/printer-bridges', '/v1/attention']

/** Reads again whatever acts of printing change. */
export const readPrintingAgain = () => readAgain(...paths)

/** Does something at once, and says what came of it. */
export async function actAtOnce(done: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
    notify({ text: done })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readPrintingAgain()
}
