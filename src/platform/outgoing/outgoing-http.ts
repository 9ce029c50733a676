// The only place that talks to the outside: guarded against internal addresses, bounded in time and size,
// pooled. Spec 6.5.

import dns, { type LookupAddress } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { describeFailure, type FailureKind, RefusedAddress } from './outgoing-failure.ts'
import { hostOf, isPublicAddress, notPublic, readAddress } from './public-address.ts'

/**
 * One request to the outside. `timeoutMs` covers resolving, connecting, sending, headers and body together.
 */
export interface OutgoingRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  /** Not more than this much of an answer's body is read; then the connection is destroyed. */
  maxAnswerBytes: number
  /**
   * What an answer above `maxAnswerBytes` means: `cut` gives its beginning with `truncated`, `fail` is a
   * failure.
   */
  onTooLarge: 'cut' | 'fail'
}

/**
 * What became of a request. `ok` says that a whole answer arrived, whatever its status: redirects are not
 * followed and come back as 3xx. `error` is a full sentence for the tenant without addresses; `status` of a
 * failure is that of an answer that broke off later.
 */
export type OutgoingAnswer =
  | {
      ok: true
      status: number
      headers: IncomingHttpHeaders
      body: Buffer
      truncated: boolean
      durationMs: number
    }
  | { ok: false; kind: FailureKind; error: string; status: number | null; durationMs: number }

/** Gives all addresses of a host name, at least one; rejects when there is none. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

export interface OutgoingHttp {
  /** Sends one request. Never rejects: whatever goes wrong is an answer with `ok: false`. */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>
  /** Ends all connections at once; requests under way fail. */
  close(): Promise<void>
}

export interface OutgoingHttpOptions {
  /** Permits plain HTTP, private addresses and every port: for development and tests. */
  allowPrivate: boolean
  /** Ports that may be called otherwise; default 443. */
  ports?: readonly number[]
  /** Name resolution; default DNS, or with `allowPrivate` the system's (which also knows /etc/hosts). */
  resolve?: Resolve | undefined
}

// Many receivers close idle connections after two seconds and more, without saying so; a request on a
// connection that closes is lost.
const IDLE_SOCKET_MS = 1_500
const IDLE_SOCKET_MAX_MS = 30_000
const CONNECT_MS = 30_000
const RESOLVE_AT_CREATION_MS = 2_000
const ABANDONED = new Error('The exchange was given up.')

const rulesOf = ({ allowPrivate, ports = [443] }: OutgoingHttpOptions) => ({ allowPrivate, ports })
const resolverOf = ({ allowPrivate, resolve }: OutgoingHttpOptions) =>
  resolve ?? (allowPrivate ? systemResolve : dnsResolver())

/** Opens the outgoing client. System proxies are never used: nothing here reads the environment. */
export function openOutgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const rules = rulesOf(options)
  const agent = new Agent({
    connect: guardedConnector(resolverOf(options), rules.allowPrivate ? () => true : isPublicAddress),
    // As many sockets to an origin as there are requests, and the callers bound those: receivers of many
    // tenants may stand behind one origin, and a request that waits for a socket would spend its time, and
    // fail, because of what others there keep waiting.
    connections: null,
    keepAliveTimeout: IDLE_SOCKET_MS,
    keepAliveMaxTimeout: IDLE_SOCKET_MAX_MS,
    // Both restart with every byte, so that a dripping receiver would outlast them; `exchange` has the one
    // deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async send(request) {
      const url = readAddress(request.url, rules, 'The address')
      if (typeof url === 'string')
        return { ok: false, kind: 'refused', error: url, status: null, durationMs: 0 }
      return exchange(agent, url, request)
    },
    close: () => agent.destroy(),
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
 * A connector that dials only addresses that `mayCall` allows: it judges the host when it is an address
 * itself, every address that a name resolves to (one bad address refuses the name), and at last the peer that
 * answered. Connections in the pool have passed here and keep their peer.
 */
export function guardedConnector(
  resolve: Resolve,
  mayCall: (address: string | undefined) => boolean,
): buildConnector.connector {
  const lookup: LookupFunction = (host, _options, callback) => {
    resolve(host).then(
      addresses => {
        if (addresses.every(({ address }) => mayCall(address))) callback(null, addresses)
        else callback(new RefusedAddress(), [])
      },
      error => callback(error, []),
    )
  }
  const dial = buildConnector({
    lookup,
    autoSelectFamily: true,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    timeout: CONNECT_MS,
  })
  return (target, callback) => {
    if (isIP(target.hostname) && !mayCall(target.hostname))
      return process.nextTick(callback, new RefusedAddress(), null)
    dial(target, (error, socket) => {
      if (error) return callback(error, null)
      if (mayCall(socket.remoteAddress)) return callback(null, socket)
      socket.destroy()
      callback(new RefusedAddress(), null)
    })
  }
}

/** One request and its answer under one deadline. */
function exchange(agent: Agent, url: URL, request: OutgoingRequest): Promise<OutgoingAnswer> {
  const startedAt = performance.now()
  return new Promise(settled => {
    let controller: Dispatcher.DispatchController | undefined
    let status: number | null = null
    let headers: IncomingHttpHeaders = {}
    let chunks: Buffer[] = []
    let size = 0
    let isSettled = false

    const settle = (answer: (durationMs: number) => OutgoingAnswer) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(deadline)
      settled(answer(Math.round(performance.now() - startedAt)))
      chunks = []
    }
    const succeed = (truncated: boolean) => {
      const answer = {
        ok: true,
        status: status ?? 0,
        headers,
        body: Buffer.concat(chunks, Math.min(size, request.maxAnswerBytes)),
        truncated,
      } as const
      settle(durationMs => ({ ...answer, durationMs }))
    }
    const fail = (kind: FailureKind, error: string) =>
      settle(durationMs => ({ ok: false, kind, error, status, durationMs }))
    const deadline = setTimeout(() => {
      fail('timeout', `No complete answer came within ${request.timeoutMs / 1000} seconds.`)
      controller?.abort(ABANDONED)
    }, request.timeoutMs)

    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
      },
      {
        onRequestStart(started) {
          controller = started
          if (isSettled) started.abort(ABANDONED)
        },
        onResponseStart(_controller, code, answerHeaders) {
          if (code < 200) return // an interim answer; the real one follows
          status = code
          headers = answerHeaders
        },
        onResponseData(reading, chunk) {
          chunks.push(chunk)
          size += chunk.length
          if (size <= request.maxAnswerBytes) return
          if (request.onTooLarge === 'cut') succeed(true)
          else fail('too-large', `The answer is larger than ${request.maxAnswerBytes} bytes.`)
          reading.abort(ABANDONED)
        },
        onResponseEnd: () => succeed(false),
        onResponseError: (_controller, error) => fail(...describeFailure(error)),
      },
    )
  })
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
  const timer = setTimeout(() => reject(ABANDONED), milliseconds)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
