// A finding of the doctor: one sentence about one thing, and how bad it is.

/** `fault`: the service does not start, or does not work properly. `warning`: it works, but check this. */
export interface DoctorFinding {
  about: string
  state: 'ok' | 'warning' | 'fault'
  says: string
}

/** Makes a finding that all is well. */
export const okFinding = (about: string, says: string): DoctorFinding => ({ about, state: 'ok', says })
/** Makes a warning. */
export const warningFinding = (about: string, says: string): DoctorFinding => ({
  about,
  state: 'warning',
  says,
})
/** Makes a finding that something is wrong. */
export const faultFinding = (about: string, says: string): DoctorFinding => ({ about, state: 'fault', says })

/** Returns the finding of `examine`. An error that it throws becomes a fault. */
export async function findingOf(
  about: string,
  examine: () => Promise<DoctorFinding>,
): Promise<DoctorFinding> {
  try {
    return await examine()
  } catch (error) {
    return faultFinding(about, (error as Error).message)
  }
}
