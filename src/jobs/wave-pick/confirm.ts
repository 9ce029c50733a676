// Confirming picks of a wave, either of one consignment or of one row of stock for all consignments. Spec
// 2.14, 2.15; decision 2.

import { confirmPicksUnderLock, type Picking } from '../../floor/picking/confirm-picks.ts'
import { findDocks } from '../../floor/picking/docks.ts'
import {
  type LockedOutwardsConsignment,
  lockTargetsOfRows,
  markPickingConfirmed,
} from '../../floor/picking/outwards-consignment.ts'
import { pickEntryFields } from '../../floor/picking/requested-pick.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import { collectEntryFaults, isFieldFault, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, nullable, optional, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { stockCommand } from '../../stock/commands/stock-command.ts'
import { findProducts } from '../../stock/commands/stock-products.ts'
import { matchStock, readSelectedStock } from '../../stock/commands/stock-selector.ts'
import { type LockedStock, lockQueriedStock } from '../../stock/ledger/stock-lock.ts'
import { JobStatus } from '../../vocabulary/jobs.ts'
import { type LockedJob, moveJob, requireStarted } from '../job.ts'
import { lockWavePick } from './lock-wave-pick.ts'
import { hasOpenPicks, type OpenPick, readOpenPicks, readUnpickedGoods } from './open-picks.ts'
import { type LinePick, resolveWavePicks, type WavePickEntry } from './resolve-picks.ts'

const { isOverride: _, ...fields } = pickEntryFields
const Entry = Type.Object({ inventoryAllocationId: optional(Uuid), ...fields })

/** The faults of entries that do not name what was picked in exactly one way. */
function selectorFaults(value: unknown): ValidationError[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => {
    const { inventoryAllocationId, warehouseProductId, stock } = (entry ?? {}) as WavePickEntry
    if ([inventoryAllocationId, warehouseProductId, stock].filter(Boolean).length === 1) return []
    return [
      {
        path: `[${i}]`,
        problem: 'must name what was picked, by inventoryAllocationId, warehouseProductId or stock',
      },
    ]
  })
}

/** Locks the stock that entries name, and reads the open picks of the job there. */
async function lockOpenPicks(
  tx: Tx,
  { organisationId, id, warehouseId }: LockedJob,
  entries: readonly WavePickEntry[],
): Promise<{ locked: LockedStock; open: OpenPick[] }> {
  const matches = await matchStock(tx, organisationId, entries, warehouseId)
  const selection = {
    allocationIds: entries.flatMap(({ inventoryAllocationId }) => inventoryAllocationId ?? []),
    warehouseProductIds: matches.flat().map(row => row.id),
  }
  const before = await readOpenPicks(tx, organisationId, id, selection)
  const rowIds = new Set([...selection.warehouseProductIds, ...before.map(pick => pick.warehouseProductId)])
  const locked = await lockQueriedStock(
    tx,
    organisationId,
    sql`${lockTargetsOfRows(organisationId, [...rowIds])}
      union all select ${warehouseId}::uuid, unnest(${before.map(({ productId }) => productId)}::uuid[])`,
  )
  const open = await readOpenPicks(tx, organisationId, id, selection)
  const isLocked = ({ warehouseProductId, productId }: OpenPick) =>
    rowIds.has(warehouseProductId) && locked.covers({ warehouseId, productId })
  if (!open.every(isLocked)) throw new TransactionRestart()
  return { locked, open }
}

/** Turns entries into picks of lines. Throws 400 for entries that match no open pick. */
async function resolveEntries(
  tx: Tx,
  locked: LockedStock,
  { warehouseId }: LockedJob,
  entries: readonly WavePickEntry[],
  open: readonly OpenPick[],
): Promise<LinePick[]> {
  const faults = collectEntryFaults('picks')
  const byId = new Map(open.map(pick => [pick.inventoryAllocationId, pick]))
  const named = entries.map(({ inventoryAllocationId, warehouseProductId, stock }) =>
    inventoryAllocationId
      ? { warehouseProductId: byId.get(inventoryAllocationId)?.warehouseProductId }
      : { warehouseProductId, stock },
  )
  const rows = await readSelectedStock(tx, locked.organisationId, locked, named, warehouseId)
  const products = await findProducts(
    tx,
    locked.organisationId,
    rows.flatMap(row => (isFieldFault(row) ? [] : [row.productId])),
  )
  const picks = resolveWavePicks(entries, { rows, products, open }, faults.refuse)
  faults.throwIfAny()
  return picks
}

