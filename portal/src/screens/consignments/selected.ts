// One act on selected consignments: where it is sent, and what its answer refuses.

import type { Schemas } from '../../../../client/src/waybill.ts'
import { consignmentWords as words } from '../../words/consignments.ts'

export const bulkPath = '/v1/consignments/bulk'
const Refused = 3

export type SelectedAct = 'move' | 'carrier' | 'addToWave' | 'print' | 'close' | 'void'
export type Results = Schemas['BulkResults']

/** What is refused, each with its reasons. */
export const refusalsIn = ({ results }: Results): readonly string[] =>
  results
    .filter(({ result }) => result === Refused)
    .map(({ consignmentNumber, messages }) => words.refused(consignmentNumber ?? '', messages.join(' ')))
