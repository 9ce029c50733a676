// `./waybill bridge`: the printer bridge, for machines that have Waybill already. Others install its package.

import process from 'node:process'
import type { Command } from 'commander'

/** Adds `bridge`. */
export function addBridge(program: Command): void {
  program
    .command('bridge')
    .description('bring print jobs to the printers of a warehouse (see bridge/README.md)')
    .argument('[arguments...]', 'run, check or discover; --config <file>, --allow-http')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (args: string[]) => {
      const { runBridge } = await import('../../bridge/src/commands.ts')
      process.exitCode = await runBridge(args)
    })
}
