// `./waybill bridge`: the printer bridge, for machines that have Waybill already. Others install its package.

import process from 'node:process'
import type { Command } from 'commander'

interface BridgeCommandOptions {
  config: string
  allowHttp?: true
  json?: true
}

/** Adds `bridge`. */
export function addBridge(program: Command): void {
  program
    .command('bridge')
    .description('bring print jobs to the printers of a warehouse (see bridge/README.md)')
    .argument(
      '[what]',
      'run, check (tries every printer and the service) or discover (lists the queues of CUPS)',
      'run',
    )
    .option('--config <file>', 'the file with the printers', './bridge.json')
    .option('--allow-http', 'take an address of the service without TLS')
    .option('--json', 'print a line of JSON for everything that it says')
    .action(async (what: string, { config, allowHttp, json }: BridgeCommandOptions) => {
      const { runBridge } = await import('../../bridge/src/commands.ts')
      const flags = [...(allowHttp ? ['--allow-http'] : []), ...(json ? ['--json'] : [])]
      process.exitCode = await runBridge([what, '--config', config, ...flags])
    })
}
