// The refresh token of a built-in app, which scripts never see: it travels in a cookie that only this service
// reads, and only for requests that the app's own pages have made.

import type { FastifyRequest } from 'fastify'
import type { BuiltInApp } from '../access/actor.ts'

/** Where the pages of the built-in apps are, and so which cookies they have. */
export interface BrowserTokens {
  /** The refresh token that came with a request; undefined without one. */
  read(request: FastifyRequest, app: BuiltInApp): string | undefined
  /** The Set-Cookie header that keeps a refresh token for this long, or that removes it after 0 seconds. */
  cookie(app: BuiltInApp, refreshToken: string, seconds: number): string
  /** Whether one of our own pages has made the request. */
  isOwnPage(request: FastifyRequest): boolean
}

/** Makes the rules for pages at this address. */
export function openBrowserTokens(baseUrl: string): BrowserTokens {
  const { origin, protocol } = new URL(baseUrl)
  // Browsers refuse Secure cookies on plain http. config.ts and the page see to it that this is this machine.
  const isSecure = protocol === 'https:'
  const nameOf = (app: BuiltInApp) => `${isSecure ? '__Host-' : ''}waybill-${app}`
  return {
    read({ headers }, app) {
      const pairs = (headers.cookie ?? '').split(';').map(pair => pair.trim())
      const start = `${nameOf(app)}=`
      return pairs.find(pair => pair.startsWith(start) && pair.length > start.length)?.slice(start.length)
    },
    cookie: (app, refreshToken, seconds) =>
      `${nameOf(app)}=${refreshToken}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict` +
      (isSecure ? '; Secure' : ''),
    isOwnPage({ headers }) {
      if (headers.origin !== undefined) return headers.origin === origin
      return headers['sec-fetch-site'] === 'same-origin'
    },
  }
}
