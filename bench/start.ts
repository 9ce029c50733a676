// The duration of a start and the memory of an idle service: the first start after installation, then starts
// on existing data.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'

const entry = fileURLToPath(new URL('../waybill', import.meta.url))
const starts = 5
const idleMs = 10_000

interface Measurement {
  startMs: number
  idleMiB: number
}

/** Starts the service once; with `idle`, also returns the resident memory after ten idle seconds. */
async function measure(settings: Record<string, string>, idle: boolean): Promise<Measurement> {
  const began = performance.now()
  const child = spawn(entry, ['start'], {
    env: { ...process.env, DATABASE_URL: '', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  for await (const chunk of child.stderr) if (String(chunk).includes('is ready at')) break
  const startMs = performance.now() - began
  let idleMiB = 0
  if (idle) {
    await new Promise(resolve => setTimeout(resolve, idleMs))
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    idleMiB = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }
  child.kill('SIGTERM')
  await once(child, 'close')
  return { startMs, idleMiB }
}

const { dataDir: folder, remove } = await openDataFolder()
try {
  const dataDir = join(folder, 'data')
  const cache = join(folder, 'cache')
  const first = await measure({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: cache }, false)
  const later: Measurement[] = []
  for (let i = 0; i < starts; i++)
    later.push(await measure({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: cache }, i === starts - 1))
  const start = median(later.map(({ startMs }) => startMs)) / 1000
  const firstStart = first.startMs / 1000
  const idle = (later.at(-1) as Measurement).idleMiB
  reportFinding({
    what: 'first start after install',
    figure: `${firstStart.toFixed(2)} s`,
    target: '5 s',
    isMet: firstStart <= 5,
  })
  reportFinding({
    what: 'start on existing data, median',
    figure: `${start.toFixed(2)} s`,
    target: '1.5 s',
    isMet: start <= 1.5,
  })
  reportFinding({
    what: 'idle memory of the service',
    figure: `${Math.round(idle)} MiB`,
    target: '150 MiB',
    isMet: idle <= 150,
  })
} finally {
  await remove()
}
