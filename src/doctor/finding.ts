// A finding of the doctor: one sentence about one thing, and how bad it is.

/** `fault`: the service does not start, or does not work properly. `warning`: it works, but check this. */
export interface Finding {
  about: string
  state: 'ok' | 'warning' | 'fault'
  says: string
}

/** Makes a finding that all is well. */
export const ok = (about: string, says: string): Finding => ({ about, state: 'ok', says })
/** Makes a warning. */
export const warning = (about: string, says: string): Finding => ({ about, state: 'warning', says })
/** Makes a finding that something is wrong. */
export const fault = (about: string, says: string): Finding => ({ about, state: 'fault', says })

/** Returns the finding of `examine`. An error that it throws becomes a fault. */
export async function findingOf(about: string, examine: () => Promise<Finding>): Promise<Finding> {
  try {
    return await examine()
  } catch (error) {
    return fault(about, (error as Error).message)
  }
}
