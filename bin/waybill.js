#!/usr/bin/env node
// Entry of the command line. Plain JavaScript, so that the cache of compiled modules is on before the first
// TypeScript file is read: a start then neither strips types nor compiles again.

import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

if (!process.features.typescript) {
  console.error(
    `Waybill needs Node.js 24 or newer; this is ${process.version}. Start it with ./waybill, which finds the one that npm installs on Linux and macOS.`,
  )
  process.exit(1)
}

// Node.js strips no types below node_modules, where npm puts what it installs from a package: there a hook does
// it. It has to be an option of the process, because threads take over those.
const self = fileURLToPath(import.meta.url)
const hook = new URL('./strip-types.js', import.meta.url).href
if (/[\\/]node_modules[\\/]/.test(self) && !process.execArgv.includes(hook))
  process.execve(process.execPath, [
    process.execPath,
    ...['--disable-warning=ExperimentalWarning', '--import', hook],
    ...[...process.execArgv, self, ...process.argv.slice(2)],
  ])

// Loading modules makes much garbage at once, for which V8 would double its young space again and again and
// keep it: 20 MiB of an idle service. src/process/memory.ts lets it grow once the service is up.
v8.setFlagsFromString('--semi-space-growth-factor=1')
// Threads find the cache by the environment alone.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
module.enableCompileCache()
await import('../src/main.ts')
