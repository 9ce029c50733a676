// Serves the web portal: its page, and the scripts, styles and fonts that the build has written. API callers
// get the same responses as without it, because only requests that accept HTML get the page.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CompressedText, compress, sendCompressed } from '../platform/http/compressed.ts'

/** The folder that the build writes. */
const builtFolder = fileURLToPath(new URL('../../portal/dist/', import.meta.url))

/**
 * What the portal may do: load from this service, and nothing else. It stands on every response, because the
 * script of a worker has the policy of its own response and not that of the page.
 */
export const portalHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:"],
    ...["font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'"],
    ...["form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** Addresses that belong to the service itself, whether or not something is there. */
const ownPaths = /^\/(v1|connect|docs|openapi\.json|health|metrics|\.well-known|assets)(\/|$)/

const notBuilt = 'The portal has not been built. Build it with: npm run build -w portal'

/** The portal as the build wrote it. */
export interface Portal {
  readonly folder: string
  readonly page: Buffer
  /** the addresses that it has */
  readonly patterns: readonly RegExp[]
  /** the name of its first script, which differs with every version */
  readonly build: string
}

/** Reads the portal; undefined if it has not been built. */
export function readPortal(folder = builtFolder): Portal | undefined {
  if (!existsSync(`${folder}pages.json`)) return undefined
  const pages: string[] = JSON.parse(readFileSync(`${folder}pages.json`, 'utf8'))
  const page = readFileSync(`${folder}index.html`)
  const build = /src="\/assets\/([^"]+)\.js"/.exec(page.toString())?.[1] ?? ''
  return { folder, page, patterns: pages.map(patternOf), build }
}

/** The addresses that `/consignments/:id` describes. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)

/** Adds the portal to the server, which must not listen yet. Without a portal, the page at `/` says so. */
export async function addPortal(
  app: FastifyInstance,
  portal: Portal | undefined,
  log: FastifyBaseLogger,
): Promise<void> {
  if (portal === undefined) {
    log.warn(`${notBuilt}. Everything else works without it.`)
    onPageRequest(app, (path, reply) =>
      path === '/'
        ? reply.type('text/plain; charset=utf-8').send(`${notBuilt}\n\n${elsewhere}\n`)
        : undefined,
    )
    return
  }
  await app.register(serveFiles, {
    root: `${portal.folder}assets`,
    prefix: '/assets/',
    // The build puts these beside each file, so that nothing is compressed while people wait.
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    decorateReply: false,
    setHeaders: reply => {
      for (const [name, value] of Object.entries(portalHeaders)) reply.header(name, value)
    },
  })
  const page = compress(portal.page)
  onPageRequest(app, async (path, reply, request) => {
    const isKnown = portal.patterns.some(pattern => pattern.test(path))
    return sendPage(request, reply, await page, isKnown)
  })
}

const elsewhere = 'The API reference is at /docs.'

type Respond = (
  path: string,
  reply: FastifyReply,
  request: FastifyRequest,
) => Promise<FastifyReply> | FastifyReply | undefined

/** Responds to requests for a page that no endpoint has. Those for which `respond` returns nothing go on. */
function onPageRequest(app: FastifyInstance, respond: Respond): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.raw.url?.replace(/\?.*$/s, '') ?? ''
    if (!(request.is404 || path === '/') || !isForPeople(request, path)) return done()
    const response = respond(path, reply, request)
    if (response === undefined) done()
    else if (response instanceof Promise) response.catch(done)
  })
}

const isForPeople = ({ method, headers }: FastifyRequest, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.accept?.includes('text/html') === true &&
  !ownPaths.test(path)

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CompressedText,
  isKnown: boolean,
): FastifyReply {
  reply.headers(portalHeaders).type('text/html; charset=utf-8')
  // The page that says that there is nothing at an address must not be taken for an unchanged one.
  if (!isKnown) delete request.raw.headers['if-none-match']
  return sendCompressed(request, reply.code(isKnown ? 200 : 404), page)
}
