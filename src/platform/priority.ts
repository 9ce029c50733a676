// Priorities: what can wait gives way to requests. Only Linux gives each thread one of its own.

import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import process from 'node:process'

const low = 10

/** Lets the thread that calls it give way to others. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(low)
}

/**
 * Lets a process of the built-in database give way, for good: nobody but the superuser may take that back.
 * A kernel may share the processors among sessions first, and each such process is a session of its own.
 */
export function lowerProcessPriority(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(pid, low)
    writeFileSync(`/proc/${pid}/autogroup`, String(low))
  } catch {
    // It is another account's, has ended already, or the kernel has no such groups.
  }
}
