// `./waybill start` and `./waybill demo`: serve until they receive a signal to stop.

import type { Command } from 'commander'
import { readConfig } from '../process/config.ts'
import { type JsonOption, printJson } from './print.ts'

const jsonWhenReady = [
  '--json',
  'print one line of JSON when the service is ready; everything else goes to standard error',
] as const

/** Adds `start`. */
export function addStart(program: Command): void {
  program
    .command('start')
    .description('serve the API and do its background work (ROLES chooses one of them)')
    .option(...jsonWhenReady)
    .action(async ({ json }: JsonOption) => {
      const { serve } = await import('../process/serve.ts')
      const { baseUrl, authUrl } = await serve(readConfig(), { json: json ?? false })
      if (json) printJson({ baseUrl, authUrl })
    })
}

/** Adds `demo`. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'serve with a demo organisation: loads it, imports a consignment while you watch, and keeps serving',
    )
    .option(...jsonWhenReady)
    .action(async ({ json }: JsonOption) => {
      const { serveDemo } = await import('../demo/demo.ts')
      const demo = await serveDemo(readConfig(undefined, { quiet: true }), json)
      if (json && demo !== undefined) printJson(demo)
    })
}
