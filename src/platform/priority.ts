// Lowers the priority of work that can wait, so that requests go first. Only Linux has a priority for each
// thread.

import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import process from 'node:process'

const lowPriority = 10

/** Lowers the priority of the calling thread. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(lowPriority)
}

/**
 * Lowers the priority of a process of the built-in database for the rest of its life: only root could raise
 * it again. The autogroup is lowered too, because the kernel may first share the processors among sessions,
 * and each of these processes is a session of its own.
 */
export function lowerProcessPriority(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(pid, lowPriority)
    writeFileSync(`/proc/${pid}/autogroup`, String(lowPriority))
  } catch {
    // The process belongs to another account or has ended, or the kernel has no autogroups.
  }
}
