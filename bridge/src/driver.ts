// What the bridge asks of a printer, however it speaks: whether it can be reached, and to print.

/** What a printer is sent. */
export interface Job {
  printJobId: string
  leaseNumber: number
  /** what people know it by */
  name: string
  contentType: string
  content: Buffer
  copies: number
  /** 1 portrait, 2 landscape; null: as it is */
  orientation: 1 | 2 | null
  /** by the name of IPP, such as iso_a4_210x297mm; null: what is in the printer */
  media: string | null
}

/** Whether something can be printed, and if not, why. */
export type Reachability = { isReachable: true } | { isReachable: false; reason: string }

/**
 * What came of a job. `refused`: not a byte was taken, and it may be tried again; `failed`: it is not
 * printed, or not whole, and trying again would not help; `in doubt`: nobody knows what is on paper.
 */
export type Outcome =
  | { kind: 'printed'; message?: string }
  | { kind: 'refused' | 'failed' | 'in doubt'; message: string }

/** Where a job stands, noted so that it outlives the bridge. Each resolves once that is on disk. */
export interface Steps {
  /**
   * To be called before the first byte that a printer may print: the service knows from here on that the job
   * may be on paper. Throws JobLost where it is not the bridge's any more.
   */
  sending(): Promise<void>
  /** To be called once the printer has all of it; `reference` finds it again there. */
  sent(reference: string): Promise<void>
}

/** A printer. */
export interface Driver {
  /** Looks whether something can be printed. Never throws. */
  look(): Promise<Reachability>
  /** Prints. Throws only what `steps` throws: everything else is an outcome. */
  print(job: Job, steps: Steps): Promise<Outcome>
  /** What came of a job that the printer had been given by a bridge that was ended since. Never throws. */
  recall(reference: string): Promise<Outcome>
}

/** Thrown where a job turns out to be somebody else's now. Nothing of it has been sent. */
export class JobLost extends Error {}

/** An error in words. */
export function inWords(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown }
  // What fetch throws says nothing itself, and errors of several attempts to connect have no message.
  if (cause instanceof Error) return inWords(cause)
  return message || code || String(error)
}

/** Waits; ends sooner when the signal fires. */
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
