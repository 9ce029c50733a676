#!/usr/bin/env node
// Entry point of the command line. It is plain JavaScript, so that the cache of compiled modules is on before
// the first TypeScript file is loaded: later starts then need not strip types or compile again.

import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

if (!process.features.typescript) {
  console.error(
    `Waybill needs Node.js 24 or newer; this is ${process.version}. Start it with ./waybill, which finds the one that npm installs on Linux and macOS.`,
  )
  process.exit(1)
}

// Node.js strips no types below node_modules, where npm installs packages; a hook does it there. The hook is
// an option of the process, because worker threads inherit those.
const self = fileURLToPath(import.meta.url)
const hook = new URL('./strip-types.js', import.meta.url).href
if (/[\\/]node_modules[\\/]/.test(self) && !process.execArgv.includes(hook))
  process.execve(process.execPath, [
    process.execPath,
    ...['--disable-warning=ExperimentalWarning', '--import', hook],
    ...[...process.execArgv, self, ...process.argv.slice(2)],
  ])

// Worker threads find the cache only through the environment.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
module.enableCompileCache()
await import('../src/main.ts')
