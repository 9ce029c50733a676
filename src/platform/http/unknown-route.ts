// Refuses requests for a path or method that no endpoint has.

import type { FastifyInstance } from 'fastify'
import { editDistance } from '../edit-distance.ts'
import { methodNotAllowed, Refusal } from './refusal.ts'

/** Lists methods for a sentence. The formatter is not created at start because that takes 0.1 s. */
const listInWords = (methods: string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(methods)

interface Route {
  /** the path as the API document writes it */
  name: string
  pattern: RegExp
  methods: Set<string>
}

const segment = /:\w+|\*/g

function routeOf(path: string): Route {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return {
    name: path.replace(/:(\w+)/g, '{$1}'),
    pattern: new RegExp(`^${escaped.replace(segment, '[^/]+')}$`),
    methods: new Set(),
  }
}

/** How many letters an address may differ by to be taken for a misspelt one. */
const maxMisspelt = 2

/** How many letters a path differs by from that of a route, ids apart; infinite if by too many. */
function misspeltLetters(path: string, route: Route): number {
  const [segments, names] = [path.split('/'), route.name.split('/')]
  if (segments.length !== names.length) return Number.POSITIVE_INFINITY
  let letters = 0
  for (const [i, name] of names.entries()) {
    const segment = segments[i] as string
    if (name.startsWith('{')) continue
    // Lengths are compared first, because a distance takes long to calculate for long texts.
    if (Math.abs(segment.length - name.length) > maxMisspelt) return Number.POSITIVE_INFINITY
    letters += segment === name ? 0 : editDistance(segment, name)
    if (letters > maxMisspelt) return Number.POSITIVE_INFINITY
  }
  return letters
}

/** The route that a path without one was probably meant for, perhaps after its `/v1`. */
function intendedRoute(path: string, routes: Iterable<Route>): Route | undefined {
  let intended: Route | undefined
  let fewest = maxMisspelt + 1
  for (const route of routes) {
    const letters = Math.min(misspeltLetters(path, route), misspeltLetters(`/v1${path}`, route))
    if (letters < fewest) [intended, fewest] = [route, letters]
  }
  return intended
}

/**
 * Refuses requests that match no route before their bodies are read: with 405 if the path has other methods,
 * otherwise with 404. Must be called before the routes are added.
 */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  const routes = new Map<string, Route>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? routeOf(url)
    routes.set(url, route)
    for (const name of [method].flat()) route.methods.add(name)
  })
  const find = (path: string) => [...routes.values()].find(({ pattern }) => pattern.test(path))

  function refusalOf(method: string, url: string): Refusal {
    const path = url.replace(/\?.*$/s, '')
    const known = find(path)
    // A folder of files has the method, and may still not have the file.
    if (known !== undefined && !known.methods.has(method)) {
      const allowed = [...known.methods].toSorted()
      return methodNotAllowed(
        `The address ${known.name} answers to ${listInWords(allowed)}, not to ${method}.`,
        allowed,
      )
    }
    const trimmed = path.replace(/\/+$/, '')
    const similar = trimmed === path ? undefined : find(trimmed)
    const intended = similar === undefined ? intendedRoute(path, routes.values()) : undefined
    const hint =
      similar !== undefined
        ? ` Without the slash at its end there is: ${similar.name}.`
        : intended !== undefined
          ? ` The closest is ${intended.name}.`
          : ''
    return new Refusal(404, 'Not Found', 'not_found', [`There is no endpoint at this address.${hint}`])
  }
  // An empty last segment would otherwise count as the id of a record.
  app.addHook('onRequest', (request, _reply, done) => {
    const { url = '', method = '' } = request.raw
    const isSlashed = /^\/v1\/[^?]*\/(\?|$)/.test(url)
    done(isSlashed ? refusalOf(method, url) : undefined)
  })
  // Runs after the hooks that set the headers of every response, but before the body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    done(request.is404 ? refusalOf(request.method, request.raw.url ?? '') : null)
  })
  app.setNotFoundHandler(request => {
    throw refusalOf(request.method, request.raw.url ?? '')
  })
}
