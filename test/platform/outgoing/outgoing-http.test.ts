// The outgoing client keeps its limits whatever the receiver does. Spec 6.5.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import {
  dnsResolver,
  type OutgoingRequest,
  type OutgoingResponse,
  openOutgoingHttp,
  type Resolve,
} from '../../../src/platform/outgoing/outgoing-http.ts'
import { nameServer, type Receiver, receiver, respondAndClose, respondWith } from '../../support/receivers.ts'

const okResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

function client(t: TestContext, resolve?: Resolve) {
  const http = openOutgoingHttp({ allowPrivate: true, ...(resolve && { resolve }) })
  t.after(() => http.close())
  return (url: string, options: Partial<OutgoingRequest> = {}) =>
    http.send({
      url,
      method: 'POST',
      headers: {},
      body: '{}',
      timeoutMs: 30_000,
      maxResponseBytes: 65_536,
      onTooLarge: 'fail',
      ...options,
    })
}

function kindOf(response: OutgoingResponse): string {
  return response.ok ? `ok ${response.status}` : response.kind
}

async function allClosed(at: Receiver) {
  while (at.open() > 0) await new Promise(resolve => setTimeout(resolve, 5))
}

test('a response has status, headers and body, over plain HTTP if private addresses are allowed', async t => {
  let request = ''
  const at = await receiver(t, socket => {
    socket.on('data', chunk => {
      request += chunk
      socket.write(
        'HTTP/1.1 201 Created\r\nX-Trace: 7\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
      )
    })
  })
  const response = await client(t)(`${at.url}?a=b#fragment`, {
    headers: { 'content-type': 'application/json' },
    body: '{"é":1}',
  })
  assert.ok(response.ok)
  assert.deepEqual(
    [response.status, response.headers['x-trace'], response.body.toString(), response.truncated],
    [201, '7', 'abcde', false],
  )
  assert.match(request, /^POST \/hook\?a=b HTTP\/1\.1\r\n/)
  assert.match(request, /content-length: 8\r\n/)
})

