// `./waybill bridge`: runs the printer bridge on machines that have Waybill; others install its own package.

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
    .description('send print jobs to the printers of a warehouse (see bridge/README.md)')
    .argument(
      '[action]',
      'run, check (tries every printer and the service) or discover (lists the queues of CUPS)',
      'run',
    )
    .option('--config <file>', 'the file with the printers', './bridge.json')
    .option('--allow-http', 'allow an address of the service without TLS')
    .option('--json', 'print every message as a line of JSON')
    .action(async (action: string, { config, allowHttp, json }: BridgeCommandOptions) => {
      const { runBridge } = await import('../../bridge/src/commands.ts')
      const flags = [...(allowHttp ? ['--allow-http'] : []), ...(json ? ['--json'] : [])]
      process.exitCode = await runBridge([action, '--config', config, ...flags])
    })
}
