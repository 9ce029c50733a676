// Confirming the goods moved to pickfaces. Spec 2.14, 2.15; decisions 2, 6.

import { type EventOrigin, emit } from '../../events/emit.ts'
import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { decimalText, scale } from '../../platform/decimal.ts'
import {
  Decimal,
  IntegerEnum,
  nullable,
  optional,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { numberOf, Serials } from '../../stock/commands/quantities.ts'
import { stockCommand } from '../../stock/commands/stock-command.ts'
import { lockStock } from '../../stock/ledger/stock-lock.ts'
import { EventType } from '../../vocabulary/events.ts'
import { JobStatus, JobType, ReplenishmentLineStatus } from '../../vocabulary/jobs.ts'
import { jobEvent, type LockedJob, lockJob, moveJob, requireStarted } from '../job.ts'
import {
  type LineToMove,
  moveReplenishmentStock,
  type ReplenishmentMove,
} from './move-replenishment-stock.ts'

const Move = Type.Object({
  replenishmentLineId: Uuid,
  quantity: optional(Decimal(4, { minimum: 0 })),
  unitTypeId: optional(Uuid),
  serials: optional(Serials),
  isShort: optional(Type.Boolean()),
})

const MovedLine = Type.Object({
  replenishmentLineId: Uuid,
  quantity: Type.Number(),
  warehouseProductId: nullable({
    ...Uuid,
    description: 'The row of stock that holds the goods now; null if nothing was moved.',
  }),
  status: IntegerEnum(ReplenishmentLineStatus),
})

const { Open, Done, Short } = ReplenishmentLineStatus

/** Reads the lines of a locked job that the moves name. */
async function readLines(
  db: Db,
  { organisationId, id }: LockedJob,
  moves: readonly ReplenishmentMove[],
): Promise<LineToMove[]> {
  const rows = await db.rows<
    Omit<LineToMove, 'quantity' | 'moved'> & { quantity: number; movedQuantity: number }
  >(sql`
    select id, product_id, from_warehouse_product_id, to_warehouse_location_id, quantity, moved_quantity,
      status
    from replenishment_line
    where organisation_id = ${organisationId} and job_id = ${id}
      and id = any(${moves.map(({ replenishmentLineId }) => replenishmentLineId)})`)
  return rows.map(({ movedQuantity, ...line }) => ({
    ...line,
    quantity: scale(4, line.quantity),
    moved: scale(4, movedQuantity),
  }))
}

/** Stores changed lines, and emits event 302 for their job. */
async function storeLineChanges(
  tx: Tx,
  source: EventOrigin,
  job: LockedJob,
  changes: readonly { from: LineToMove; to: LineToMove }[],
): Promise<void> {
  const rows = changes.map(({ to }) => ({ id: to.id, moved: decimalText(4, to.moved), status: to.status }))
  await tx.run(sql`
    update replenishment_line r set moved_quantity = g.moved, status = g.status
    from json_to_recordset(${JSON.stringify(rows)}) as g (id uuid, moved numeric, status smallint)
    where r.organisation_id = ${job.organisationId} and r.id = g.id`)
  const toHistory = ({ id, moved, status }: LineToMove) => ({ id, movedQuantity: numberOf(moved), status })
  const event = jobEvent(EventType.JobUpdated, job, {
    changes: changes.map(({ from, to }) => ({ field: 'lines', from: toHistory(from), to: toHistory(to) })),
  })
  await emit(tx, source, [event])
}

/** A line after a further quantity (in ten-thousandths) was moved. */
const afterMove = (line: LineToMove, quantity: bigint, isShort: boolean): LineToMove => {
  const moved = line.moved + quantity
  return { ...line, moved, status: moved === line.quantity ? Done : isShort ? Short : Open }
}

/** The status of a job after a confirmation: Complete unless a line is still open. */
async function statusOf(db: Db, { organisationId, id }: LockedJob): Promise<JobStatus> {
  const open = await db.maybe(sql`
    select from replenishment_line
    where organisation_id = ${organisationId} and job_id = ${id} and status = ${Open} limit 1`)
  return open === undefined ? JobStatus.Complete : JobStatus.InProgress
}

export const confirmReplenishment = [
  stockCommand({
    post: '/v1/jobs/:jobId/replenishment/confirm',
    name: 'confirmReplenishment',
    canBeRehearsed: true,
    scope: 'job',
    summary: 'Confirm goods moved to pickfaces',
    description:
      'Moves goods of lines to their locations, without a logistic unit. Without a quantity, everything ' +
      'left on the line is moved. Only stock that is free at that time can be moved. isShort means that no ' +
      'more stock can be found (without a quantity: none at all). The first confirmation makes the job ' +
      'InProgress, the last one Complete.',
    bodyName: 'ReplenishmentConfirmation',
    body: { moves: Type.Array(Move, { minItems: 1, maxItems: 1_000 }) },
    answer: Type.Object({
      movementId: nullable({ ...Uuid, description: 'Null if nothing was moved.' }),
      effectiveUtc: nullable(UtcTime),
      status: IntegerEnum(JobStatus),
      moves: Type.Array(MovedLine),
    }),
    async run({ tx, actor, params, body: { moves }, source, requestId, occurredUtc }) {
      const job = await lockJob(tx, actor, params.jobId, JobType.Replenishment)
      requireStarted(job)
      const lines = await readLines(tx, job, moves)
      const { organisationId, warehouseId } = job
      const keys = lines.map(({ productId }) => ({ warehouseId, productId }))
      const locked = await lockStock(tx, organisationId, keys)
      const context = { job, source, occurredUtc, lines }
      const { movementId, effectiveUtc, moved } = await moveReplenishmentStock(tx, locked, context, moves)
      const changes = moved.map(({ line, quantity }, n) => ({
        from: line,
        to: afterMove(line, quantity, moves[n]?.isShort ?? false),
      }))
      await storeLineChanges(tx, { ...actor, requestId }, job, changes)
      const status = await statusOf(tx, job)
      if (status !== job.status) await moveJob(tx, { ...actor, requestId }, job, status)
      return {
        ...{ movementId, effectiveUtc, status },
        moves: moved.map(
          ({ line, quantity, warehouseProductId }, n): Static<typeof MovedLine> => ({
            replenishmentLineId: line.id,
            quantity: numberOf(quantity),
            warehouseProductId,
            status: changes[n]?.to.status ?? line.status,
          }),
        ),
      }
    },
  }),
]
