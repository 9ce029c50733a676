#!/usr/bin/env node
// Entry of the command line. Plain JavaScript, so that the cache of compiled modules is on before the first
// TypeScript file is read: a start then neither strips types nor compiles again.

import module from 'node:module'
import process from 'node:process'

if (!process.features.typescript) {
  console.error(
    `Waybill needs Node.js 24 or newer; this is ${process.version}. Start it with ./waybill, which finds the one that npm installs on Linux and macOS.`,
  )
  process.exit(1)
}

module.enableCompileCache()
await import('../src/main.ts')
