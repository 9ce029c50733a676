// The journal records which jobs the bridge has begun to send, has completely sent, and what their outcomes
// are, so that this survives a crash or a loss of power. It is a file of JSON lines. Each line is on disk
// before the step that it records is taken.

import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DeliveryOutcome } from './driver.ts'

/** The progress of a job. */
export interface Entry {
  printJobId: string
  leaseNumber: number
  printerName: string
  /** when the entry was created, in milliseconds since 1970 */
  since: number
  /**
   * claimed: nothing was sent; sending: part of it may have been sent; sent: the printer has all of it; ended
   */
  step: 'claimed' | 'sending' | 'sent' | 'ended'
  /** identifies the job at the printer, from `sent` on */
  reference?: string
  outcome?: DeliveryOutcome
  /** the outcome was reported to the service */
  isReported?: true
}

/** The journal of a bridge. */
export interface Journal {
  /** Returns all entries that have not been removed. */
  entries(): Entry[]
  /** Writes the progress of a job. Resolves when it is on disk. */
  write(entry: Entry): Promise<void>
  /** Removes the entry of a job. */
  remove(entry: JobKey): Promise<void>
  close(): Promise<void>
}

type JobKey = Pick<Entry, 'printJobId' | 'leaseNumber'>
type Line = Entry | (JobKey & { step: 'gone' })

const keyOf = ({ printJobId, leaseNumber }: JobKey): string => `${printJobId} ${leaseNumber}`

// The file is compacted when it has this many obsolete lines.
const maxObsoleteLines = 5_000

/** Opens a journal, or creates one. Throws if it is damaged or cannot be written. */
export async function openJournal(path: string): Promise<Journal> {
  const entries = await readEntries(path)
  const file = await openJournalFile(path, entries)
  let lastWork: Promise<unknown> = Promise.resolve()

  /** Runs one piece of work at a time, in order. */
  function runInOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = lastWork.then(work)
    lastWork = done.catch(() => {})
    return done
  }

  /**
   * Lines that arrive during a write are written together afterwards, because every sync of a disk takes
   * time.
   */
  let nextBatch: { lines: Line[]; written: Promise<void> } | undefined
  function enqueue(line: Line): Promise<void> {
    if (nextBatch === undefined) {
      const lines: Line[] = []
      const written = runInOrder(() => {
        nextBatch = undefined
        return file.append(lines)
      })
      nextBatch = { lines, written }
    }
    nextBatch.lines.push(line)
    return nextBatch.written
  }

  return {
    entries: () => [...entries.values()],
    write: entry => enqueue(entry),
    remove: ({ printJobId, leaseNumber }) => enqueue({ printJobId, leaseNumber, step: 'gone' }),
    close: () => runInOrder(() => file.close()),
  }
}

/** The file of a journal. Its functions are called one after the other. */
interface JournalFile {
  /** Appends lines, and applies them to the entries. Resolves when they are on disk. */
  append(lines: readonly Line[]): Promise<void>
  close(): Promise<void>
}

async function openJournalFile(path: string, entries: Map<string, Entry>): Promise<JournalFile> {
  let handle: FileHandle = await rewriteFile(path, entries)
  let lineCount = entries.size
  let mayEndInPartOfLine = false

  async function compact(): Promise<void> {
    await handle.close().catch(() => {})
    handle = await rewriteFile(path, entries)
    lineCount = entries.size
    mayEndInPartOfLine = false
  }

  return {
    async append(lines) {
      // A failed write, on a full disk for example, may have left part of a line behind.
      if (mayEndInPartOfLine) await compact()
      mayEndInPartOfLine = true
      await handle.appendFile(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
      await handle.datasync()
      mayEndInPartOfLine = false
      for (const line of lines) applyLine(entries, line)
      lineCount += lines.length
      if (lineCount > maxObsoleteLines + entries.size) await compact()
    },
    close: () => handle.close(),
  }
}

function applyLine(entries: Map<string, Entry>, line: Line): void {
  if (line.step === 'gone') entries.delete(keyOf(line))
  else entries.set(keyOf(line), line)
}

/**
 * Reads the latest entry of each job. An incomplete last line is ignored, because its step was never taken.
 */
async function readEntries(path: string): Promise<Map<string, Entry>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const entries = new Map<string, Entry>()
  const completeLines = text.slice(0, text.lastIndexOf('\n') + 1)
  for (const [i, line] of completeLines.split('\n').slice(0, -1).entries()) {
    let entry: Line
    try {
      entry = JSON.parse(line)
    } catch {
      throw new Error(`Line ${i + 1} of the journal ${path} is damaged. See "The journal" in the README.`)
    }
    applyLine(entries, entry)
  }
  return entries
}

/** Replaces the file by one with only the current entries, and opens it for appending. */
async function rewriteFile(path: string, entries: Map<string, Entry>): Promise<FileHandle> {
  const newPath = `${path}.new`
  const handle = await open(newPath, 'w', 0o600)
  await handle.writeFile([...entries.values()].map(entry => `${JSON.stringify(entry)}\n`).join(''))
  await handle.sync()
  await handle.close()
  await rename(newPath, path)
  await syncFolder(dirname(path))
  return open(path, 'a', 0o600)
}

/** Makes a rename in a folder survive a loss of power. Windows cannot sync a folder, and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}
