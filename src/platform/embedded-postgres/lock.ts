// Finds out which server runs: PostgreSQL's lock files, and the processes that they name. Design 2.

import { execFile } from 'node:child_process'
import { open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type DatabaseHome, nameFor } from './home.ts'

const run = promisify(execFile)

/** Greater than any process id of any system. */
const NO_PROCESS = 2_147_483_647

/**
 * Reads the lock file of the data: the process id is in its first line, the state (such as `ready`) in its
 * eighth. Undefined if there is none.
 */
export async function readLock(
  home: DatabaseHome,
): Promise<{ pid: number; status: string | undefined } | undefined> {
  const text = await readFile(path.join(home.data, 'postmaster.pid'), 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return
  const lines = text.split('\n')
  return { pid: Number(lines[0]) || NO_PROCESS, status: lines[7]?.trim() }
}

/**
 * Makes a stale lock file harmless. PostgreSQL refuses to start while the process named in a lock file lives,
 * even if the number has been given to another program by now. The file is changed in place, never removed: a
 * new server makes a new file, which this cannot touch, and the line by which a server notices processes left
 * over from the old one is kept.
 */
export async function disarmLock(home: DatabaseHome, file: string): Promise<void> {
  const handle = await open(file, 'r+').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!handle) return
  try {
    const [first = '', ...rest] = (await handle.readFile('utf8')).split('\n')
    const pid = Number(first)
    const isLongEmpty = first === '' && Date.now() - (await handle.stat()).mtimeMs > 2000
    if (isLongEmpty || (pid > 0 && isAlive(pid) && !(await isServer(home, pid))))
      await handle.write([NO_PROCESS, ...rest].join('\n'), 0)
  } finally {
    await handle.close()
  }
}

/**
 * Kills the processes that a killed server left behind. One that runs a long statement does not notice that
 * its server is gone, and keeps the data locked.
 */
export async function killLeftOvers(home: DatabaseHome): Promise<void> {
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name)
    if (!pid || !(await commandLine(pid)).startsWith(`postgres: ${nameFor(home.data)}`)) continue
    const parent = /\) \S (\d+)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))?.[1]
    if (parent && !(await isServer(home, Number(parent)))) signalProcess(pid, 'SIGKILL')
  }
}

/** Whether the process lives and is the server of this home, not a later program with the same number. */
export async function isServer(home: DatabaseHome, pid: number): Promise<boolean> {
  return isAlive(pid) && (await commandLine(pid)).includes(`postgres -D ${home.data} `)
}

/** Whether a process runs. One that has ended and was not collected by its parent does not. */
export async function isRunning(pid: number): Promise<boolean> {
  return isAlive(pid) && !/^$|<defunct>/.test(await commandLine(pid))
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

/** Whether there is a process with this id, ours or not. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Sends a signal to a process that may have ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended in the meantime.
  }
}
