// The picks of a wave that are still open: each of one consignment, or of a row of stock for several.

import { useQuery } from '@tanstack/react-query'
import { type RowOf, read } from '../../api.ts'
import { pickWords } from '../../words/pick.ts'
import type { Naming } from '../consignments/pick-amounts.tsx'

export type WavePick = RowOf<'/v1/jobs/{jobId}/wave-pick/picks'>

/** As many as the service lists at once. When they are confirmed, the next ones follow. */
const maxPicks = 500

export const useWavePicks = (jobId: string) =>
  useQuery(read('/v1/jobs/{jobId}/wave-pick/picks', { path: { jobId }, query: { PageSize: maxPicks } }))

export const waveNaming: Naming<WavePick> = {
  idOf: ({ inventoryAllocationId, warehouseProductId }) => inventoryAllocationId ?? warehouseProductId,
  nameOf: pick =>
    pickWords.pickName(
      pickWords.rowName(pick.partnerProductCode, pick.warehouseLocationName, pick.logisticUnitNumber),
      pick.consignmentNumber,
    ),
}

/** How a confirmation names a pick. */
export const wavePickSource = ({ inventoryAllocationId, warehouseProductId }: WavePick) =>
  inventoryAllocationId === null ? { warehouseProductId } : { inventoryAllocationId }
