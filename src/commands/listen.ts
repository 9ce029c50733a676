// `./waybill listen`: delivers events to an address of a developer, as webhooks would be.

import process from 'node:process'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ListenLine } from '../listen/listen.ts'
import { type JsonOption, jsonOption } from './print.ts'

interface ListenOptions extends JsonOption {
  url: string
  service: string
  clientId: string
  clientSecret: string
  types?: string
  after?: number
  signingKey?: string
}

/** Adds `listen`. */
export function addListen(program: Command): void {
  program
    .command('listen')
    .description(
      'for developers: follow the events of an organisation and deliver each to an address of your own, ' +
        'signed like a webhook, for instance to http://localhost:3000/hook, which the service cannot reach ' +
        'or would refuse; needs no subscription and stores nothing',
    )
    .requiredOption('--url <url>', 'where to deliver', parseUrl)
    .option('--service <url>', 'the address of Waybill', parseUrl, 'http://localhost:8080')
    .addOption(
      new Option('--client-id <id>', 'client id of an app with client credentials')
        .env('WAYBILL_CLIENT_ID')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--client-secret <secret>', 'its secret, which also signs the deliveries')
        .env('WAYBILL_CLIENT_SECRET')
        .makeOptionMandatory(),
    )
    .option('--types <numbers>', 'only these event types, such as 101,112')
    .addOption(
      new Option(
        '--after <number>',
        'begin after this event (0: the oldest) instead of with new ones',
      ).argParser(parseSequence),
    )
    .option('--signing-key <key>', 'also sign with this key, as a subscription with signingKey1 does')
    .option(...jsonOption)
    .action(async ({ json, ...options }: ListenOptions) => {
      const { listen } = await import('../listen/listen.ts')
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
      await listen({ ...options, signal: stop.signal, log: json ? printAsJson : printAsText })
    })
}

const printAsJson = (line: ListenLine) => console.log(JSON.stringify(line))

function printAsText(line: ListenLine): void {
  if ('notice' in line) console.error(line.notice)
  else {
    const { sequence, type, status, durationMs, error } = line
    console.log(
      [sequence, type, status ?? 'not delivered', `${durationMs} ms`, error ?? []].flat().join('  '),
    )
  }
}

/** Parses an http address and removes slashes at its end. Throws for anything else. */
function parseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('It must be an address that begins with http:// or https://.')
  return text.replace(/\/+$/, '')
}

function parseSequence(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be the number of an event.')
  return Number(text)
}
