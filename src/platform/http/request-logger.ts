// The logger of a request, which adds the id of the request to every line.

import type { FastifyBaseLogger } from 'fastify'

type Line = Parameters<FastifyBaseLogger['info']>

/**
 * Logs the lines of one request with its bindings. The child logger of pino is created with the first line,
 * because most requests log nothing and creating one takes longer than routing the request.
 */
class RequestLogger {
  readonly #log: FastifyBaseLogger
  readonly #bindings: Record<string, unknown>
  #childLogger: FastifyBaseLogger | undefined = undefined

  constructor(log: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#log = log
    this.#bindings = bindings
  }

  get #logger(): FastifyBaseLogger {
    this.#childLogger ??= this.#log.child(this.#bindings)
    return this.#childLogger
  }

  get level(): string {
    return this.#log.level
  }
  isLevelEnabled(level: string): boolean {
    return this.#log.isLevelEnabled(level)
  }
  child(bindings: Record<string, unknown>): FastifyBaseLogger {
    return this.#logger.child(bindings)
  }
  fatal(...line: Line): void {
    this.#logger.fatal(...line)
  }
  error(...line: Line): void {
    this.#logger.error(...line)
  }
  warn(...line: Line): void {
    this.#logger.warn(...line)
  }
  info(...line: Line): void {
    this.#logger.info(...line)
  }
  debug(...line: Line): void {
    this.#logger.debug(...line)
  }
  trace(...line: Line): void {
    this.#logger.trace(...line)
  }
  silent(): void {}
}

/** Returns the logger of a request; all its lines have these bindings. */
export const requestLogger = (log: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger =>
  new RequestLogger(log, bindings)
