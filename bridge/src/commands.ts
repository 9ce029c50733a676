// The command line of the bridge: runs it, checks its printers or lists print queues.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startBridge } from './bridge.ts'
import { messageOf } from './driver.ts'
import { listQueues } from './lp.ts'
import { createServiceClient } from './service.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'

const help = `Usage: waybill-bridge [command] [options]

Sends print jobs from Waybill to the printers of a warehouse.

Commands:
  run        claim jobs and print them until stopped (default)
  check      check the configuration, the service and every printer, without printing
  discover   list the CUPS queues of this machine as printer entries for the configuration

Options:
  --config <file>  the configuration file (default: ./bridge.json)
  --allow-http     allow an address of the service without TLS
  --json           write every line of output as JSON
  --help           show this help
  --version        show the version

The client secret can be given in the environment variable BRIDGE_CLIENT_SECRET instead of the file.`

/** The version of this package. */
export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** Runs a command line. Returns the exit code when the command has ended. */
export async function runBridge(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        config: { type: 'string', default: './bridge.json' },
        'allow-http': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
    })
    if (values.help) return printText(help)
    if (values.version) return printText(version)
    const [command = 'run'] = positionals
    if (command === 'discover') return await discover()
    if (command !== 'run' && command !== 'check')
      throw new SettingsError(`Unknown command ${command}. See --help for the commands.`)
    const settings = await readSettings(values.config, {
      allowHttp: values['allow-http'],
      clientSecret: process.env.BRIDGE_CLIENT_SECRET,
    })
    return await (command === 'check' ? check : run)(settings, values.json)
  } catch (error) {
    console.error(messageOf(error))
    return 1
  }
}

function printText(text: string): number {
  console.log(text)
  return 0
}

/** Runs the bridge until SIGINT or SIGTERM. */
async function run(settings: Settings, json: boolean): Promise<number> {
  const bridge = await startBridge(settings, {
    version,
    log(line) {
      const atUtc = new Date().toISOString()
      console.log(json ? JSON.stringify({ atUtc, line }) : `${atUtc} ${line}`)
    },
  })
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await bridge.stop()
  return 0
}

/** Checks every printer and the service. Returns 1 if one of them fails. */
async function check(settings: Settings, json: boolean): Promise<number> {
  let faults = 0
  const report = (name: string, fault: string | undefined) => {
    if (fault !== undefined) faults++
    if (json) console.log(JSON.stringify({ name, isOk: fault === undefined, fault: fault ?? null }))
    else console.log(fault === undefined ? `ok    ${name}` : `FAIL  ${name}: ${fault}`)
  }
  const states = new Map(
    await Promise.all(
      settings.printers.map(async ({ name, driver }) => [name, await driver.probe()] as const),
    ),
  )
  for (const { name, uri } of settings.printers) {
    const state = states.get(name)
    report(`${name} (${uri})`, state?.isReachable === false ? state.reason : undefined)
  }
  const service = createServiceClient(settings)
  report(
    `service ${settings.url}`,
    await service.announce(settings.printers, version).then(() => undefined, messageOf),
  )
  return faults === 0 ? 0 : 1
}

/** Lists the CUPS queues as entries for the configuration file. */
async function discover(): Promise<number> {
  const queues = await listQueues()
  console.log(
    JSON.stringify(
      queues.map(name => ({
        name,
        type: 'document',
        language: 'pdf',
        uri: `ipp://localhost/printers/${encodeURIComponent(name)}`,
      })),
      null,
      2,
    ),
  )
  return 0
}
