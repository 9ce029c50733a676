// What the bridge must not forget when it is killed or the power goes: which jobs it has begun to send, which
// the printer has whole, and what came of them. A file of lines, each on disk before what it allows is done.

import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Outcome } from './driver.ts'

/** A job as far as it has come. */
export interface Entry {
  printJobId: string
  leaseNumber: number
  printerName: string
  /** since when it is in the journal, in milliseconds since 1970 */
  since: number
  /** claimed: nothing was sent; sending: some may have been; sent: the printer has all of it; ended */
  step: 'claimed' | 'sending' | 'sent' | 'ended'
  /** finds it again at the printer, from `sent` on */
  reference?: string
  outcome?: Outcome
  /** the service knows the outcome */
  isTold?: true
}

/** The journal of a bridge. */
export interface Journal {
  /** What was under way when the journal was opened, or has been written since and not been removed. */
  entries(): Entry[]
  /** Notes how far a job has come. Resolves when it is on disk. */
  write(entry: Entry): Promise<void>
  /** Forgets a job. */
  remove(entry: Pick<Entry, 'printJobId' | 'leaseNumber'>): Promise<void>
  close(): Promise<void>
}

type Key = Pick<Entry, 'printJobId' | 'leaseNumber'>
type Line = Entry | (Key & { step: 'gone' })

const keyOf = ({ printJobId, leaseNumber }: Key): string => `${printJobId} ${leaseNumber}`

// Lines that mean nothing any more are left behind when there are as many.
const maxLines = 5_000

/** Opens a journal, or begins one. Throws where it cannot be written. */
export async function openJournal(path: string): Promise<Journal> {
  const entries = await readEntries(path)
  let handle: FileHandle = await rewritten(path, entries)
  let lines = entries.size
  let isTorn = false
  let queue: Promise<unknown> = Promise.resolve()

  /** One write at a time, each on disk before the next begins. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work)
    queue = done.catch(() => {})
    return done
  }

  async function rewrite(): Promise<void> {
    await handle.close().catch(() => {})
    handle = await rewritten(path, entries)
    lines = entries.size
    isTorn = false
  }

  async function append(fresh: readonly Line[]): Promise<void> {
    // A full disk may have left a part of a line behind.
    if (isTorn) await rewrite()
    isTorn = true
    await handle.appendFile(fresh.map(line => `${JSON.stringify(line)}\n`).join(''))
    await handle.datasync()
    isTorn = false
    for (const line of fresh) {
      if (line.step === 'gone') entries.delete(keyOf(line))
      else entries.set(keyOf(line), line)
    }
    lines += fresh.length
    if (lines > maxLines + entries.size) await rewrite()
  }

  /** Lines that come while others are written go to disk together: a disk takes its time for each. */
  let next: { lines: Line[]; written: Promise<void> } | undefined
  function note(line: Line): Promise<void> {
    if (next === undefined) {
      const fresh: Line[] = []
      const written = inTurn(() => {
        next = undefined
        return append(fresh)
      })
      next = { lines: fresh, written }
    }
    next.lines.push(line)
    return next.written
  }

  return {
    entries: () => [...entries.values()],
    write: entry => note(entry),
    remove: ({ printJobId, leaseNumber }) => note({ printJobId, leaseNumber, step: 'gone' }),
    close: () => inTurn(() => handle.close()),
  }
}

/** What a journal says last of each job. A line that a crash cut off was never acted upon. */
async function readEntries(path: string): Promise<Map<string, Entry>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const entries = new Map<string, Entry>()
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  for (const [i, line] of whole.split('\n').slice(0, -1).entries()) {
    let entry: Line
    try {
      entry = JSON.parse(line)
    } catch {
      throw new Error(`Line ${i + 1} of the journal ${path} is damaged. See "The journal" in the README.`)
    }
    if (entry.step === 'gone') entries.delete(keyOf(entry))
    else entries.set(keyOf(entry), entry)
  }
  return entries
}

/** Writes a journal anew, with nothing in it that means nothing any more, and opens it for more. */
async function rewritten(path: string, entries: Map<string, Entry>): Promise<FileHandle> {
  const fresh = `${path}.new`
  const handle = await open(fresh, 'w', 0o600)
  await handle.writeFile([...entries.values()].map(entry => `${JSON.stringify(entry)}\n`).join(''))
  await handle.sync()
  await handle.close()
  await rename(fresh, path)
  await syncFolder(dirname(path))
  return open(path, 'a', 0o600)
}

/** Makes a renaming in a folder survive a loss of power. Windows has no such thing, and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}
