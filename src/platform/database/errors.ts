// What an error of the database says: its SQLSTATE and the constraint that was violated.

import pg from 'pg'

/** The SQLSTATE of a database error, or undefined for any other. */
export const sqlState = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined)

/** The named constraint that a statement violated, or undefined. */
export const violated = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.constraint : undefined)

/**
 * Awaits a statement and turns the violation of a named constraint into what `refusals` says.
 *
 *     await refusing(tx.run(sql`insert …`), { partner_code_key: () => conflict('…') })
 */
export async function refusing<T>(statement: Promise<T>, refusals: Record<string, () => Error>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const refusal = refusals[violated(error) ?? '']
    throw refusal ? refusal() : error
  }
}
