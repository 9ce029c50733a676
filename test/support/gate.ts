// A proxy between a program and the service. It sees every request, and can delay it or drop the connection
// before the request reaches the service or after its response.

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './test-database.ts'

/** A request that passes the gate. */
export interface InterceptedRequest {
  method: string
  path: string
  // The tests read bodies of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects
  body: any
  /** before: not yet passed on; after: the service has responded, but the caller does not know it */
  when: 'before' | 'after'
}

/** Decides whether a request passes or its connection is broken. */
export type Interceptor = (request: InterceptedRequest) => Promise<'on' | 'broken'> | 'on' | 'broken'

/** Opens a gate to the address that `target()` returns for each request, until the test file ends. */
export async function openGate(target: () => string) {
  let watch: Interceptor = () => 'on'
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      const isJson = request.headers['content-type'] === 'application/json'
      const passing = {
        method: request.method ?? '',
        path: request.url ?? '',
        body: isJson ? JSON.parse(bytes.toString()) : undefined,
      }
      // The socket, because the request itself counts as destroyed once it has been read.
      if ((await watch({ ...passing, when: 'before' })) === 'broken') return request.socket.destroy()
      const left = new AbortController()
      response.once('close', () => left.abort())
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const answer = await fetch(`${target()}${request.url}`, {
        method: passing.method,
        headers: headers as Record<string, string>,
        signal: left.signal,
        ...(bytes.length === 0 ? {} : { body: bytes }),
      })
      const body = Buffer.from(await answer.arrayBuffer())
      if ((await watch({ ...passing, when: 'after' })) === 'broken') return request.socket.destroy()
      const type = answer.headers.get('content-type')
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type })
      response.end(answer.status === 304 ? undefined : body)
    } catch {
      // The service or the caller has gone.
      request.socket.destroy()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    watch(interceptor: Interceptor) {
      watch = interceptor
    },
  }
}
