#!/usr/bin/env node
// Entry of the command line. Plain JavaScript, so that the cache of compiled modules is on before the first
// TypeScript file is read: a start then neither strips types nor compiles again.

import module from 'node:module'
import process from 'node:process'

if (!process.features.typescript) {
  console.error(
    `Waybill runs on Node.js 24 or newer; this is ${process.version}. npm brings one along on Linux and macOS: start it by npm or npx.`,
  )
  process.exit(1)
}

module.enableCompileCache()
await import('../src/main.ts')
