// One bridge at a time works on a state folder: two would each believe that what they do not find in the
// journal was not sent.

import { randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = 'running-'
const touchEveryMs = 5_000
const silentAfterMs = 30_000

/** Who holds a lock: its process, told from later ones of the same number where the system tells. */
interface Holder {
  pid: number
  /** when it was started, counted from the start of the machine; null where the system does not tell */
  startedAt: string | null
  /** the machine since it was started, and the container, in which the pid means something */
  place: string | null
}

/**
 * Takes the state folder for this process, until the function that it returns is called. Throws where another
 * bridge has it. Each first says that it is there and then looks for others: so of two that start at once at
 * least one sees the other.
 */
export async function lockState(folder: string): Promise<() => Promise<void>> {
  const own = `${prefix}${randomUUID()}`
  const path = join(folder, own)
  const self: Holder = {
    pid: process.pid,
    startedAt: await startOf(process.pid),
    place: await place(),
  }
  await writeFile(path, JSON.stringify(self), { mode: 0o600 })
  const release = () => rm(path, { force: true })
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === own) continue
    const pid = await livingHolder(join(folder, name), self)
    if (pid === undefined) continue
    await release()
    throw new Error(`Another bridge (process ${pid}) works with ${folder} already.`)
  }
  const timer = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, touchEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await release()
  }
}

/** The pid of whoever holds a lock; undefined, and the lock is gone, where it lives no more. */
async function livingHolder(path: string, self: Holder): Promise<number | undefined> {
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
    // Being written at this moment, or cut off by a crash.
    if (age < silentAfterMs) return 0
  }
  const lives =
    holder !== undefined && (holder.place === self.place ? await isAlive(holder) : age < silentAfterMs)
  if (lives) return holder?.pid
  await rm(path, { force: true })
  return undefined
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there and somebody else's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startedAt === null || (await startOf(pid)) === startedAt
}

/** When a process was started, where the system tells. */
async function startOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // Behind the name in brackets, which may have blanks and brackets, the 20th word.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

async function place(): Promise<string | null> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null)
  const container = await readlink('/proc/self/ns/pid').catch(() => null)
  return boot === null || container === null ? null : `${boot.trim()} ${container}`
}