test('a redirect is returned and not followed', async t => {
  const inside = await receiver(t, respondWith(okResponse))
  const at = await receiver(
    t,
    respondWith(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${inside.url}\r\nContent-Length: 0\r\n\r\n`),
  )
  assert.equal(kindOf(await client(t)(at.url)), 'ok 307')
  assert.equal(inside.connections(), 0)
})

test('the deadline ends a response whose body drips, and closes the connection', async t => {
  const at = await receiver(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 10)
    socket.once('close', () => clearInterval(drip))
  })
  const response = await client(t)(at.url, { timeoutMs: 1_000 })
  assert.deepEqual(response.ok || [response.kind, response.status, response.error], [
    'timeout',
    200,
    'No complete answer came within 1 seconds.',
  ])
  assert.ok(response.durationMs >= 990 && response.durationMs < 60_000, String(response.durationMs))
  await allClosed(at)
})

test('with `cut`, the deadline truncates a body that never ends, and closes the connection', async t => {
  const at = await receiver(t, socket => {
    socket.resume()
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nbegun')
  })
  const silent = await receiver(t, socket => socket.resume())
  const send = client(t)
  const response = await send(at.url, { timeoutMs: 1_000, onTooLarge: 'cut' })
  assert.ok(response.ok)
  assert.deepEqual([response.status, response.body.toString(), response.truncated], [200, 'begun', true])
  assert.ok(response.durationMs >= 990, String(response.durationMs))
  await allClosed(at)
  assert.equal(kindOf(await send(silent.url, { timeoutMs: 1_000, onTooLarge: 'cut' })), 'timeout')
})

test('the deadline ends requests to receivers that never respond, drip headers, or stop in the TLS handshake', async t => {
  const send = client(t)
  const silent = await receiver(t, socket => socket.resume())
  const dripping = await receiver(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20)
    socket.once('close', () => clearInterval(drip))
  })
  const urls = [silent.url, dripping.url, silent.url.replace('http:', 'https:')]
  const kinds = (await Promise.all(urls.map(url => send(url, { timeoutMs: 200 })))).map(kindOf)
  assert.deepEqual(kinds, ['timeout', 'timeout', 'timeout'])
})

test('the deadline ends a request whose host name never resolves', async t => {
  const http = openOutgoingHttp({ allowPrivate: true, resolve: () => new Promise(() => {}) })
  t.after(() => http.close())
  const request = {
    url: 'http://hang.example.com/',
    method: 'GET',
    headers: {},
    maxResponseBytes: 1,
    onTooLarge: 'fail',
  } as const
  assert.equal(kindOf(await http.send({ ...request, timeoutMs: 150 })), 'timeout')
})

test('only the beginning of a response that is too large is read, then the connection is closed', async t => {
  let written = 0
  const at = await receiver(t, socket => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk)) written += 0x4000
      }
      socket.on('drain', pour)
      pour()
    })
  })
  const send = client(t)
  const cut = await send(at.url, { maxResponseBytes: 1_000, onTooLarge: 'cut' })
  assert.ok(cut.ok)
  assert.deepEqual([cut.status, cut.body.length, cut.truncated], [200, 1_000, true])
  const failed = await send(at.url, { maxResponseBytes: 65_536, onTooLarge: 'fail' })
  assert.deepEqual([kindOf(failed), !failed.ok && failed.status], ['too-large', 200])
  await allClosed(at)
  assert.ok(written < 16 * 1024 * 1024, `${written} bytes were read`)
})

test('a response of exactly the size limit is complete', async t => {
  const at = await receiver(t, respondWith(okResponse))
  const response = await client(t)(at.url, { maxResponseBytes: 2 })
  assert.ok(response.ok && response.body.toString() === 'ok' && !response.truncated)
})

test('responses that break off, are only interim, switch protocols or are not HTTP fail', async t => {
  const send = client(t)
  const broken = {
    'half a body': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
    'half a chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf',
    'no last chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    'half a header': 'HTTP/1.1 200 OK\r\nContent-Le',
    'interim only': 'HTTP/1.1 103 Early Hints\r\n\r\n',
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    'no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n',
    'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
    'huge headers': `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    nothing: '',
  }
  for (const [name, bytes] of Object.entries(broken)) {
    const at = await receiver(t, respondAndClose(bytes))
    const response = await send(at.url)
    assert.equal(kindOf(response), 'broken', `${name}: ${JSON.stringify(response)}`)
    assert.equal(!response.ok && response.status, /half a [bc]|last/.test(name) ? 200 : null, name)
  }
})

test('an interim response is ignored in favour of the final one', async t => {
  const at = await receiver(
    t,
    respondWith(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${okResponse}`),
  )
  assert.equal(kindOf(await client(t)(at.url)), 'ok 200')
})

test('failures are described without addresses, and never thrown', async t => {
  const closed = await receiver(t, socket => socket.destroy())
  const free = await receiver(t, () => {})
  const send = client(t, host =>
    Promise.reject(
      Object.assign(new Error(`getaddrinfo ENOTFOUND ${host} 10.0.0.53`), { code: 'ENOTFOUND' }),
    ),
  )
  const responses = [
    await send('http://127.0.0.1:1/'),
    await send(closed.url),
    await send('http://no-such-name.invalid/'),
    await send(free.url, { headers: { 'x-bad': 'a\r\nb: c' } }),
    await send(free.url, { headers: { 'bad name': 'x' } }),
    await send('not an address'),
  ]
  assert.deepEqual(responses.map(kindOf), [
    'unreachable',
    'broken',
    'unresolved',
    'failed',
    'failed',
    'refused',
  ])
  for (const response of responses) assert.match(response.ok ? '' : response.error, /^[A-Z][^0-9:]*\.$/)
})

test('all of many requests to a closed port end', async t => {
  const send = client(t)
  const kinds = (await Promise.all(Array.from({ length: 500 }, () => send('http://127.0.0.1:1/')))).map(
    kindOf,
  )
  assert.deepEqual(new Set(kinds), new Set(['unreachable']))
})

test('consecutive requests share a connection, and a closed connection is replaced', async t => {
  const send = client(t)
  const at = await receiver(t, respondWith(okResponse))
  for (let i = 0; i < 20; i++) assert.equal(kindOf(await send(at.url)), 'ok 200')
  // At most two: a request that is sent in the same tick as the previous response finds the connection still
  // in use.
  assert.ok(at.connections() <= 2, String(at.connections()))
  const closing = await receiver(
    t,
    respondAndClose(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok`),
  )
  for (let i = 0; i < 20; i++) assert.equal(kindOf(await send(closing.url)), 'ok 200')
  assert.equal(closing.connections(), 20)
})

test('receivers that hang do not delay other receivers', async t => {
  const send = client(t)
  const release = Promise.withResolvers<void>()
  const hangs = (socket: Socket) => {
    socket.resume()
    release.promise.then(() => socket.destroy())
  }
  const hanging = await Promise.all(Array.from({ length: 20 }, () => receiver(t, hangs)))
  const healthy = await receiver(t, respondWith(okResponse))
  let ended = 0
  const stuck = hanging.flatMap(at =>
    Array.from({ length: 20 }, () => send(at.url, { timeoutMs: 60_000 }).finally(() => ended++)),
  )
  const responses = await Promise.all(
    Array.from({ length: 400 }, () => send(healthy.url, { timeoutMs: 30_000 })),
  )
  assert.deepEqual(new Set(responses.map(kindOf)), new Set(['ok 200']))
  assert.equal(ended, 0)
  release.resolve()
  assert.deepEqual(new Set((await Promise.all(stuck)).map(kindOf)), new Set(['broken']))
})

test('proxies named in the environment are not used', async t => {
  const proxy = await receiver(t, respondWith(okResponse))
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  for (const name of names) process.env[name] = proxy.url
  t.after(() => {
    for (const name of names) delete process.env[name]
  })
  const at = await receiver(t, respondWith(okResponse))
  assert.equal(kindOf(await client(t)(at.url)), 'ok 200')
  assert.deepEqual([proxy.connections(), at.connections()], [0, 1])
})

test('the TLS handshake names the original host and offers nothing older than TLS 1.2', async t => {
  const hello = Promise.withResolvers<Buffer>()
  const at = await receiver(t, (socket: Socket) => {
    socket.once('data', chunk => {
      hello.resolve(chunk)
      socket.destroy()
    })
  })
  const http = openOutgoingHttp({
    allowPrivate: true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  t.after(() => http.close())
  const request = {
    method: 'GET',
    headers: {},
    timeoutMs: 3_000,
    maxResponseBytes: 1,
    onTooLarge: 'fail',
  } as const
  const response = await http.send({ ...request, url: `https://Receiver.example.com.:${at.port}/` })
  assert.equal(response.ok, false)
  const bytes = await hello.promise
  assert.ok(bytes.includes('receiver.example.com', 'latin1'))
  assert.ok(!bytes.includes('receiver.example.com.', 'latin1'))
  assert.ok(bytes.includes(Buffer.from('002b00050403040303', 'hex')), 'supported versions: 1.3 and 1.2')
})

test('an untrusted certificate is refused, even if the environment disables the check', async t => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  const server = createTlsServer({ key: privateKey, cert: certificate }, socket => socket.end(okResponse))
  server.on('tlsClientError', () => {})
  const at = await receiver(t, () => {}, server)
  assert.equal(kindOf(await client(t)(at.url.replace('http:', 'https:'))), 'tls')
})

test('requests that hang do not delay other requests to the same origin', async t => {
  const at = await receiver(t, socket => {
    socket.on('data', chunk => {
      if (chunk.includes('/quick')) socket.write(okResponse)
    })
  })
  const send = client(t)
  const hanging = Array.from({ length: 300 }, () => send(at.url, { timeoutMs: 60_000 }))
  const first = await Promise.race([
    send(at.url.replace('/hook', '/quick'), { timeoutMs: 30_000 }),
    ...hanging,
  ])
  assert.equal(kindOf(first), 'ok 200')
})

test('closing ends running requests, and later ones fail', async t => {
  const at = await receiver(t, socket => socket.resume())
  const http = openOutgoingHttp({ allowPrivate: true })
  const request = {
    url: at.url,
    method: 'GET',
    headers: {},
    timeoutMs: 5_000,
    maxResponseBytes: 1,
    onTooLarge: 'fail',
  } as const
  const running = http.send(request)
  while (at.connections() === 0) await new Promise(setImmediate)
  await http.close()
  assert.deepEqual([(await running).ok, (await http.send(request)).ok], [false, false])
})

test('names are resolved over DNS to all their addresses, and an unknown name is an error', async t => {
  const known: Record<string, { v4: string[]; v6: string[] }> = {
    'both.example.com': { v4: ['93.184.215.14', '93.184.215.15'], v6: ['2606:2800::1'] },
    'six.example.com': { v4: [], v6: ['2606:2800::2'] },
  }
  const resolve = dnsResolver([await nameServer(t, name => known[name.toLowerCase()] ?? { v4: [], v6: [] })])
  assert.deepEqual((await resolve('both.example.com')).map(({ address }) => address).sort(), [
    '2606:2800::1',
    '93.184.215.14',
    '93.184.215.15',
  ])
  assert.deepEqual(await resolve('six.example.com'), [{ address: '2606:2800::2', family: 6 }])
  await assert.rejects(resolve('none.example.com'), { code: 'ENOTFOUND' })
})

// Created for these tests and not trusted by anyone.
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1Jz3mGc38wQNUooK
igj7Pn47fR/VvWnRmqXK6cdA5mqhRANCAAROmXVK18iBnrGKOo5YPSUSu+7/9CBO
guk/OjJM1U6ktK5+YSh1DUxtPuyKn0TYYzkR8c7jslHBAs5eeXuWczhO
-----END PRIVATE KEY-----`
const certificate = `-----BEGIN CERTIFICATE-----
MIIBqTCCAVCgAwIBAgIUJKVi3aPX6WrFLzoaWRuCRAy7MQswCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTAgFw0yNjExMjEwMDAyMDdaGA8y
MTI2MTAyODAwMDIwN1owGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABE6ZdUrXyIGesYo6jlg9JRK77v/0IE6C6T86
MkzVTqS0rn5hKHUNTG0+7IqfRNhjORHxzuOyUcECzl55e5ZzOE6jcDBuMB0GA1Ud
DgQWBBQSQ1LT+7pRMNvs3XaAhRU5dgt9HjAfBgNVHSMEGDAWgBQSQ1LT+7pRMNvs
3XaAhRU5dgt9HjAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHJlY2VpdmVy
LmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgC61m8c5ID2x7+Z7l6sBRzggbKTB9
ficfshOzwe2GHWgCIFQ32bYVztcajRvOQG88dsYAh5dgu8H3WsvxhYLgqf73
-----END CERTIFICATE-----`
