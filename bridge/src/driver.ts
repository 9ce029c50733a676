// The interface of the printer drivers, whatever protocol they use.

/** A job to print. */
export interface Job {
  printJobId: string
  leaseNumber: number
  /** shown to people */
  name: string
  contentType: string
  content: Buffer
  copies: number
  /** 1 portrait, 2 landscape; null for the orientation of the document */
  orientation: 1 | 2 | null
  /** an IPP name such as iso_a4_210x297mm; null for whatever is loaded */
  media: string | null
}

/** Whether a printer can print, and if not, why. */
export type Reachability = { isReachable: true } | { isReachable: false; reason: string }

/**
 * The outcome of a job. `refused`: the printer accepted nothing, and the job can be retried. `failed`: it was
 * not printed completely, and a retry would not help. `in doubt`: it is unknown what was printed.
 */
export type DeliveryOutcome =
  | { kind: 'printed'; message?: string }
  | { kind: 'refused' | 'failed' | 'in doubt'; message: string }

/** Records the progress of a job so that it survives a crash of the bridge. */
export interface DeliverySteps {
  /**
   * Must be awaited before the first byte that might be printed. Afterwards, the service and the journal have
   * recorded that the job may be on paper. Throws LeaseLostError if the bridge no longer holds the job.
   */
  beginSending(): Promise<void>
  /** Must be awaited once the printer has the whole job. `reference` identifies the job at the printer. */
  finishSending(reference: string): Promise<void>
}

/** A printer. */
export interface Driver {
  /** Checks whether the printer can print. Never throws. */
  probe(): Promise<Reachability>
  /** Prints a job. Throws only what `steps` throws; everything else is an outcome. */
  print(job: Job, steps: DeliverySteps): Promise<DeliveryOutcome>
  /** Finds the outcome of a job that was sent before the bridge was restarted. Never throws. */
  findOutcome(reference: string): Promise<DeliveryOutcome>
}

/** Thrown if the bridge no longer holds a job. Nothing of it has been sent. */
export class LeaseLostError extends Error {}

/** Returns the most specific message of an error. */
export function messageOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown }
  // The errors of fetch have their reason in `cause`, and those of several connection attempts have no
  // message.
  if (cause instanceof Error) return messageOf(cause)
  return message || code || String(error)
}

/** Waits for a time in milliseconds, or until the signal fires. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
