// The door to the stock of a warehouse. In each process, all commands on the stock of a warehouse pass its
// door: those that arrive while a transaction runs form the next one. They would wait for the same locks
// anyway, but here they wait in memory and hold no connection. Spec 2.14.

import type { Database, Tx } from '../../platform/database/db.ts'
import { isDatabaseUnavailable, TemporarilyUnavailable } from '../../platform/database/errors.ts'
import { validationFailed } from '../../platform/http/refusal.ts'
import { FairSlots } from '../../platform/work/fair-slots.ts'
import {
  type CommandOutcome,
  type CommandRequest,
  carryOutTogether,
  inLastingTransaction,
  type SharedOutcome,
} from './carry-out.ts'
import type { CommandKind } from './command-kind.ts'

/** The limits of one door. */
const maxShared = 64
const maxMoves = 2_000
const maxWaiting = 1_000
const maxWaitMs = 10_000
// How many shared transactions run at the same time if the next command has many moves.
const maxSharing = 2
const manyMoves = 50
// How many commands that cannot share a transaction run at the same time, beside the shared one.
const maxAlone = 3
// How many connections of the pool the doors of all organisations leave to other work.
const spareConnections = 2

/** A command that comes to the door. */
export interface DoorCommand<Request extends CommandRequest, Answer> {
  database: Database
  request: Request
  /** how it can share a transaction with others of its kind; null if it cannot */
  kind: CommandKind<Request, Answer> | null
  /** Carries it out in a transaction of its own. */
  alone(tx: Tx): Promise<CommandOutcome<Answer>>
  /** fires when the client leaves: its command leaves, too, unless it has begun */
  signal: AbortSignal
}

type AnyCommand = DoorCommand<CommandRequest, unknown>

interface Waiter {
  command: AnyCommand
  /** how it shares a transaction; null once it has to run alone */
  kind: AnyCommand['kind']
  since: number
  /** Begins to wait: until it begins, it leaves with its client. */
  wait(): void
  begin(): void
  resolve(outcome: CommandOutcome<unknown>): void
  reject(error: unknown): void
}

/** The doors of one database in this process, and the connections that they share. */
interface Doors {
  byName: Map<string, Door>
  slots: FairSlots
}

const doorsOf = new WeakMap<Database, Doors>()

const busy = () => new TemporarilyUnavailable('The stock of this warehouse is busy. Try again shortly.', 1)

/** What nobody reads any more. */
const left = () => validationFailed('The client disconnected.')

/**
 * Carries out a command when its turn has come, together with others of its kind. `name` tells the warehouse;
 * a wrong name costs time but does no harm, because the locks of the database decide.
 * @throws TemporarilyUnavailable if too many commands wait or it waited for too long.
 */
export function passDoor<Request extends CommandRequest, Answer>(
  name: string,
  command: DoorCommand<Request, Answer>,
): Promise<CommandOutcome<Answer>> {
  const { database } = command
  const { original } = database
  // A rehearsal, or a change that depends on an ETag, has a transaction of its own already.
  if (database !== original) return database.atomically(command.alone)
  const { organisationId } = command.request.actor
  const doors = doorsOf.get(original) ?? {
    byName: new Map(),
    slots: new FairSlots(
      {
        count: Math.max(1, original.poolSize - spareConnections),
        maxWaiting: Number.POSITIVE_INFINITY,
        maxWaitMs,
      },
      busy,
    ),
  }
  doorsOf.set(original, doors)
  const key = `${organisationId} ${name}`
  const close = (idle: Door) => {
    if (doors.byName.get(key) === idle) doors.byName.delete(key)
  }
  const door = doors.byName.get(key) ?? new Door(organisationId, doors.slots, close)
  doors.byName.set(key, door)
  return door.enter(command) as Promise<CommandOutcome<Answer>>
}

/** The door of one warehouse. */
class Door {
  readonly #organisationId: string
  readonly #slots: FairSlots
  readonly #onIdle: (door: Door) => void
  #waiting: Waiter[] = []
  #sharedCount = 0
  #aloneCount = 0
  #isStarting = false

  /** @param onIdle is called when nothing waits or runs any more */
  constructor(organisationId: string, slots: FairSlots, onIdle: (door: Door) => void) {
    this.#organisationId = organisationId
    this.#slots = slots
    this.#onIdle = onIdle
  }

