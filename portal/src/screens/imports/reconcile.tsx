// Settles the imports that wait for the same cause: a code that was meant to be another is replaced in all of
// them at once.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { type RowOf, send } from '../../api.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { importWords as words } from '../../words/imports.ts'

/** A cause, and how many imports wait for it. */
export type Cause = RowOf<'/v1/consignment-imports/causes'>

/** Tries every import with this cause again, with another code if one is given, and says what came of it. */
export async function reconcileAll(
  { kind, code, clientCode }: Cause,
  replacement: string | null,
  remember: boolean,
): Promise<void> {
  const { data } = await send('post', '/v1/consignment-imports/reconcile-many', {
    body: { kind, code, clientCode, replacement, remember },
  })
  await readAgain('/v1/consignment-imports', '/v1/consignments', '/v1/attention', '/v1/dashboard')
  const count = (result: number) => data.results.filter(one => one.result === result).length
  const reasons = [...new Set(data.results.flatMap(({ messages }) => messages))].slice(0, 3)
  notify({
    text: [words.settled(count(1), count(2), count(3), data.left), ...reasons].join('. '),
    isAlert: count(1) === 0 && reasons.length > 0,
  })
}

/** The buttons that settle a cause at once: with the nearest code that exists, and as it is. */
export function SettleButtons({ cause, isRetried = true }: { cause: Cause; isRetried?: boolean }) {
  const [isPending, setPending] = useState(false)
  const nearest = cause.nearest[0]
  async function settle(replacement: string | null): Promise<void> {
    setPending(true)
    try {
      await reconcileAll(cause, replacement, false)
    } catch (error) {
      notify({ text: reasonsOf(error).join(' '), isAlert: true })
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      {nearest !== undefined && (
        <Button onPress={() => void settle(nearest.code)} isPending={isPending}>
          {words.replaceWith(nearest.code)}
        </Button>
      )}
      {isRetried && (
        <Button kind="quiet" onPress={() => void settle(null)} isPending={isPending}>
          {words.tryAgain}
        </Button>
      )}
    </>
  )
}
