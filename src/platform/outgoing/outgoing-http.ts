// The only place that talks to the outside: guarded against internal addresses, bounded in time and size,
// pooled. Spec 6.5.

import dns from 'node:dns'
import { isIP } from 'node:net'
import type { Agent } from 'undici'
import { exchange, type OutgoingRequest, type OutgoingResponse } from './exchange.ts'
import type { Resolve } from './guarded-agent.ts'
import { defaultPorts, type Ports } from './ports.ts'
import { hostOf, isPublicAddress, notPublic, readAddress } from './public-address.ts'

export type { OutgoingRequest, OutgoingResponse } from './exchange.ts'
export type { Resolve } from './guarded-agent.ts'

export interface OutgoingHttp {
  /** Sends one request. Never rejects: whatever goes wrong is an answer with `ok: false`. */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  /** Ends all connections at once; requests under way fail. */
  close(): Promise<void>
}

export interface OutgoingHttpOptions {
  /** Permits plain HTTP, private addresses and every port: for development and tests. */
  allowPrivate: boolean
  /** Ports that may be called otherwise; default `defaultPorts`. */
  ports?: Ports | undefined
  /** Name resolution; default DNS, or with `allowPrivate` the system's (which also knows /etc/hosts). */
  resolve?: Resolve | undefined
}

const RESOLVE_AT_CREATION_MS = 2_000

const rulesOf = ({ allowPrivate, ports = defaultPorts }: OutgoingHttpOptions) => ({ allowPrivate, ports })
const resolverOf = ({ allowPrivate, resolve }: OutgoingHttpOptions) =>
  resolve ?? (allowPrivate ? systemResolve : dnsResolver())

/** Opens the outgoing client. System proxies are never used: nothing here reads the environment. */
export function openOutgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const rules = rulesOf(options)
  let agent: Promise<Agent> | undefined
  // The HTTP client takes some MiB, which a service that calls nobody is spared.
  const openAgent = async () => {
    const { openGuardedAgent } = await import('./guarded-agent.ts')
    return openGuardedAgent(resolverOf(options), rules.allowPrivate ? () => true : isPublicAddress)
  }
  return {
    async send(request) {
      const url = readAddress(request.url, rules, 'The address')
      if (typeof url === 'string')
        return { ok: false, kind: 'refused', error: url, status: null, durationMs: 0 }
      agent ??= openAgent()
      return exchange(await agent, url, request)
    },
    close: async () => (await agent)?.destroy(),
  }
}

/**
 * The check of an address at creation: why it may not be called, as a full sentence about `field`, or null. A
 * name that does not resolve just now, or not soon, is not refused: name servers fail for a while, and every
 * connection is checked again anyway.
 */
export function openAddressCheck(
  options: OutgoingHttpOptions,
): (address: string, field: string) => Promise<string | null> {
  const rules = rulesOf(options)
  const resolve = resolverOf(options)
  return async (text, field) => {
    const url = readAddress(text, rules, field)
    if (typeof url === 'string') return url
    const host = hostOf(url)
    if (rules.allowPrivate || isIP(host)) return null
    const addresses = await withinTime(resolve(host), RESOLVE_AT_CREATION_MS).catch(() => [])
    return addresses.every(({ address }) => isPublicAddress(address)) ? null : notPublic(field)
  }
}

/**
 * Resolution over DNS itself. The system's resolver works in a few threads that the whole process shares, and
 * one name whose name server never answers would keep every other receiver waiting; DNS queries do not wait
 * for each other. `servers` replaces the system's name servers.
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

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('It takes too long.')), milliseconds)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
