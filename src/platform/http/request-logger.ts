// The logger of a request.

import type { FastifyBaseLogger } from 'fastify'

type Line = Parameters<FastifyBaseLogger['info']>

/**
 * Writes the lines of one request, each with its id. pino's logger for it is made when the first line is
 * written, which most requests never do: to make one takes longer than to find their route.
 */
class RequestLogger {
  private readonly log: FastifyBaseLogger
  private readonly bindings: Record<string, unknown>
  private own: FastifyBaseLogger | undefined = undefined

  constructor(log: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.log = log
    this.bindings = bindings
  }

  private get made(): FastifyBaseLogger {
    this.own ??= this.log.child(this.bindings)
    return this.own
  }

  get level(): string {
    return this.log.level
  }
  isLevelEnabled(level: string): boolean {
    return this.log.isLevelEnabled(level)
  }
  child(bindings: Record<string, unknown>): FastifyBaseLogger {
    return this.made.child(bindings)
  }
  fatal(...line: Line): void {
    this.made.fatal(...line)
  }
  error(...line: Line): void {
    this.made.error(...line)
  }
  warn(...line: Line): void {
    this.made.warn(...line)
  }
  info(...line: Line): void {
    this.made.info(...line)
  }
  debug(...line: Line): void {
    this.made.debug(...line)
  }
  trace(...line: Line): void {
    this.made.trace(...line)
  }
  silent(): void {}
}

/** The logger of a request: every line of it has these bindings. */
export const requestLogger = (log: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger =>
  new RequestLogger(log, bindings)
