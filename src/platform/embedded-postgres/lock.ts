// Finds out which server is running, from PostgreSQL's lock files and the processes that they name..

import { execFile } from 'node:child_process'
import { open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type DatabaseHome, nameFor } from './home.ts'

const run = promisify(execFile)

/** Greater than any process id on any system. */
const noProcess = 2_147_483_647

/**
 * Reads the lock file of the data folder: its first line is the process id, its eighth the status (such as
 * `ready`). Undefined if there is no lock file.
 */
export async function readLock(
  home: DatabaseHome,
): Promise<{ pid: number; status: string | undefined } | undefined> {
  const text = await readFile(path.join(home.data, 'postmaster.pid'), 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return
  const lines = text.split('\n')
  return { pid: Number(lines[0]) || noProcess, status: lines[7]?.trim() }
}

/**
 * Makes a stale lock file harmless. PostgreSQL refuses to start while the process named in a lock file is
 * alive, even if another program has that process id by now. The file is changed in place, never removed: a
 * new server creates a new file, which this cannot touch, and the line stays by which a server notices
 * processes left over from the old one.
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
      await handle.write([noProcess, ...rest].join('\n'), 0)
  } finally {
    await handle.close()
  }
}

/**
 * Kills the processes that a killed server left behind. A process in a long statement does not notice that
 * its server is gone, and keeps the data locked.
 */
export async function killOrphans(home: DatabaseHome): Promise<void> {
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name)
    if (!pid || !(await commandLine(pid)).startsWith(`postgres: ${nameFor(home.data)}`)) continue
    const parent = /\) \S (\d+)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))?.[1]
    if (parent && !(await isServer(home, Number(parent)))) signalProcess(pid, 'SIGKILL')
  }
}

/** Whether the process is alive and is the server of this home, not another program with a reused id. */
export async function isServer(home: DatabaseHome, pid: number): Promise<boolean> {
  return isAlive(pid) && (await commandLine(pid)).includes(`postgres -D ${home.data} `)
}

/** Whether a process is running. A zombie is not. */
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

/** Whether there is a process with this id, whatever its account. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Sends a signal to a process, unless it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended in the meantime.
  }
}
