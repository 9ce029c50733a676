// Opens the service's log, in a form for people or for programs.

import { createRequire } from 'node:module'
import { isatty } from 'node:tty'
import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino } from 'pino'
import type PinoPretty from 'pino-pretty'
import type { Config } from './config.ts'

/**
 * Opens the log on standard output or another file descriptor, without secrets. Unless LOG_FORMAT decides, it
 * is readable text on a terminal and lines of JSON everywhere else.
 */
export function createLog(
  { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  dest = 1,
  isTerminal = isatty(dest),
): FastifyBaseLogger {
  const isText = logFormat === undefined ? isTerminal : logFormat === 'text'
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers.authorization'],
    },
    isText ? openText(dest, isTerminal) : pino.destination({ dest, sync: true }),
  )
}

/** Loads the library only where its text is wanted. */
function openText(dest: number, isTerminal: boolean): DestinationStream {
  const { prettyFactory }: typeof PinoPretty = createRequire(import.meta.url)('pino-pretty')
  const toText = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    // On a terminal the library decides, which knows NO_COLOR.
    ...(isTerminal ? {} : { colorize: false }),
  })
  const out = pino.destination({ dest, sync: true })
  return { write: line => void out.write(toText(line)) }
}
