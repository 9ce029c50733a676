// What the doctor finds: one sentence about one thing, and how bad it is.

/** `fault`: the service does not start, or not rightly. `warning`: it does, and somebody should know. */
export interface Finding {
  about: string
  state: 'ok' | 'warning' | 'fault'
  says: string
}

/** Something is well. */
export const ok = (about: string, says: string): Finding => ({ about, state: 'ok', says })
/** Something should be known. */
export const warning = (about: string, says: string): Finding => ({ about, state: 'warning', says })
/** Something is wrong. */
export const fault = (about: string, says: string): Finding => ({ about, state: 'fault', says })

/** What `look` finds; what it throws is a fault. */
export async function found(about: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return fault(about, (error as Error).message)
  }
}
