// Checks the ports that the service will listen on, and explains why one cannot be used.

import { createServer } from 'node:net'
import type { Config } from './config.ts'

type Listening = Pick<Config, 'host' | 'port' | 'metricsPort' | 'roles'>

/**
 * Returns the port to listen on; if PORT is 0, a free one, because tokens contain the address, which must be
 * known before the service listens. Throws an Error with advice if this port or that of metrics cannot be
 * used. A start checks this before it creates anything.
 */
export async function findPorts({ host, port, metricsPort }: Listening): Promise<number> {
  if (metricsPort !== undefined) await tryPort(host, metricsPort, 'METRICS_PORT')
  return tryPort(host, port, 'PORT')
}

/** Listens for a moment and returns the port. */
const tryPort = (host: string, port: number, setting: 'PORT' | 'METRICS_PORT'): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', error => reject(new Error(listenFault(error, host, port, setting))))
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })

/** Says why the service cannot listen on a port. */
function listenFault(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting: 'PORT' | 'METRICS_PORT',
): string {
  switch (code) {
    case 'EADDRINUSE':
      return setting === 'PORT'
        ? `Port ${port} of ${host} is in use. Set PORT to another one; PORT=0 takes any that is free.`
        : `Port ${port} of ${host} is in use. Set METRICS_PORT to another one.`
    case 'EACCES':
      return `This account cannot listen on port ${port} of ${host}. Set ${setting} to one from 1024 up.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine has no address HOST=${host}. 0.0.0.0 is all of them; 127.0.0.1 is private to it.`
    default:
      return `The service cannot listen on port ${port} of ${host}: ${message}.`
  }
}
