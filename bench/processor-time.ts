// The processor time of a service and its database. Unlike a rate, it hardly depends on other work on the
// machine.

import { readdir, readFile } from 'node:fs/promises'
import process from 'node:process'
import { type Db, sql } from '../src/platform/database/db.ts'
import { rendererPids } from '../src/platform/renderer/renderer.ts'

/** Milliseconds of processor time since the processes started. */
export interface ProcessorTime {
  service: number
  database: number
}

// The kernel counts in hundredths of a second.
const msOfTick = 10

/**
 * The parent of a process, its own processor time and that of its ended children; undefined if it has ended.
 */
async function timesOf(pid: number | string) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of a process is in brackets and may contain spaces.
  const fields = stat
    ?.slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  if (fields === undefined) return undefined
  const [parent = 0, own = 0, ended = 0] = [fields[1], sum(fields, 11), sum(fields, 13)]
  return { parent, own: own * msOfTick, ended: ended * msOfTick }
}

/** The processor time that a process has used so far, in milliseconds. Linux only. */
export const usedBy = async (pid: number): Promise<number> => (await timesOf(pid))?.own ?? 0

/** The processor time that this process and its renderer have used so far, in milliseconds. Linux only. */
export const usedWithRenderer = async (): Promise<number> =>
  (await Promise.all([process.pid, ...rendererPids()].map(usedBy))).reduce((all, ms) => all + ms, 0)

const sum = (fields: number[], from: number) => (fields[from] ?? 0) + (fields[from + 1] ?? 0)

/** Returns a function that reads the processor time of a service and its database. Linux only. */
export async function openProcessorTime(db: Db): Promise<(servicePid: number) => Promise<ProcessorTime>> {
  const { pid: backend } = await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const server = (await timesOf(backend))?.parent
  return async servicePid => {
    const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
    let database = 0
    for (const pid of pids) {
      const times = await timesOf(pid)
      if (Number(pid) === server) database += (times?.own ?? 0) + (times?.ended ?? 0)
      else if (times?.parent === server) database += times?.own ?? 0
    }
    return { service: (await timesOf(servicePid))?.own ?? 0, database }
  }
}