/** Confirms picks of lines. Faults are reported once for each entry that the picks come from. */
async function confirm(
  tx: Tx,
  locked: LockedStock,
  context: Omit<Picking, 'faults' | 'picks'>,
  linePicks: readonly LinePick[],
) {
  const faults = collectEntryFaults('picks')
  const reported = new Set<string>()
  const refuse: ReportEntryFault = (n, problem, code) => {
    const entry = linePicks[n]?.entry ?? n
    if (!reported.has(`${entry} ${problem}`)) faults.refuse(entry, problem, code)
    reported.add(`${entry} ${problem}`)
  }
  return confirmPicksUnderLock(tx, locked, {
    ...context,
    faults: { refuse, throwIfAny: faults.throwIfAny },
    picks: linePicks.map(({ pick }) => pick),
  })
}

/** Throws 400 for a Complete job, telling what of it was unpicked since. */
async function refuseComplete(tx: Tx, { organisationId, id, jobNumber }: LockedJob): Promise<never> {
  const unpicked = await readUnpickedGoods(tx, organisationId, id)
  const messages = [
    `Job ${jobNumber} is Complete: nothing more is confirmed for it.`,
    ...unpicked.map(
      ({ consignmentNumber, productCode, quantity }) =>
        `${quantity} of ${productCode} of consignment ${consignmentNumber} are not picked any more: pick ` +
        'them with the consignment, or in another job.',
    ),
  ]
  throw verificationFailed(
    ...messages.map(message => ({ path: null, code: 'wrong_status' as const, message })),
  )
}

const ConfirmedPart = Type.Object({
  consignmentId: Uuid,
  consignmentProductId: Uuid,
  warehouseProductId: nullable({ ...Uuid, description: 'The row of stock that holds the goods now.' }),
  quantity: Type.Number(),
  inventoryHoldId: nullable({ ...Uuid, description: 'The hold for the missing stock.' }),
})

export const confirmWavePick = [
  stockCommand({
    post: '/v1/jobs/:jobId/wave-pick/picks/confirm',
    name: 'confirmWavePickPicks',
    canBeRehearsed: true,
    scope: 'job',
    summary: 'Confirm picks of a wave pick',
    description:
      'Moves the goods to the dock, as picking a consignment does. An entry names either one pick by its ' +
      'inventoryAllocationId, or a row of stock; then the quantity is distributed among all picks of the ' +
      'job there, in the order of the positions. Without a quantity, everything is picked. isShort means ' +
      'that no more stock can be found there: the last positions get less, and what is missing is put on ' +
      'hold and allocated elsewhere unless reallocate is false. The first confirmation makes the job ' +
      'InProgress, the last one Complete.',
    bodyName: 'WavePickConfirmation',
    body: { picks: Type.Array(Entry, { minItems: 1, maxItems: 1_000, rule: selectorFaults }) },
    answer: Type.Object({
      movementId: Uuid,
      effectiveUtc: nullable(UtcTime),
      status: IntegerEnum(JobStatus),
      picks: Type.Array(
        Type.Object({
          quantity: Type.Number(),
          consignments: Type.Array(ConfirmedPart, { description: 'What each consignment got, by position.' }),
        }),
      ),
    }),
    async run({ tx, actor, params, body, source, requestId, occurredUtc }) {
      const { organisationId } = actor
      const { job, members } = await lockWavePick(tx, actor, params.jobId)
      if (job.status === JobStatus.Complete) await refuseComplete(tx, job)
      requireStarted(job)
      if (members.length === 0)
        throw verificationFailed(`Job ${job.jobNumber} has no consignments to pick: add some first.`)
      const docks = await findDocks(tx, members)
      const { locked, open } = await lockOpenPicks(tx, job, body.picks)
      const linePicks = await resolveEntries(tx, locked, job, body.picks, open)
      const served = new Set(linePicks.map(({ consignmentId }) => consignmentId))
      const consignments: LockedOutwardsConsignment[] = members.filter(({ id }) => served.has(id))
      const context = { consignments, docks, occurredUtc, jobId: job.id, source: { ...source, requestId } }
      const { movementId, effectiveUtc, picks } = await confirm(tx, locked, context, linePicks)
      await markPickingConfirmed(tx, consignments)
      const isLeft = await hasOpenPicks(tx, organisationId, job.id)
      const status = isLeft ? JobStatus.InProgress : JobStatus.Complete
      if (status !== job.status) await moveJob(tx, { ...actor, requestId }, job, status)
      const parts = picks.map((part, i) => ({ ...part, ...(linePicks[i] as LinePick) }))
      return {
        ...{ movementId, effectiveUtc, status },
        picks: body.picks.map((_, n) => {
          const own = parts.filter(({ entry }) => entry === n)
          return {
            quantity: own.reduce((all, { quantity }) => all + quantity, 0),
            consignments: own.map(({ pick, entry, ...part }) => ({
              ...part,
              consignmentProductId: pick.consignmentProductId,
            })),
          }
        }),
      }
    },
  }),
]
