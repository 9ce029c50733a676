#!/usr/bin/env node
// The entry point of the package.

import { runBridge } from './commands.ts'

process.exitCode = await runBridge(process.argv.slice(2))
