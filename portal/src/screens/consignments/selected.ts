// One act on selected consignments: where it is sent, and what its answer refuses.

import type { Schemas } from '../../../../client/src/waybill.ts'
import type { RefusedOfMany } from '../../../../ui/Refused.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'

export const bulkPath = '/v1/consignments/bulk'
const [Unchanged, Refused] = [2, 3]

export type SelectedAct = 'move' | 'carrier' | 'addToWave' | 'print' | 'close' | 'void'
export type Results = Schemas['BulkResults']

/** What is refused, each with its reasons. */
export function refusedIn({ results }: Results): Required<RefusedOfMany> {
  const refused = results.filter(({ result }) => result === Refused)
  const alike = results.filter(({ result }) => result === Unchanged).length
  return {
    taken: results.length - refused.length - alike,
    alike,
    rows: refused.map(({ consignmentId, consignmentNumber, messages }) => ({
      id: consignmentId,
      name: consignmentNumber ?? words.unknownConsignment,
      why: messages.join(' '),
    })),
  }
}