  /** Carries out a command when its turn has come. */
  enter(command: AnyCommand): Promise<CommandOutcome<unknown>> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const { signal, request } = command
      const onAbort = () => {
        this.#waiting = this.#waiting.filter(other => other !== waiter)
        reject(left())
      }
      const kind = command.kind?.mayShare(request) ? command.kind : null
      const waiter: Waiter = {
        ...{ command, kind, since: performance.now(), resolve, reject },
        wait: () => (signal.aborted ? onAbort() : signal.addEventListener('abort', onAbort, { once: true })),
        begin: () => signal.removeEventListener('abort', onAbort),
      }
      this.#waiting.push(waiter)
      waiter.wait()
      // Commands that arrive in the same turn of the event loop share a transaction.
      if (this.#isStarting) return
      this.#isStarting = true
      setImmediate(() => this.#start())
    })
  }

  #start(): void {
    this.#isStarting = false
    const countAlone = this.#waiting.filter(({ kind }) => kind === null).length
    if (this.#waiting.length > countAlone && this.#mayShareNow()) {
      this.#sharedCount++
      void this.#serve(() => this.#takeShared()).then(() => {
        this.#sharedCount--
        this.#start()
      })
    }
    for (let n = 0; n < countAlone && this.#aloneCount < maxAlone; n++) {
      this.#aloneCount++
      void this.#serve(() => this.#takeAlone()).then(() => {
        this.#aloneCount--
        this.#start()
      })
    }
    if (this.#sharedCount === 0 && this.#aloneCount === 0 && this.#waiting.length === 0) this.#onIdle(this)
  }

  /**
   * Whether another shared transaction may begin. What waits for the same locks is better carried out
   * together. But a command of many moves gains little by that, and is often of other products.
   */
  #mayShareNow(): boolean {
    if (this.#sharedCount === 0) return true
    const next = this.#waiting.find(({ kind }) => kind !== null)
    const isLarge = next?.kind != null && next.kind.weigh(next.command.request) >= manyMoves
    return isLarge && this.#sharedCount < maxSharing
  }

  /** Removes the first waiters that may share a transaction with the very first of them, and returns them. */
  #takeShared(): Waiter[] {
    const batch: Waiter[] = []
    let moves = 0
    for (const waiter of this.#waiting) {
      const [first] = batch
      const { command, kind } = waiter
      if (kind === null || (first && kind !== first.kind)) continue
      const weight = kind.weigh(command.request)
      if (batch.length === maxShared || (first && moves + weight > maxMoves)) break
      batch.push(waiter)
      moves += weight
    }
    const taken = new Set(batch)
    this.#waiting = this.#waiting.filter(waiter => !taken.has(waiter))
    return batch
  }

  #takeAlone(): Waiter[] {
    const index = this.#waiting.findIndex(({ kind }) => kind === null)
    return index < 0 ? [] : this.#waiting.splice(index, 1)
  }

  /** Takes waiters once there is a connection for them, and carries them out. */
  async #serve(take: () => Waiter[]): Promise<void> {
    const waiting = new Set(this.#waiting)
    try {
      await this.#slots.use(this.#organisationId, undefined, async () => {
        const now = performance.now()
        const ready = take().filter(waiter => {
          waiter.begin()
          const isLate = now - waiter.since > maxWaitMs
          if (isLate) waiter.reject(busy())
          return !isLate
        })
        const remaining = await carryOut(ready)
        // What is left goes first next time.
        this.#waiting.unshift(...remaining)
        for (const waiter of remaining) waiter.wait()
      })
    } catch (error) {
      // Those that came while there was no connection have not waited for long.
      const refused = this.#waiting.filter(waiter => waiting.has(waiter))
      this.#waiting = this.#waiting.filter(waiter => !waiting.has(waiter))
      for (const waiter of refused) {
        waiter.begin()
        waiter.reject(error)
      }
    }
  }
}

/** Carries out the commands and settles them. Returns those that are left to another transaction. */
async function carryOut(waiters: readonly Waiter[]): Promise<Waiter[]> {
  const [first] = waiters
  if (first === undefined) return []
  const { database } = first.command
  if (waiters.length === 1) {
    await inLastingTransaction(database, first.command.alone).then(first.resolve, first.reject)
    return []
  }
  let outcomes: SharedOutcome<unknown>[]
  try {
    outcomes = await inLastingTransaction(database, tx =>
      carryOutTogether(
        tx,
        first.kind as CommandKind<CommandRequest, unknown>,
        waiters.map(({ command }) => command.request),
      ),
    )
  } catch (error) {
    if (!isDatabaseUnavailable(error)) return waiters.map(runningAlone)
    for (const { reject } of waiters) reject(error)
    return []
  }
  return waiters.flatMap((waiter, n) => {
    const outcome = outcomes[n] as SharedOutcome<unknown>
    if (outcome === 'later') return waiter
    if (outcome === 'alone') return runningAlone(waiter)
    if ('refusal' in outcome) waiter.reject(outcome.refusal)
    else waiter.resolve({ answer: outcome.answer, isReplayed: false })
    return []
  })
}

/**
 * The waiter, to run alone: it failed together with others, one of which may be the cause, or waits for a
 * record or an operation.
 */
const runningAlone = (waiter: Waiter): Waiter => Object.assign(waiter, { kind: null })
