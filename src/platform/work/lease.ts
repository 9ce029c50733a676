// Leases of rows that are pieces of work: the worker that takes a row holds it for a while, renews the lease
// while it works, and writes nothing once another has taken the row. If its process dies, the lease ends by
// itself, or at once where another process sees it die. Decision 5.

import { type Database, raw, type Sql, sql } from '../database/db.ts'

/** A row that a worker holds. Whoever takes it later has a higher number. */
export interface Leased {
  organisationId: string
  id: string
  leaseNumber: number
}

/** The leases of one table, which has the columns lease_number and worker_id. */
export interface LeaseRules {
  table: string
  /** the column with the instant at which a lease ends */
  until: string
  /** how long a lease lasts, and so how long a row waits if its process dies */
  seconds: number
  /** an SQL condition on the row, without which it is no longer the worker's whoever took it */
  whileHeld: Sql
  /** the assignments that return the row of a worker that has died */
  returned: Sql
}

/** The statements of a table's leases. */
export class Lease {
  readonly #rules: LeaseRules
  readonly #table: Sql
  readonly #until: Sql

  constructor(rules: LeaseRules) {
    this.#rules = rules
    this.#table = raw(rules.table)
    this.#until = raw(rules.until)
  }

  /** The assignments by which a worker takes a row. */
  taking(workerId: string, seconds = this.#rules.seconds): Sql {
    return sql`${this.#until} = ${endAfter(seconds)}, lease_number = lease_number + 1,
      worker_id = ${workerId}`
  }

  /** The assignment by which a long transaction renews the lease at its end. */
  renewing(): Sql {
    return sql`${this.#until} = clock_timestamp() + make_interval(secs => ${this.#rules.seconds})`
  }

  /** An SQL condition: the row is still held by this lease. */
  isHeld({ organisationId, id, leaseNumber }: Leased): Sql {
    return sql`organisation_id = ${organisationId} and id = ${id} and lease_number = ${leaseNumber}
      and ${this.#rules.whileHeld}`
  }

  /**
   * Does `work` while renewing the lease; each renewal also assigns `alongside`. If a renewal fails, the next
   * one makes up for it. If the lease is lost, `lost` is aborted.
   */
  async whileRenewed<T>(
    database: Database,
    leased: Leased,
    work: (lost: AbortSignal) => Promise<T>,
    alongside: () => Sql = () => sql``,
  ): Promise<T> {
    const lost = new AbortController()
    const renew = () =>
      database.inOneStatement(tx =>
        tx.run(sql`
          update ${this.#table} set ${this.#until} = ${endAfter(this.#rules.seconds)} ${alongside()}
          where ${this.isHeld(leased)}`),
      )
    const renewing = setInterval(
      () =>
        renew().then(
          count => count === 0 && lost.abort(),
          () => {},
        ),
      (this.#rules.seconds * 1000) / renewalsOfLease,
    )
    return work(lost.signal).finally(() => clearInterval(renewing))
  }

  /** Ends a lease with this change to the row. Returns 0, and changes nothing, if it was lost before. */
  end(database: Database, leased: Leased, change: Sql): Promise<number> {
    return database.inOneStatement(tx =>
      tx.run(sql`
        update ${this.#table} set lease_number = lease_number + 1, worker_id = null, ${change}
        where ${this.isHeld(leased)}`),
    )
  }

  /** Returns the rows of workers that have died. Returns how many there were. */
  returnRowsOf(database: Database, workerIds: readonly string[]): Promise<number> {
    const { whileHeld, returned } = this.#rules
    return database.inOneStatement(tx =>
      tx.run(sql`
        update ${this.#table} set lease_number = lease_number + 1, worker_id = null, ${returned}
        where worker_id = any (${workerIds as string[]}::uuid[]) and ${whileHeld}`),
    )
  }
}

/** How often a lease is renewed before it would end. */
const renewalsOfLease = 4

const endAfter = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`
