#!/usr/bin/env node
// The command line of the bridge, as the package brings it.

import { runBridge } from './commands.ts'

process.exitCode = await runBridge(process.argv.slice(2))
