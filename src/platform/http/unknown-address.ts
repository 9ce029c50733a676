// What is answered to an address or method that no endpoint has.

import type { FastifyInstance } from 'fastify'
import { methodNotAllowed, Refusal } from './refusal.ts'

/** Methods as a sentence lists them. Made when it is asked for: it takes a tenth of a second of the start. */
const listed = (methods: string[]) => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(methods)

interface Address {
  /** as the API document writes it */
  name: string
  form: RegExp
  methods: Set<string>
}

const segment = /:\w+|\*/g

function addressOf(path: string): Address {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return {
    name: path.replace(/:(\w+)/g, '{$1}'),
    form: new RegExp(`^${escaped.replace(segment, '[^/]+')}$`),
    methods: new Set(),
  }
}

/**
 * Refuses requests that no route answers to, before their bodies are read: 405 where the address has other
 * methods, else 404. To be called before the routes are added.
 */
export function refuseUnknownAddresses(app: FastifyInstance): void {
  const addresses = new Map<string, Address>()
  app.addHook('onRoute', ({ url, method }) => {
    const address = addresses.get(url) ?? addressOf(url)
    addresses.set(url, address)
    for (const name of [method].flat()) address.methods.add(name)
  })
  const find = (path: string) => [...addresses.values()].find(({ form }) => form.test(path))

  function refusalOf(method: string, url: string): Refusal {
    const path = url.replace(/\?.*$/s, '')
    const known = find(path)
    if (known !== undefined) {
      const allowed = [...known.methods].toSorted()
      return methodNotAllowed(
        `The address ${known.name} answers to ${listed(allowed)}, not to ${method}.`,
        allowed,
      )
    }
    const trimmed = path.replace(/\/+$/, '')
    const other = trimmed === path ? undefined : find(trimmed)
    const hint = other === undefined ? '' : ` Without the slash at its end there is: ${other.name}.`
    return new Refusal(404, 'Not Found', 'not_found', [`There is no endpoint at this address.${hint}`])
  }
  // Behind the hooks that put headers on every answer, and before the body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    done(request.is404 ? refusalOf(request.method, request.raw.url ?? '') : null)
  })
  app.setNotFoundHandler(request => {
    throw refusalOf(request.method, request.raw.url ?? '')
  })
}
