// Ensures that only one bridge uses a state folder. Two would each assume that a job missing from its journal
// was never sent.

import { randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = 'running-'
const heartbeatMs = 5_000
const staleAfterMs = 30_000

/** The process that holds a lock. */
interface Holder {
  pid: number
  /**
   * its start time since boot, which distinguishes it from a later process with the same pid; null if unknown
   */
  startedAt: string | null
  /** the boot of the machine and the container in which the pid is valid; null if unknown */
  environment: string | null
}

/**
 * Locks the state folder for this process until the returned function is called. Throws if another bridge
 * holds it. Each process first writes its own lock file and then looks for others, so that of two that start
 * at the same time at least one sees the other.
 */
export async function lockState(folder: string): Promise<() => Promise<void>> {
  const own = `${prefix}${randomUUID()}`
  const path = join(folder, own)
  const self: Holder = {
    pid: process.pid,
    startedAt: await startTimeOf(process.pid),
    environment: await readEnvironment(),
  }
  await writeFile(path, JSON.stringify(self), { mode: 0o600 })
  const release = () => rm(path, { force: true })
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === own) continue
    const pid = await findLiveHolder(join(folder, name), self)
    if (pid === undefined) continue
    await release()
    throw new Error(`Another bridge (process ${pid}) works with ${folder} already.`)
  }
  const timer = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, heartbeatMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await release()
  }
}

/**
 * Returns the pid of the process that holds a lock file. Removes the file and returns undefined if it has
 * ended.
 */
async function findLiveHolder(path: string, self: Holder): Promise<number | undefined> {
  const age =
    Date.now() -
    (await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ))
  const text = await readFile(path, 'utf8').catch(() => '')
  let holder: Holder | undefined
  try {
    holder = JSON.parse(text)
  } catch {
    // The file is just being written, or was cut off by a crash.
    if (age < staleAfterMs) return 0
  }
  const isHeld =
    holder !== undefined &&
    (holder.environment === self.environment ? await isAlive(holder) : age < staleAfterMs)
  if (isHeld) return holder?.pid
  await rm(path, { force: true })
  return undefined
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startedAt === null || (await startTimeOf(pid)) === startedAt
}

/** Returns the start time of a process in clock ticks since boot; null if the system has no /proc. */
async function startTimeOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The 20th word after the name, which is in brackets and may itself contain spaces and brackets.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

async function readEnvironment(): Promise<string | null> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null)
  const container = await readlink('/proc/self/ns/pid').catch(() => null)
  return boot === null || container === null ? null : `${boot.trim()} ${container}`
}
