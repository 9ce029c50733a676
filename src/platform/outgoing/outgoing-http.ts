// The HTTP client for all outgoing requests. It refuses internal addresses, limits time and size, and pools
// connections. Spec 6.5.

import dns from 'node:dns'
import { isIP } from 'node:net'
import type { Agent } from 'undici'
import { exchange, type OutgoingRequest, type OutgoingResponse } from './exchange.ts'
import type { Resolve } from './guarded-agent.ts'
import { defaultPorts, type Ports } from './ports.ts'
import { isPublicAddress, notPublicMessage, parseAddress, parseHost } from './public-address.ts'

export type { OutgoingRequest, OutgoingResponse } from './exchange.ts'
export type { Resolve } from './guarded-agent.ts'

export interface OutgoingHttp {
  /** which addresses it calls */
  readonly rules: { readonly allowPrivate: boolean; readonly ports: Ports }
  /** Sends one request. Never rejects: every failure is a response with `ok: false`. */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  /** Closes all connections at once. Running requests fail. */
  close(): Promise<void>
}

export interface OutgoingHttpOptions {
  /** permits plain HTTP, private addresses and every port, for development and tests */
  allowPrivate: boolean
  /** the permitted ports without `allowPrivate`; default `defaultPorts` */
  ports?: Ports | undefined
  /** name resolution; default DNS, or with `allowPrivate` the system's, which also reads /etc/hosts */
  resolve?: Resolve | undefined
}

const maxResolveMsAtCreation = 2_000

const rulesOf = ({ allowPrivate, ports = defaultPorts }: OutgoingHttpOptions) => ({ allowPrivate, ports })
const resolverOf = ({ allowPrivate, resolve }: OutgoingHttpOptions) =>
  resolve ?? (allowPrivate ? systemResolve : dnsResolver())

/** Opens the client. It never uses a system proxy, because nothing here reads the environment. */
export function openOutgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const rules = rulesOf(options)
  let agent: Promise<Agent> | undefined
  // undici takes several MiB, so it is loaded with the first request.
  const openAgent = async () => {
    const { createGuardedAgent: openGuardedAgent } = await import('./guarded-agent.ts')
    return openGuardedAgent(resolverOf(options), rules.allowPrivate ? () => true : isPublicAddress)
  }
  return {
    rules,
    async send(request) {
      const url = parseAddress(request.url, rules, 'The address')
      if (typeof url === 'string')
        return { ok: false, kind: 'refused', error: url, status: null, durationMs: 0 }
      agent ??= openAgent()
      return exchange(await agent, url, request)
    },
    close: async () => (await agent)?.destroy(),
  }
}

/**
 * Opens the check of an address when a record with it is created. It returns why the address may not be
 * called, as a full sentence about `field`, or null. A name that cannot be resolved in time is not refused,
 * because name servers fail temporarily and every connection is checked again anyway.
 */
export function createAddressCheck(
  options: OutgoingHttpOptions,
): (address: string, field: string) => Promise<string | null> {
  const rules = rulesOf(options)
  const resolve = resolverOf(options)
  return async (text, field) => {
    const url = parseAddress(text, rules, field)
    if (typeof url === 'string') return url
    const host = parseHost(url)
    if (rules.allowPrivate || isIP(host)) return null
    const addresses = await withTimeout(resolve(host), maxResolveMsAtCreation).catch(() => [])
    return addresses.every(({ address }) => isPublicAddress(address)) ? null : notPublicMessage(field)
  }
}

/**
 * Creates a resolver that sends DNS queries itself. The system's resolver runs in a few threads that the
 * whole process shares, so one name server that never responds would delay every other receiver. DNS queries
 * do not wait for each other. `servers` replaces the system's name servers.
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  const resolver = new dns.promises.Resolver({ timeout: 3_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async host => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map(address => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map(address => ({ address, family: 6 })) : []),
    ]
    if (addresses.length === 0)
      throw v4.status === 'rejected' ? v4.reason : new Error(`${host} has no address.`)
    return addresses
  }
}

const systemResolve: Resolve = host => dns.promises.lookup(host, { all: true, order: 'verbatim' })

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('It takes too long.')), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
