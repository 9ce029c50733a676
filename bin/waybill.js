#!/usr/bin/env node
// Entry of the command line. Plain JavaScript, so that the cache of compiled modules is on before the first
// TypeScript file is read: a start then neither strips types nor compiles again.

import module from 'node:module'
import process from 'node:process'
import v8 from 'node:v8'

if (!process.features.typescript) {
  console.error(
    `Waybill needs Node.js 24 or newer; this is ${process.version}. Start it with ./waybill, which finds the one that npm installs on Linux and macOS.`,
  )
  process.exit(1)
}

// Loading modules makes much garbage at once, for which V8 would double its young space again and again and
// keep it: 20 MiB of an idle service. serve.ts lets it grow once the service is up.
v8.setFlagsFromString('--semi-space-growth-factor=1')
module.enableCompileCache()
await import('../src/main.ts')
