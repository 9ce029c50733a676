// What was sent to printers, what it said, and what became of it.

import type { Consignment } from './orders.ts'

export const PrintStatus = { Pending: 1, InProgress: 2, Success: 3, Failed: 4, Cancelled: 5 } as const
export const Phase = { Waiting: 1, Claimed: 2, Sending: 3, Sent: 4 } as const

export interface PrintJob {
  id: string
  /** of the deed that made it */
  tag: string
  printer: string
  /** what it is called contains this */
  subject: string
  kind: number
  copies: number
  /** what the paper said when it was printed: a label as its commands, a document as its lines */
  content: string
  isLabel: boolean
  consignment: Consignment | null
  /** whether it is about the client */
  isClients: boolean
  status: number
  phase: number
  /** tells what the bridge may still report of it */
  lease: number
  message: string | null
  isInDoubt: boolean
  attempts: { printerName: string; result: number; phase: number; message: string | null }[]
  /** who printed it again or cancelled it, as called then */
  retries: string[]
  cancellations: string[]
}

export class Prints {
  /** in the order in which they were asked for */
  readonly all: PrintJob[] = []
  /** whether there are printers */
  isSetUp = false

  /** What printers that do nothing would be given. */
  next(): PrintJob[] {
    const byPrinter = [...Map.groupBy(this.all, ({ printer }) => printer).values()]
    return byPrinter.flatMap(own =>
      own.some(({ status }) => status === PrintStatus.InProgress)
        ? []
        : own.filter(({ status }) => status === PrintStatus.Pending).slice(0, 1),
    )
  }

  get printing(): PrintJob[] {
    return this.all.filter(({ status }) => status === PrintStatus.InProgress)
  }
}
