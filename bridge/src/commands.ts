// What the bridge can be told on the command line: to run, to check its printers, to look for queues.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startBridge } from './bridge.ts'
import { inWords } from './driver.ts'
import { listQueues } from './lp.ts'
import { openService } from './service.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'

const help = `Usage: waybill-bridge [command] [options]

Brings what Waybill prints to the printers of a warehouse.

Commands:
  run        fetch jobs and print them, until it is stopped (without a command, this is meant)
  check      try the file, the service and every printer; prints nothing on paper
  discover   list the queues that CUPS has on this machine, as entries for the file

Options:
  --config <file>  the file with the printers (default: ./bridge.json)
  --allow-http     take an address of the service without TLS
  --json           print a line of JSON for everything that it says
  --help           show this
  --version        show the version

The secret may stand in the environment as BRIDGE_CLIENT_SECRET, and need not be in the file.`

/** The version of the package. */
export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** Runs a command with its arguments. Resolves with the exit code when it is done. */
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
    if (values.help) return said(help)
    if (values.version) return said(version)
    const [command = 'run'] = positionals
    if (command === 'discover') return await discover()
    if (command !== 'run' && command !== 'check')
      throw new SettingsError(`There is no command ${command}. --help shows those that there are.`)
    const settings = await readSettings(values.config, {
      allowHttp: values['allow-http'],
      clientSecret: process.env.BRIDGE_CLIENT_SECRET,
    })
    return await (command === 'check' ? check : run)(settings, values.json)
  } catch (error) {
    console.error(inWords(error))
    return 1
  }
}

function said(text: string): number {
  console.log(text)
  return 0
}

/** Works until it is told to stop. */
async function run(settings: Settings, json: boolean): Promise<number> {
  const bridge = await startBridge(settings, {
    version,
    say(line) {
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

/** Tries everything once, and says what works. */
async function check(settings: Settings, json: boolean): Promise<number> {
  let faults = 0
  const report = (name: string, fault: string | undefined) => {
    if (fault !== undefined) faults++
    if (json) console.log(JSON.stringify({ name, isOk: fault === undefined, fault: fault ?? null }))
    else console.log(fault === undefined ? `ok    ${name}` : `FAIL  ${name}: ${fault}`)
  }
  const states = new Map(
    await Promise.all(
      settings.printers.map(async ({ name, driver }) => [name, await driver.look()] as const),
    ),
  )
  for (const { name, uri } of settings.printers) {
    const state = states.get(name)
    report(`${name} (${uri})`, state?.isReachable === false ? state.reason : undefined)
  }
  const service = openService(settings)
  report(
    `service ${settings.url}`,
    await service.announce(settings.printers, version).then(() => undefined, inWords),
  )
  return faults === 0 ? 0 : 1
}

/** Lists queues as they would stand in the file. */
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
